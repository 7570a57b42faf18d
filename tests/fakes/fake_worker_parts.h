// A worker's service manager, log and REST, scripted; for what composes them.
#pragma once

#include <string>
#include <vector>

#include "agent/service/service_manager.h"
#include "agent/worker/log_source.h"
#include "agent/worker/rest_client.h"

namespace eos::fakes {

class FakeService final : public service::ServiceManager {
 public:
  StatusOr<ServiceFacts> facts =
      ServiceFacts{ServiceState::kRunning, "running", std::nullopt, std::nullopt, {}};
  std::optional<int> main_pid;
  Status check = OkStatus();

  StatusOr<ServiceFacts> Look() override { return facts; }
  StatusOr<std::optional<int>> MainPid() override { return main_pid; }
  Status RequestStop() override { return OkStatus(); }
  Status RequestStart() override { return OkStatus(); }
  Status RequestRestart() override { return OkStatus(); }
  bool RestartsByItself() const override { return true; }
  Status Check() override { return check; }
};

class FakeLog final : public worker::LogSource {
 public:
  StatusOr<std::vector<std::string>> lines = std::vector<std::string>{};
  StatusOr<std::vector<std::string>> Tail(const ProcessFacts&, size_t) override { return lines; }
};

class FakeRest final : public worker::RestClient {
 public:
  RestFacts facts{true, "4.0.0", "cluster-a", Health::kHealthy, true};
  StatusOr<std::vector<ConnectorStatus>> connectors = std::vector<ConnectorStatus>{};
  std::vector<std::string> restarted;

  RestFacts Look() override { return facts; }
  bool Answers() override { return facts.answers; }
  StatusOr<std::vector<ConnectorStatus>> ListConnectors() override { return connectors; }
  StatusOr<ProbeAnswer> ProbeExactlyOnce(const std::string&) override {
    return ProbeAnswer{Probe::kCapable, "org.example.X", ""};
  }
  StatusOr<ConnectorSettings> DescribeConnector(const std::string&) override {
    ConnectorSettings settings;
    settings.connector_class = "org.example.X";
    settings.topics = {"orders"};
    return settings;
  }
  Status RestartFailedTasks(const std::string& connector) override {
    restarted.push_back(connector);
    return OkStatus();
  }
  Reachability Reach(const std::string& url) override { return {url, ReachStep::kReached, ""}; }
};

}  // namespace eos::fakes
