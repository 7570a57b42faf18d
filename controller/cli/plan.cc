#include <algorithm>
#include <nlohmann/json.hpp>

#include "controller/cli/commands.h"
#include "controller/cli/goal.h"
#include "controller/report/json.h"
#include "controller/report/tables.h"

namespace eos::cli {

ExitCode Plan(const Options& options, Context& context) {
  const fleet::FleetView view = context.observer.Observe();
  rollout::Plan plan =
      rollout::MakePlan(view, GoalOf(options, context.inventory.group_id), context.inventory.policy);
  const ExitCode refused = CodeOf(plan.findings);
  if (options.json) {
    context.out << report::Dump(report::PlanJson(plan, options.to));
  } else if (refused == ExitCode::kDone) {
    context.out << report::PlanText(plan, options.to, options.explain, context.terminal.colour);
  } else {
    std::erase_if(plan.findings,
                  [](const auto& f) { return f.severity != rollout::Finding::Severity::kError; });
    context.err << "eosctl: no plan, since apply would refuse:\n"
                << report::FindingsText(plan.findings, context.terminal.colour);
  }
  if (refused != ExitCode::kDone) return refused;
  if (!plan.steps.empty()) return ExitCode::kChangesPending;
  return plan.pause.empty() ? ExitCode::kDone : ExitCode::kPaused;
}

}  // namespace eos::cli
