#include "controller/cli/main.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <iostream>

#include "controller/cli/commands.h"
#include "controller/cli/signals.h"

namespace eos::cli {
namespace {

fleet::StopFlag stop_requested = false;

ExitCode Run(const Options& options, Context& context) {
  if (options.command == "status") return Status(options, context);
  if (options.command == "workers") return Workers(options, context);
  if (options.command == "preflight") return Preflight(options, context);
  if (options.command == "verify") return Verify(options, context);
  if (options.command == "plan") return Plan(options, context);
  if (options.command == "unlock") return Unlock(options, context);
  return Apply(options, context);
}

}  // namespace

int Main(const std::vector<std::string>& arguments) {
  const auto parsed = ParseArguments(arguments);
  if (!parsed.ok()) {
    std::cerr << "eosctl: " << Render(parsed.status()) << "\n";
    return static_cast<int>(ExitCode::kUsage);
  }
  if (!parsed->run) {
    std::cout << parsed->text;
    return 0;
  }
  const Options& options = parsed->options;
  if (options.command == "completion") {
    std::cout << CompletionScript(options.shell);
    return 0;
  }
  spdlog::set_default_logger(spdlog::stderr_logger_mt("eosctl"));
  spdlog::set_level(options.verbose ? spdlog::level::debug : spdlog::level::off);
  StopOnSignal(stop_requested);
  const RealClock clock;
  const auto connections = Connections::Open(options.fleet_file, clock);
  if (!connections.ok()) {
    Complain(ProblemOf(connections.status()), options.json, std::cout, std::cerr);
    return static_cast<int>(Info(ReasonOf(connections.status())).exit_code);
  }
  Context context{(*connections)->inventory(),
                  (*connections)->Agents(),
                  (*connections)->observer(),
                  (*connections)->topics(),
                  clock,
                  std::cout,
                  std::cerr,
                  LookAtTerminal(STDOUT_FILENO),
                  stop_requested};
  return static_cast<int>(Run(options, context));
}

}  // namespace eos::cli
