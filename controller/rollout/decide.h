// The planner: what to do next, from what is true now. Pure: no clock, no I/O, no logging.
//
// `plan`, `apply`, `status` and reports all say what this function says. It is level-triggered: whatever happened
// before, the next decision follows from the view, so running `apply` again resumes, retries and repairs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/time.h"
#include "common/model/operation.h"
#include "controller/fleet/fleet_view.h"
#include "controller/fleet/inventory.h"

namespace eos::rollout {

struct Goal {
  Mode target = Mode::kEnabled;
};

// A task that ran when this run began: it must run again on a live member before the next step.
struct TaskKey {
  std::string connector;
  int task = -1;  // -1: the connector itself

  auto operator<=>(const TaskKey&) const = default;
};

// What this run remembers. Nothing here is needed for safety; a new run starts with an empty one.
struct History {
  std::optional<Time> began;
  std::optional<std::vector<TaskKey>> ran_before;  // snapshot from the first view in which connectors were known
  int good_in_a_row = 0;                    // observations with the gate's conditions all met
  std::optional<Time> waiting_since;        // of the gate that is shut now
  bool acted = false;                       // at least one action was carried out by this run
  std::map<std::string, int> task_restarts;  // by connector
  std::map<std::string, int> restarts;       // by worker, for reports
  std::map<std::string, ProcessFacts> processes;  // as last seen or as our own operation made it
};

// One line of a plan.
struct Step {
  std::string worker;
  std::string agent;
  std::optional<Mode> from;  // running mode now
  Mode to{};
  DelayChange delay = DelayChange::kKeep;
  Millis temporary_delay{};
  bool restart = true;
  std::string why;
};

enum class DecisionKind { kAct, kRepair, kWait, kDone, kStop };

struct Decision {
  DecisionKind kind = DecisionKind::kStop;
  std::optional<Step> step;         // kAct
  std::string file_sha256;          // kAct: digest that the step was decided on
  std::string repair_connector;     // kRepair: restart its failed tasks
  std::vector<std::string> unmet;   // kWait: the gate's conditions that are not met
  std::optional<Problem> problem;   // kStop: which gate, why, what to do. kWait: none
  std::vector<std::string> reasons;  // why this and not something else, most important first
};

Decision Decide(const fleet::FleetView& view, const Goal& goal, const fleet::Policy& policy, const History& history,
                Time now);

// What the run remembers after it has seen `view`.
History Note(History history, const fleet::FleetView& view, const fleet::Policy& policy, Time now);

// The conditions of the gate that `view` does not meet, in words; empty: open for this one observation.
std::vector<std::string> UnmetConditions(const fleet::FleetView& view, const History& history);

// Everything that stands in the way before anything is changed, worst first.
struct Finding {
  enum class Severity { kError, kWarning, kInfo } severity = Severity::kError;
  std::string object;  // worker, agent, connector or "group"
  Problem problem;
};
std::vector<Finding> Preflight(const fleet::FleetView& view, const Goal& goal, const fleet::Policy& policy);

// All steps that Decide would take if everything went well, in their order. Simulates Decide on the view.
struct Plan {
  std::vector<Step> steps;
  std::vector<std::string> explanations;  // one or more lines for --explain
  std::vector<Finding> findings;
};
Plan MakePlan(const fleet::FleetView& view, const Goal& goal, const fleet::Policy& policy, Time now);

}  // namespace eos::rollout
