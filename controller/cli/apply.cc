#include <fcntl.h>
#include <pwd.h>
#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

#include "controller/cli/commands.h"
#include "controller/cli/deadline.h"
#include "controller/cli/goal.h"
#include "controller/report/events.h"
#include "controller/report/json.h"
#include "controller/report/live.h"
#include "controller/report/tables.h"
#include "controller/rollout/executor.h"

namespace eos::cli {
namespace {

std::string NewSession() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

std::string Holder() {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  const passwd* user = getpwuid(getuid());
  return fmt::format("{}@{} (pid {}, eosctl apply)", user ? user->pw_name : std::to_string(getuid()), host,
                     getpid());
}

// Appends lines to a file of mode 0600, each in one write.
class EventFile {
 public:
  static StatusOr<EventFile> Open(const std::string& path) {
    EventFile file;
    if (path.empty()) return file;
    file.fd_ =
        path == "-" ? STDOUT_FILENO : open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file.fd_ >= 0) return file;
    return Err(Reason::kUsage, fmt::format("opening the events file \"{}\": {}", path, std::strerror(errno)),
               "name a file that can be written: --events FILE");
  }
  void Write(const std::string& line) const {
    if (fd_ < 0) return;
    const ssize_t written = write(fd_, line.data(), line.size());
    static_cast<void>(written);  // a full disk must not stop a rollout
  }

 private:
  int fd_ = -1;
};

}  // namespace

ExitCode Apply(const Options& options, Context& context) {
  const auto events = EventFile::Open(options.events);
  if (!events.ok()) {
    Complain(ProblemOf(events.status()), options.json, context.out, context.err);
    return ExitCode::kUsage;
  }
  rollout::Goal goal = GoalOf(options, context.inventory.group_id);
  if (!options.deadline.empty()) {
    const auto deadline = ParseDeadline(options.deadline, context.clock.Now());
    if (!deadline.ok()) {
      Complain(ProblemOf(deadline.status()), options.json, context.out, context.err);
      return ExitCode::kUsage;
    }
    goal.deadline = *deadline;
  }
  const bool quiet = options.json || options.events == "-";
  report::LiveView view(options.to, context.terminal.colour);
  Screen screen(context.out);
  const auto on_event = [&](const rollout::Event& event) {
    events->Write(report::EventLine(event));
    if (quiet) return;
    if (context.terminal.live) {
      if (context.stop) screen.Leave();  // "stopping" was printed below the last picture
      screen.Draw(view.Picture(event));
    } else {
      context.out << view.Line(event) << std::flush;
    }
  };
  fleet::Threads threads;
  const rollout::Outcome outcome =
      rollout::Apply(goal, context.inventory, {context.agents, context.observer, context.clock, threads},
                     {NewSession(), Holder(), options.take_over}, on_event, context.stop);
  screen.Leave();
  int restarts = 0;
  for (const auto& [worker, count] : outcome.history.restarts) restarts += count;
  if (options.json) {
    nlohmann::json json = report::StatusJson(outcome.last_view, context.inventory.fleet, {});
    json["format"] = "connect-eos/apply/1";
    json["to"] = ToString(options.to);
    json["exit_code"] = static_cast<int>(outcome.code);
    json["took_ms"] = outcome.took.count();
    json["restarts"] = outcome.history.restarts;
    json["task_ms_lost"] = outcome.history.timings.task_time_lost.count();
    json["longest_outage_ms"] = outcome.history.timings.longest_outage.count();
    if (outcome.problem) json["error"] = report::ToJson(*outcome.problem);
    context.out << report::Dump(json);
    return outcome.code;
  }
  if (outcome.problem) {
    context.err << "eosctl: " << Render(*outcome.problem) << "\n";
    return outcome.code;
  }
  if (!quiet) {
    context.out << fmt::format("done in {}: {}, {} restart{}\n", FormatDuration(outcome.took),
                               rollout::Standing(outcome.last_view), restarts, restarts == 1 ? "" : "s");
    if (restarts > 0) {
      context.out << fmt::format(
          "tasks lost {:.0f} task-seconds in all, none longer than {} (as seen every {} or so)\n",
          static_cast<double>(outcome.history.timings.task_time_lost.count()) / 1000,
          FormatDuration(outcome.history.timings.longest_outage),
          FormatDuration(context.inventory.policy.observe_every));
    }
  }
  return outcome.code;
}

}  // namespace eos::cli
