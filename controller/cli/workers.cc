#include <nlohmann/json.hpp>

#include "controller/cli/commands.h"
#include "controller/report/json.h"
#include "controller/report/tables.h"

namespace eos::cli {

ExitCode Workers(const Options& options, Context& context) {
  const fleet::FleetView view = context.observer.Observe();
  if (options.json) {
    context.out << report::Dump(report::WorkersJson(view));
  } else {
    context.out << report::WorkersTable(view, true, context.terminal.colour);
  }
  return Reached(view);
}

}  // namespace eos::cli
