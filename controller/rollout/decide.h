// The planner: what to do next, from what is true now. Pure: no clock, no I/O, no logging.
//
// `plan`, `apply`, `status` and reports all say what this function says. It is level-triggered: whatever
// happened before, the next decision follows from the view, so running `apply` again resumes, retries and
// repairs.
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
  std::string group_id;  // for messages only

  // How far this run may go. Each is a state that follows from what is true now, so the same command again
  // ends in the same place, and the command without it goes on.
  // Names of the only workers to change; empty: all. The barrier counts all.
  std::vector<std::string> limit{};
  int canary = 0;                     // pause once so many workers of a phase are done; 0: no such pause
  bool pause_between_phases = false;  // pause when all run preparing and the next phase would begin
  std::optional<Time> deadline{};     // begin nothing that would not be over by then
};

// A task that ran when this run began: it must run again on a live member before the next step.
struct TaskKey {
  std::string connector;
  int task = -1;  // -1: the connector itself

  auto operator<=>(const TaskKey&) const = default;
};

// What ran where when the group was last Stable.
struct Placement {
  std::map<std::string, ProcessFacts, std::less<>> live;                 // members' processes by worker id
  std::map<std::string, std::vector<std::string>, std::less<>> holders;  // worker ids by what they hold
};

// What this run's restarts took, as seen at each observation: no finer than policy.observe_every.
struct Timings {
  std::optional<Time> acted_at;        // of the step whose gate has not opened yet
  std::vector<Millis> steps;           // from an act to the opening of the gate after it
  std::optional<Time> looked_at;       // the last observation in which tasks were known
  std::map<TaskKey, Time> down_since;  // tasks that should run and do not
  Millis task_time_lost{};             // summed over all tasks
  Millis longest_outage{};             // of one task
};

// What this run remembers. Nothing here is needed for safety; a new run starts with an empty one.
struct History {
  std::optional<Time> began;
  std::optional<std::vector<TaskKey>> ran_before;  // should run, sorted: see Note
  int good_in_a_row = 0;                           // observations with the gate's conditions all met
  std::optional<Time> last_good;                   // the last of those that counted
  std::optional<Time> waiting_since;               // of the gate that is shut now
  bool acted = false;                              // at least one operation was started by this run
  std::map<std::string, int> task_restarts;        // by connector
  std::map<std::string, Time> repaired;            // by connector: the last of those
  std::map<std::string, int> restarts;             // by worker: how often this run had it restarted
  std::map<std::string, std::string> old_member;   // by worker: member id that its restart made obsolete
  std::map<std::string, std::string> written;      // by worker: digest of the file as this run left it
  std::map<std::string, std::string> under_way;    // by worker: id of the operation that this run waits for
  Placement placement;                             // of the last Stable group
  Timings timings;
};

// One line of a plan.
struct Step {
  std::string worker;
  std::string agent;
  std::optional<Mode> from;  // running mode now
  Mode to{};
  Mode phase{};  // mode of the rolling restart that this is part of
  DelayChange delay = DelayChange::kKeep;
  Millis temporary_delay{};
  bool restart = true;
  std::string file_sha256;  // digest of the file that the step was decided on; empty where it is not known
  int batch = 0;            // steps of one number are taken at the same time
  std::string why;
};

enum class DecisionKind {
  kAct,
  kRepair,
  kWait,
  kDone,
  kPause,  // this run may go no further (Goal's limits); the fleet is healthy
  kStop,
};

struct Decision {
  DecisionKind kind = DecisionKind::kStop;
  std::vector<Step> steps;           // kAct: to be taken at the same time; policy.max_unavailable at most
  std::string repair_connector;      // kRepair: restart its failed tasks
  std::vector<std::string> unmet;    // kWait: the gate's conditions that are not met
  std::optional<Problem> problem;    // kStop: which gate, why, what to do. kPause: why, how to go on
  std::vector<std::string> reasons;  // why this and not something else, most important first
};

Decision Decide(const fleet::FleetView& view, const Goal& goal, const fleet::Policy& policy,
                const History& history, Time now);

// What the run remembers after it has seen `view`. The first view in which connectors are known fixes which
// tasks must run before each next step: all but those that are PAUSED, STOPPED or FAILED then. Observations
// nearer to each other than policy.observe_every count as one. While a rebalance delay is pending, or an
// operation is under way, the gate's limit starts anew.
History Note(History history, const fleet::FleetView& view, const fleet::Policy& policy, Time now);

// The conditions of the gate that `view` does not meet, in words; empty: open for this one observation.
std::vector<std::string> UnmetConditions(const fleet::FleetView& view, const History& history);

// Everything that stands in the way before anything is changed, worst first.
struct Finding {
  enum class Severity { kError, kWarning, kInfo } severity = Severity::kError;
  std::string object;  // worker, agent, connector or "group"
  Problem problem;
  bool may_pass = false;  // an error that waiting alone may end: apply waits for it within its limits
};
std::vector<Finding> Preflight(const fleet::FleetView& view, const fleet::Policy& policy);

// A name in Goal's limit that no worker of the fleet has: kNotFound.
std::optional<Problem> UnknownLimit(const fleet::FleetView& view, const Goal& goal);

// Whose turn it is if every gate is open. Neither steps nor a pause: the goal is reached.
struct Turn {
  std::vector<Step> steps;
  std::string pause;  // why nobody's: one of Goal's limits
};
Turn NextTurn(const fleet::FleetView& view, const Goal& goal, const fleet::Policy& policy);

// One sentence on who runs what: "1 of 3 workers runs preparing, 2 run disabled: a mix that Kafka allows".
std::string Standing(const fleet::FleetView& view);

// All steps in their order, if everything goes well: NextTurn on the view as each step leaves it. Who leads
// after a leader's restart is Kafka's choice; the plan assumes the first of the others, apply looks.
struct Plan {
  std::vector<Step> steps;
  std::string pause;                      // where Goal's limits end it before the goal; empty: they do not
  Millis task_time{};                     // expected sum over all tasks of the time that they do not run
  std::vector<std::string> explanations;  // one or more lines for --explain
  std::vector<Finding> findings;
};
Plan MakePlan(const fleet::FleetView& view, const Goal& goal, const fleet::Policy& policy);

// What is left, from what this run's own steps took. Nothing before the first of them has ended.
struct Forecast {
  int restarts = 0;  // left
  Millis time{};
  Millis task_time{};
};
std::optional<Forecast> ForecastOf(const Plan& left, const History& history);

}  // namespace eos::rollout
