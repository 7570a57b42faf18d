#include "agent/worker/rest_json.h"

#include <array>
#include <nlohmann/json.hpp>

namespace eos::worker {

using nlohmann::json;

namespace {

Status NotConnect(const char* what) {
  return Err(Reason::kRestUnavailable,
             std::string("reading the worker's ") + what + ": it is not what Kafka Connect answers");
}

json Parse(const std::string& body) { return json::parse(body, nullptr, /*allow_exceptions=*/false); }

std::string Text(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>()
                                                                           : std::string();
}

const json& Child(const json& object, const char* key) {
  static const json kNone = json::object();
  if (!object.is_object()) return kNone;
  const auto found = object.find(key);
  return found == object.end() ? kNone : *found;
}

TaskState StateFrom(const std::string& text) {
  constexpr std::array kStates{TaskState::kUnassigned, TaskState::kRunning,    TaskState::kPaused,
                               TaskState::kFailed,     TaskState::kRestarting, TaskState::kStopped,
                               TaskState::kDestroyed};
  for (const TaskState state : kStates) {
    if (ToString(state) == text) return state;
  }
  return TaskState::kUnknown;
}

TaskStatus TaskFrom(const json& object) {
  TaskStatus task;
  const json& id = Child(object, "id");
  task.id = id.is_number_integer() ? id.get<int>() : 0;
  task.state = StateFrom(Text(object, "state"));
  task.worker_id = Text(object, "worker_id");
  if (task.state == TaskState::kFailed) task.failure = ClassifyTrace(Text(object, "trace"), task.exceptions);
  return task;
}

ConnectorStatus ConnectorFrom(const std::string& name, const json& object) {
  const json& status = Child(object, "status");
  const json& own = Child(status, "connector");
  const json& info = Child(object, "info");
  ConnectorStatus connector;
  connector.name = name;
  const std::string type = Text(status, "type");
  connector.type = type == "source" ? ConnectorType::kSource
                   : type == "sink" ? ConnectorType::kSink
                                    : ConnectorType::kUnknown;
  connector.connector_class = Text(Child(info, "config"), "connector.class");
  connector.state = StateFrom(Text(own, "state"));
  connector.worker_id = Text(own, "worker_id");
  if (connector.state == TaskState::kFailed) {
    std::vector<std::string> exceptions;
    connector.failure = ClassifyTrace(Text(own, "trace"), exceptions);
  }
  const json& tasks = Child(status, "tasks");
  if (tasks.is_array()) {
    for (const json& task : tasks) connector.tasks.push_back(TaskFrom(task));
  }
  // A task that its configuration knows but that has no status yet: right after it was made, it is not
  // assigned.
  const json& configured = Child(info, "tasks");
  if (!configured.is_array()) return connector;
  for (const json& task : configured) {
    const json& id = Child(task, "task");
    if (!id.is_number_integer()) continue;
    const bool told = std::any_of(connector.tasks.begin(), connector.tasks.end(),
                                  [&](const TaskStatus& t) { return t.id == id.get<int>(); });
    if (!told) connector.tasks.push_back({id.get<int>(), TaskState::kUnassigned, "", FailureKind::kNone, {}});
  }
  return connector;
}

}  // namespace

StatusOr<std::vector<ConnectorStatus>> ConnectorsFrom(const std::string& body) {
  const json root = Parse(body);
  if (!root.is_object()) return NotConnect("connectors");
  std::vector<ConnectorStatus> connectors;
  for (const auto& [name, object] : root.items()) connectors.push_back(ConnectorFrom(name, object));
  return connectors;
}

bool ReadRoot(const std::string& body, RestFacts& facts) {
  const json root = Parse(body);
  const std::string version = Text(root, "version");
  if (version.empty()) return false;
  facts.version = version;
  facts.kafka_cluster_id = Text(root, "kafka_cluster_id");
  return true;
}

Probe ProbeFrom(const std::string& body) {
  const json root = Parse(body);
  const json& configs = Child(root, "configs");
  if (!configs.is_array()) return Probe::kUnknown;
  for (const json& config : configs) {
    const json& value = Child(config, "value");
    if (Text(value, "name") != "exactly.once.support") continue;
    const json& errors = Child(value, "errors");
    if (!errors.is_array()) return Probe::kUnknown;
    if (errors.empty()) return Probe::kCapable;
    for (const json& error : errors) {
      if (!error.is_string()) continue;
      const auto& text = error.get_ref<const std::string&>();
      if (text.find("worker does not have exactly-once") != std::string::npos)
        return Probe::kWorkerNotEnabled;
      if (text.find("does not support exactly-once semantics") != std::string::npos)
        return Probe::kConnectorNotCapable;
      if (text.find("does not implement the API required") != std::string::npos)
        return Probe::kConnectorUndeclared;
    }
    return Probe::kUnknown;
  }
  return Probe::kUnknown;
}

StatusOr<std::string> ClassFrom(const std::string& config) {
  std::string name = Text(Parse(config), "connector.class");
  if (name.empty()) return NotConnect("connector's configuration");
  return name;
}

StatusOr<std::string> ProbeBody(const std::string& config, const std::string& connector_class) {
  json body = config.empty() ? json::object() : Parse(config);
  if (!body.is_object()) return NotConnect("connector's configuration");
  if (config.empty()) {
    body["name"] = "connect-eos-probe";
    body["source.cluster.alias"] = "probe";
    body["target.cluster.alias"] = "probe";
  }
  body["connector.class"] = connector_class;
  body["exactly.once.support"] = "required";
  return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace eos::worker
