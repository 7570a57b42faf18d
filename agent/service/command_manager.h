// A service that is started, stopped and looked at by configured commands.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agent/service/service_manager.h"
#include "common/base/time.h"

namespace eos::service {

// Argument vectors; the first is an absolute path. They run without a shell, with PATH and LANG only, input
// from /dev/null, output dropped (it may hold secrets).
struct CommandSettings {
  std::vector<std::string> start;   // starts it in the background and returns; running already: status 0
  std::vector<std::string> stop;    // asks it to stop and returns; stopped already: status 0
  std::vector<std::string> status;  // status 0: running; 3: stopped (LSB); anything else: not known
  Millis limit{30'000};             // of each; then its process group is killed
};

std::unique_ptr<ServiceManager> NewCommandManager(CommandSettings settings);

}  // namespace eos::service
