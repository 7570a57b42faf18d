// What eosctl says to people, from the values that everything else is decided on. Pure.
#pragma once

#include <string>

#include "controller/fleet/fleet_view.h"
#include "controller/report/text_table.h"
#include "controller/rollout/decide.h"

namespace eos::report {

// Is exactly-once in force, for whom, since when. `since`: the start of the last worker that got to enabled,
// by its host's clock; absent unless every worker, and no stranger, runs enabled.
struct Guarantee {
  bool in_force = false;
  std::optional<Time> since;
  std::string why;
};
Guarantee GuaranteeOf(const fleet::FleetView& view);

std::string StatusText(const fleet::FleetView& view, const std::string& fleet,
                       const std::vector<rollout::Finding>& findings, bool colour);
std::string WorkersTable(const fleet::FleetView& view, bool wide, bool colour);
std::string FindingsText(const std::vector<rollout::Finding>& findings, bool colour);
std::string PlanText(const rollout::Plan& plan, Mode target, bool explain, bool colour);

// "disabled", "preparing → enabled" where the file differs from what runs, "?" where nothing tells.
std::string ModeText(const fleet::WorkerView& worker);

}  // namespace eos::report
