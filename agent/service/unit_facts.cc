#include "agent/service/unit_facts.h"

#include <spdlog/fmt/fmt.h>

namespace eos::service {
namespace {

constexpr int kExited = 1;  // CLD_EXITED of wait(2)

ServiceState StateOf(const UnitProperties& unit) {
  if (unit.active_state == "active" || unit.active_state == "reloading") return ServiceState::kRunning;
  if (unit.active_state == "activating") return ServiceState::kStarting;  // auto-restart among them
  if (unit.active_state == "deactivating") return ServiceState::kStopping;
  if (unit.active_state == "inactive") return ServiceState::kStopped;
  if (unit.active_state == "failed") return ServiceState::kFailed;
  return ServiceState::kUnknown;
}

}  // namespace

ServiceFacts FactsOf(const UnitProperties& unit) {
  ServiceFacts facts;
  facts.state = StateOf(unit);
  facts.detail = fmt::format("{}/{}", unit.active_state, unit.sub_state);
  if (!unit.result.empty() && unit.result != "success") facts.detail += fmt::format(" ({})", unit.result);
  if (unit.main_pid == 0 && unit.exec_main_code == kExited) facts.exit_status = unit.exec_main_status;
  constexpr uint64_t kInfinity = ~uint64_t{0};
  if (unit.timeout_stop_usec != kInfinity)
    facts.stop_limit = Millis{static_cast<int64_t>(unit.timeout_stop_usec / 1000)};
  if (unit.need_daemon_reload) {
    facts.warnings.emplace_back("the unit file changed on disk: run systemctl daemon-reload");
  }
  if (!unit.success_has_143) {
    facts.warnings.emplace_back(
        "SuccessExitStatus= lacks 143, with which a JVM ends on SIGTERM: each stop leaves the unit failed");
  }
  if (unit.restart == "no" || unit.restart.empty()) {
    facts.warnings.emplace_back("Restart=no: systemd does not bring a crashed worker back");
  }
  return facts;
}

}  // namespace eos::service
