// What the properties of a systemd unit mean to us. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "common/model/worker_facts.h"

namespace eos::service {

// As org.freedesktop.systemd1(5) names them.
struct UnitProperties {
  std::string load_state;    // "loaded", "not-found", "masked"
  std::string active_state;  // "active", "reloading", "inactive", "failed", "activating", "deactivating"
  std::string sub_state;     // "running", "auto-restart", "dead", …
  std::string result;        // "success", "exit-code", "signal", "start-limit-hit", …
  int exec_main_code = 0;    // CLD_EXITED 1, CLD_KILLED 2
  int exec_main_status = 0;
  int main_pid = 0;
  uint64_t timeout_stop_usec = 0;
  bool need_daemon_reload = false;
  std::string restart;  // "no", "on-failure", "always", …
  bool success_has_143 = false;
};

ServiceFacts FactsOf(const UnitProperties& unit);

}  // namespace eos::service
