#include <nlohmann/json.hpp>

#include "controller/cli/commands.h"
#include "controller/report/json.h"
#include "controller/report/tables.h"

namespace eos::cli {

ExitCode Status(const Options& options, Context& context) {
  const fleet::FleetView view = context.observer.Observe();
  const auto findings = rollout::Preflight(view, context.inventory.policy);
  if (options.json) {
    context.out << report::Dump(report::StatusJson(view, context.inventory.fleet, findings));
  } else {
    context.out << report::StatusText(view, context.inventory.fleet, findings, context.terminal.colour);
  }
  return Reached(view);
}

}  // namespace eos::cli
