#include "agent/service/command_manager.h"

#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "agent/service/run_command.h"

namespace eos::service {
namespace {

constexpr int kLsbNotRunning = 3;  // LSB core specification, init script actions

Status CheckProgram(const std::string& program) {
  const auto refuse = [&](const std::string& why, const std::string& fix) {
    return Err(Reason::kServiceNotFound, fmt::format("checking the command \"{}\": {}", program, why), fix);
  };
  if (program.empty() || program.front() != '/') {
    return refuse("it is not an absolute path", "write the whole path: nothing is searched for");
  }
  struct stat info {};
  if (stat(program.c_str(), &info) != 0)
    return refuse(std::strerror(errno), "correct the path in eos-agent's configuration");
  if (!S_ISREG(info.st_mode) || access(program.c_str(), X_OK) != 0) {
    return refuse("it cannot be run", fmt::format("run: chmod +x {}", program));
  }
  if ((info.st_mode & 0002U) != 0) {
    return refuse("everybody may write it, and we would run it", fmt::format("run: chmod o-w {}", program));
  }
  return OkStatus();
}

class CommandManager final : public ServiceManager {
 public:
  explicit CommandManager(CommandSettings settings) : settings_(std::move(settings)) {}

  StatusOr<ServiceFacts> Look() override {
    EOS_ASSIGN_OR_RETURN(const int status, RunCommand(settings_.status, settings_.limit));
    ServiceFacts facts;
    facts.state = status == 0                ? ServiceState::kRunning
                  : status == kLsbNotRunning ? ServiceState::kStopped
                                             : ServiceState::kUnknown;
    facts.detail = fmt::format("status command ended with {}", status);
    return facts;
  }

  StatusOr<std::optional<int>> MainPid() override { return std::optional<int>(); }
  Status RequestStop() override { return Run("stop", settings_.stop); }
  Status RequestStart() override { return Run("start", settings_.start); }
  Status RequestRestart() override {
    return Err(Reason::kInternal, "configured commands cannot restart as one job");
  }
  bool RestartsByItself() const override { return false; }

  Status Check() override {
    for (const auto* command : {&settings_.start, &settings_.stop, &settings_.status}) {
      EOS_RETURN_IF_ERROR(CheckProgram(command->empty() ? "" : command->front()));
    }
    return OkStatus();
  }

 private:
  Status Run(const char* what, const std::vector<std::string>& command) {
    EOS_ASSIGN_OR_RETURN(const int status, RunCommand(command, settings_.limit));
    if (status == 0) return OkStatus();
    return Err(
        Reason::kServiceFailed,
        fmt::format("running the {} command \"{}\": it ended with status {}", what, command.front(), status),
        "run it by hand as the user of eos-agent and read what it says");
  }

  const CommandSettings settings_;
};

}  // namespace

std::unique_ptr<ServiceManager> NewCommandManager(CommandSettings settings) {
  return std::make_unique<CommandManager>(std::move(settings));
}

}  // namespace eos::service
