#include "controller/report/json.h"

#include <nlohmann/json.hpp>

#include "controller/report/tables.h"

namespace eos::report {

using nlohmann::json;

namespace {

template <typename T>
json OrNull(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

json ModeJson(const std::optional<Mode>& mode) { return mode ? json(ToString(*mode)) : json(nullptr); }
json MillisJson(const std::optional<Millis>& ms) { return ms ? json(ms->count()) : json(nullptr); }

json ProcessJson(const ProcessFacts& p) {
  return {{"pid", p.pid},
          {"started", FormatUtc(p.started)},
          {"start_ticks", p.start_ticks},
          {"boot_id", p.boot_id}};
}

json FileJson(const FileFacts& f) {
  return {{"mode", ModeJson(f.mode)},
          {"mode_present", f.mode_present},
          {"rebalance_delay_ms", MillisJson(f.delay)},
          {"sha256", f.sha256},
          {"changed", FormatUtc(f.changed)},
          {"warnings", f.warnings}};
}

json AgentJson(const fleet::AgentView& agent) {
  json j{{"name", agent.name}, {"reached", agent.facts.has_value()}};
  if (agent.unreached) j["problem"] = ToJson(*agent.unreached);
  if (!agent.facts) return j;
  j["host"] = agent.facts->host;
  j["version"] = agent.facts->version;
  j["clock"] = FormatUtc(agent.facts->clock);
  j["certificate_not_after"] = FormatUtc(agent.facts->certificate_not_after);
  j["leases"] = json::array();
  for (const Lease& lease : agent.facts->leases) {
    j["leases"].push_back({{"fleet", lease.fleet},
                           {"holder", lease.holder},
                           {"session", lease.session},
                           {"granted", FormatUtc(lease.granted)},
                           {"remaining_ms", lease.remaining.count()}});
  }
  return j;
}

json GroupJson(const fleet::FleetView& view) {
  if (!view.group) return nullptr;
  json members = json::array();
  for (const kafka::Member& member : view.group->members) {
    members.push_back({{"member_id", member.member_id}, {"url", member.url}, {"assigned", member.assigned}});
  }
  json strangers = json::array();
  for (const kafka::Member& member : view.strangers) strangers.push_back(member.url);
  return {{"state", view.group->state},
          {"leader_url", view.group->leader_url},
          {"pending_delay_ms", view.group->pending_delay().count()},
          {"members", members},
          {"strangers", strangers}};
}

json ConnectorsJson(const fleet::FleetView& view) {
  if (!view.connectors) return nullptr;
  json list = json::array();
  for (const ConnectorStatus& connector : *view.connectors) {
    json tasks = json::array();
    for (const TaskStatus& task : connector.tasks) {
      tasks.push_back(
          {{"id", task.id},
           {"state", ToString(task.state)},
           {"worker_id", task.worker_id},
           {"failure", task.failure == FailureKind::kNone ? json(nullptr) : json(ToString(task.failure))},
           {"exceptions", task.exceptions}});
    }
    list.push_back({{"name", connector.name},
                    {"type", ToString(connector.type)},
                    {"connector_class", connector.connector_class},
                    {"state", ToString(connector.state)},
                    {"tasks", tasks}});
  }
  return list;
}

json FindingsJson(const std::vector<rollout::Finding>& findings) {
  json list = json::array();
  for (const rollout::Finding& finding : findings) list.push_back(ToJson(finding));
  return list;
}

}  // namespace

json ToJson(const Problem& problem) {
  return {{"reason", Info(problem.reason).name}, {"message", problem.message}, {"fix", problem.fix}};
}

json ToJson(const rollout::Finding& finding) {
  json j = ToJson(finding.problem);
  j["severity"] = finding.severity == rollout::Finding::Severity::kError     ? "error"
                  : finding.severity == rollout::Finding::Severity::kWarning ? "warning"
                                                                             : "info";
  j["object"] = finding.object;
  j["may_pass"] = finding.may_pass;
  return j;
}

json ToJson(const rollout::Step& step) {
  return {{"worker", step.worker},
          {"agent", step.agent},
          {"phase", ToString(step.phase)},
          {"from", ModeJson(step.from)},
          {"to", ToString(step.to)},
          {"restart", step.restart},
          {"batch", step.batch},
          {"delay", ToString(step.delay)},
          {"temporary_delay_ms", step.temporary_delay.count()},
          {"why", step.why}};
}

json ToJson(const OperationRecord& record) {
  json j{{"id", record.request.id},
         {"worker", record.request.worker},
         {"mode", ModeJson(record.request.mode)},
         {"step", ToString(record.step)},
         {"outcome", ToString(record.outcome)},
         {"caller", record.caller},
         {"accepted", FormatUtc(record.accepted)},
         {"updated", FormatUtc(record.updated)},
         {"old_sha256", record.old_sha256},
         {"new_sha256", record.new_sha256},
         {"starts", record.starts}};
  if (record.problem) j["problem"] = ToJson(*record.problem);
  if (record.old_process) j["old_process"] = ProcessJson(*record.old_process);
  if (record.new_process) j["new_process"] = ProcessJson(*record.new_process);
  return j;
}

json ToJson(const fleet::WorkerView& worker) {
  const WorkerFacts& facts = worker.facts;
  json j{{"name", facts.name},
         {"agent", worker.agent},
         {"url", facts.advertised_url},
         {"running_mode", ModeJson(worker.running.mode)},
         {"evidence", ToString(worker.running.evidence)},
         {"evidence_text", worker.running.why},
         {"running_rebalance_delay_ms", MillisJson(worker.running_delay)},
         {"member", worker.member},
         {"leader", worker.leader},
         {"running_operation", facts.running_operation}};
  j["process"] = facts.process ? ProcessJson(*facts.process) : json(nullptr);
  j["file"] = facts.file ? FileJson(*facts.file) : json(nullptr);
  j["version"] = facts.rest ? json(facts.rest->version) : json(nullptr);
  j["up"] = facts.process && facts.rest && facts.rest->herder_answers;
  if (facts.service) j["service"] = facts.service->detail;
  if (facts.temporary_delay) {
    j["temporary_delay"] = {{"value_ms", facts.temporary_delay->value.count()},
                            {"since", FormatUtc(facts.temporary_delay->since)}};
  }
  j["problems"] = json::array();
  for (const Problem& problem : facts.problems) j["problems"].push_back(ToJson(problem));
  return j;
}

json StatusJson(const fleet::FleetView& view, const std::string& fleet,
                const std::vector<rollout::Finding>& findings) {
  const Guarantee guarantee = GuaranteeOf(view);
  json j{{"format", "connect-eos/status/1"},
         {"at", FormatUtc(view.at)},
         {"fleet", fleet},
         {"standing", rollout::Standing(view)},
         {"guarantee",
          {{"in_force", guarantee.in_force},
           {"since", guarantee.since ? json(FormatUtc(*guarantee.since)) : json(nullptr)},
           {"why", guarantee.why}}},
         {"group", GroupJson(view)},
         {"connectors", ConnectorsJson(view)},
         {"findings", FindingsJson(findings)}};
  j["workers"] = WorkersJson(view)["workers"];
  j["agents"] = json::array();
  for (const auto& agent : view.agents) j["agents"].push_back(AgentJson(agent));
  return j;
}

json WorkersJson(const fleet::FleetView& view) {
  json j{{"format", "connect-eos/workers/1"}, {"at", FormatUtc(view.at)}, {"workers", json::array()}};
  for (const auto& worker : view.workers) j["workers"].push_back(ToJson(worker));
  return j;
}

json PreflightJson(const std::vector<rollout::Finding>& findings) {
  return {{"format", "connect-eos/preflight/1"}, {"findings", FindingsJson(findings)}};
}

json PlanJson(const rollout::Plan& plan, Mode target) {
  json j{{"format", "connect-eos/plan/1"},
         {"to", ToString(target)},
         {"steps", json::array()},
         {"pause", plan.pause},
         {"expected_task_ms_lost", plan.task_time.count()},
         {"explanations", plan.explanations},
         {"findings", FindingsJson(plan.findings)}};
  for (const rollout::Step& step : plan.steps) j["steps"].push_back(ToJson(step));
  return j;
}

json ErrorJson(const Problem& problem) { return {{"error", ToJson(problem)}}; }

std::string Dump(const json& value) {
  return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}
std::string DumpLine(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace eos::report
