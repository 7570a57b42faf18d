#include <spdlog/fmt/fmt.h>

#include "agent/worker/connector_json.h"
#include "agent/worker/http.h"
#include "agent/worker/rest_client.h"
#include "agent/worker/rest_json.h"
#include "common/base/words.h"

namespace eos::worker {
namespace {

// Part of connect-mirror, which every distribution of Kafka has; validating it opens no connection.
constexpr char kBuiltInClass[] = "org.apache.kafka.connect.mirror.MirrorHeartbeatConnector";

Status Failed(const std::string& attempt, const HttpResult& result) {
  if (result.failure) {
    return Err(result.failure->timed_out ? Reason::kTimeout : Reason::kRestUnavailable,
               fmt::format("{}: {}", attempt, result.failure->message));
  }
  const long status = result.answer->status;
  const char* meaning = status == 409   ? ", the worker is rebalancing"
                        : status == 404 ? ", it is not there (yet)"
                        : status == 401 || status == 403
                            ? ", it wants other credentials (rest.basic_auth_file)"
                            : "";
  return Err(status == 404 ? Reason::kNotFound : Reason::kRestUnavailable,
             fmt::format("{}: HTTP {}{}", attempt, status, meaning));
}

bool Good(const HttpResult& result) {
  return result.answer && result.answer->status >= 200 && result.answer->status < 300;
}

class CurlRestClient final : public RestClient {
 public:
  explicit CurlRestClient(RestSettings settings) : settings_(std::move(settings)) {
    while (!settings_.url.empty() && settings_.url.back() == '/') settings_.url.pop_back();
  }

  RestFacts Look() override {
    RestFacts facts;
    const HttpResult root = Get("/");
    if (!Good(root) || !ReadRoot(root.answer->body, facts)) return facts;
    facts.answers = true;
    const HttpResult health = Get("/health");
    if (!health.answer) return facts;
    switch (health.answer->status) {
      case 200:
        facts.health = Health::kHealthy;
        facts.herder_answers = true;
        break;
      case 503:
        facts.health = Health::kStarting;
        break;
      case 404:
        facts.health = Health::kUnsupported;
        facts.herder_answers = Good(Get("/connectors"));
        break;
      default:
        facts.health = Health::kUnhealthy;
    }
    return facts;
  }

  bool Answers() override {
    RestFacts facts;
    const HttpResult root = Get("/");
    return Good(root) && ReadRoot(root.answer->body, facts);
  }

  StatusOr<std::vector<ConnectorStatus>> ListConnectors() override {
    const HttpResult result = Get("/connectors?expand=status&expand=info");
    if (!Good(result)) return Failed("asking the worker for its connectors", result);
    return ConnectorsFrom(result.answer->body);
  }

  StatusOr<ProbeAnswer> ProbeExactlyOnce(const std::string& connector) override {
    std::string config;
    ProbeAnswer answer;
    answer.connector_class = kBuiltInClass;
    if (!connector.empty()) {
      const HttpResult got = Get("/connectors/" + UrlEscape(connector) + "/config");
      if (!Good(got)) return Failed(fmt::format("asking for connector \"{}\"", Printable(connector)), got);
      config = got.answer->body;
      EOS_ASSIGN_OR_RETURN(answer.connector_class, ClassFrom(config));
    }
    EOS_ASSIGN_OR_RETURN(const std::string body, ProbeBody(config, answer.connector_class));
    const std::string path = "/connector-plugins/" + UrlEscape(answer.connector_class) + "/config/validate";
    const HttpResult result =
        Exchange({"PUT", settings_.url + path, body, settings_.slow_timeout}, settings_);
    if (!Good(result)) {
      // No usable answer is an answer: unknown, never "enabled".
      answer.message = std::string(Failed("validating", result).message());
      return answer;
    }
    answer.result = ProbeFrom(result.answer->body);
    if (answer.result == Probe::kUnknown) answer.message = "the worker's answer is not one that is known";
    return answer;
  }

  StatusOr<ConnectorSettings> DescribeConnector(const std::string& connector) override {
    const std::string path = "/connectors/" + UrlEscape(connector);
    const std::string attempt = fmt::format("asking for connector \"{}\"", Printable(connector));
    const HttpResult config = Get(path + "/config");
    if (!Good(config)) return Failed(attempt, config);
    EOS_ASSIGN_OR_RETURN(ConnectorSettings settings, SettingsFrom(config.answer->body));
    // topic.tracking.enable=false answers 403: the topics are not known then, which is no fault.
    const HttpResult topics = Get(path + "/topics");
    if (Good(topics)) settings.topics = TopicsFrom(topics.answer->body, connector);
    return settings;
  }

  Status RestartFailedTasks(const std::string& connector) override {
    const std::string path =
        "/connectors/" + UrlEscape(connector) + "/restart?includeTasks=true&onlyFailed=true";
    const HttpResult result = Exchange({"POST", settings_.url + path, "", settings_.slow_timeout}, settings_);
    if (Good(result)) return OkStatus();
    return Failed(fmt::format("restarting failed tasks of \"{}\"", Printable(connector)), result);
  }

  Reachability Reach(const std::string& url) override {
    const HttpResult result = Exchange({"GET", url + "/", "", settings_.timeout}, settings_);
    if (result.failure) return {url, result.failure->step, result.failure->message};
    RestFacts facts;
    if (Good(result) && ReadRoot(result.answer->body, facts)) return {url, ReachStep::kReached, ""};
    return {url, ReachStep::kHttp,
            fmt::format("HTTP {}, not as Kafka Connect answers", result.answer->status)};
  }

 private:
  HttpResult Get(const std::string& path) {
    return Exchange({"GET", settings_.url + path, "", settings_.timeout}, settings_);
  }

  RestSettings settings_;
};

}  // namespace

std::unique_ptr<RestClient> NewCurlRestClient(RestSettings settings) {
  return std::make_unique<CurlRestClient>(std::move(settings));
}

}  // namespace eos::worker
