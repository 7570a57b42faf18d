#include "controller/report/events.h"

#include <nlohmann/json.hpp>

#include "controller/report/json.h"

namespace eos::report {

using nlohmann::json;
using rollout::DecisionKind;
using rollout::Event;

namespace {

const char* NameOf(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::kLease:
      return "lease";
    case Event::Kind::kObserved:
      return "observed";
    case Event::Kind::kDecided:
      return "decided";
    case Event::Kind::kOperation:
      return "operation";
    case Event::Kind::kRepaired:
      return "repaired";
    case Event::Kind::kEnded:
      return "ended";
  }
  return "?";
}

const char* NameOf(DecisionKind kind) {
  switch (kind) {
    case DecisionKind::kAct:
      return "act";
    case DecisionKind::kRepair:
      return "repair";
    case DecisionKind::kWait:
      return "wait";
    case DecisionKind::kDone:
      return "done";
    case DecisionKind::kPause:
      return "pause";
    case DecisionKind::kStop:
      return "stop";
  }
  return "?";
}

json DecisionJson(const rollout::Decision& decision) {
  json j{{"kind", NameOf(decision.kind)}, {"reasons", decision.reasons}};
  for (const rollout::Step& step : decision.steps) j["steps"].push_back(ToJson(step));
  if (!decision.repair_connector.empty()) j["connector"] = decision.repair_connector;
  if (!decision.unmet.empty()) j["unmet"] = decision.unmet;
  if (decision.problem) j["problem"] = ToJson(*decision.problem);
  return j;
}

json ObservedJson(const fleet::FleetView& view) {
  json workers = json::array();
  for (const auto& worker : view.workers) {
    workers.push_back(
        {{"name", worker.facts.name},
         {"running_mode", worker.running.mode ? json(ToString(*worker.running.mode)) : json(nullptr)},
         {"leader", worker.leader},
         {"member", worker.member}});
  }
  return workers;
}

}  // namespace

std::string EventLine(const Event& event) {
  json j{{"format", "connect-eos/event/1"},
         {"at", FormatUtc(event.at)},
         {"kind", NameOf(event.kind)},
         {"text", event.text}};
  if (event.kind == Event::Kind::kObserved && event.view) j["workers"] = ObservedJson(*event.view);
  if (event.decision) j["decision"] = DecisionJson(*event.decision);
  if (event.operation) j["operation"] = ToJson(*event.operation);
  if (event.problem) j["problem"] = ToJson(*event.problem);
  return DumpLine(j);
}

}  // namespace eos::report
