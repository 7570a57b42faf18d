// Carries out what Decide says: the only place that changes anything.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "common/base/clock.h"
#include "controller/fleet/agent_client.h"
#include "controller/fleet/background.h"
#include "controller/fleet/observer.h"
#include "controller/rollout/decide.h"

namespace eos::rollout {

// Something to tell: for the live table, for NDJSON, for a journal. Plain values only.
struct Event {
  enum class Kind { kLease, kObserved, kDecided, kOperation, kRepaired, kEnded } kind = Kind::kObserved;
  Time at;
  const fleet::FleetView* view = nullptr;      // as last observed; valid during the call
  const Decision* decision = nullptr;          // kDecided
  const OperationRecord* operation = nullptr;  // kOperation: at each step
  std::string text;                            // one line for people
  std::optional<Problem> problem;
};

struct Outcome {
  ExitCode code = ExitCode::kDone;
  std::optional<Problem> problem;
  fleet::FleetView last_view;
  History history;
  Millis took{};
};

struct Caller {
  std::string session;    // random
  std::string holder;     // "alice@jump1 (pid 4711)"
  std::string take_over;  // session whose lease to take; empty: nobody's
};

// What a run works with. Nothing in it is owned.
struct Means {
  std::map<std::string, fleet::AgentClient*> agents;  // by name
  fleet::FleetObserver& observer;
  const Clock& clock;
  fleet::Background& background;
};

// Blocks until the goal is reached, a gate stops the rollout, or `stop` is set (then: finishes watching
// nothing, starts nothing new, says where things stand; kInterrupted). `on_event` runs on this thread.
Outcome Apply(const Goal& goal, const fleet::Inventory& inventory, const Means& means, const Caller& caller,
              const std::function<void(const Event&)>& on_event, const fleet::StopFlag& stop);

}  // namespace eos::rollout
