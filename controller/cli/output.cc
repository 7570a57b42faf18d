#include <algorithm>
#include <nlohmann/json.hpp>

#include "controller/cli/commands.h"
#include "controller/report/json.h"

namespace eos::cli {

void Complain(const Problem& problem, bool json, std::ostream& out, std::ostream& err) {
  if (json) {
    out << report::Dump(report::ErrorJson(problem));
  } else {
    err << "eosctl: " << Render(problem) << "\n";
  }
}

ExitCode Reached(const fleet::FleetView& view) {
  const bool all = std::all_of(view.agents.begin(), view.agents.end(),
                               [](const auto& agent) { return agent.facts.has_value(); });
  return all && view.group ? ExitCode::kDone : ExitCode::kUnreachable;
}

ExitCode CodeOf(const std::vector<rollout::Finding>& findings) {
  ExitCode code = ExitCode::kDone;
  for (const rollout::Finding& finding : findings) {
    if (finding.severity != rollout::Finding::Severity::kError || finding.may_pass) continue;
    if (Info(finding.problem.reason).exit_code != ExitCode::kUnreachable) return ExitCode::kRefused;
    code = ExitCode::kUnreachable;
  }
  return code;
}

}  // namespace eos::cli
