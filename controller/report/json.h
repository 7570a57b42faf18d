// The same values for programs. Names are stable; "format" tells which they are. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "controller/fleet/fleet_view.h"
#include "controller/rollout/decide.h"

namespace eos::report {

nlohmann::json ToJson(const Problem& problem);
nlohmann::json ToJson(const rollout::Finding& finding);
nlohmann::json ToJson(const rollout::Step& step);
nlohmann::json ToJson(const OperationRecord& record);
nlohmann::json ToJson(const fleet::WorkerView& worker);

nlohmann::json StatusJson(const fleet::FleetView& view, const std::string& fleet,
                          const std::vector<rollout::Finding>& findings);
nlohmann::json WorkersJson(const fleet::FleetView& view);
nlohmann::json PreflightJson(const std::vector<rollout::Finding>& findings);
nlohmann::json PlanJson(const rollout::Plan& plan, Mode target);
nlohmann::json ErrorJson(const Problem& problem);

// Two spaces of indent and a newline; bytes that are no UTF-8 are replaced.
std::string Dump(const nlohmann::json& json);
std::string DumpLine(const nlohmann::json& json);  // one line, with its newline

}  // namespace eos::report
