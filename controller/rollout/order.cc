// Which phase the fleet is in, and whose turn it is.
#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "controller/rollout/decide.h"

namespace eos::rollout {
namespace {

using fleet::FleetView;
using fleet::Policy;
using fleet::RebalancePolicy;
using fleet::WorkerView;

// KAFKA-15693: below 3.7 a delay of 0 can lose assignments; one second is what was measured to be safe.
constexpr Millis kSafeDelayBefore37{1'000};

struct Phase {
  Mode mode{};
  bool last = false;                    // reaching its mode is reaching the goal
  std::vector<const WorkerView*> todo;  // whose JVM must be started in `mode`
};

bool Runs(const WorkerView& worker, Mode mode) { return worker.running.mode == mode; }

std::vector<const WorkerView*> NotRunning(const FleetView& view, std::initializer_list<Mode> modes) {
  std::vector<const WorkerView*> found;
  for (const WorkerView& worker : view.workers) {
    const bool runs_one = std::any_of(modes.begin(), modes.end(), [&](Mode m) { return Runs(worker, m); });
    if (!runs_one) found.push_back(&worker);
  }
  return found;
}

bool AnyRuns(const FleetView& view, Mode mode) {
  return std::any_of(view.workers.begin(), view.workers.end(),
                     [&](const WorkerView& w) { return Runs(w, mode); });
}

// KIP-618: preparing is the only way between the two others. A worker whose mode is not known may run any, so
// it is led to preparing, which is allowed beside both.
Phase PhaseOf(const FleetView& view, Mode target) {
  if (target == Mode::kPreparing) return {Mode::kPreparing, true, NotRunning(view, {Mode::kPreparing})};
  if (AnyRuns(view, Mode::kEnabled) && AnyRuns(view, Mode::kDisabled)) {
    // Not our doing. First those that would be left alone as soon as the mix is allowed again: everybody
    // passes through preparing.
    Phase phase{Mode::kPreparing, false, NotRunning(view, {Mode::kPreparing})};
    std::erase_if(phase.todo, [&](const WorkerView* w) { return !Runs(*w, target); });
    return phase;
  }
  if (auto todo = NotRunning(view, {Mode::kPreparing, target}); !todo.empty()) {
    return {Mode::kPreparing, false, std::move(todo)};
  }
  return {target, true, NotRunning(view, {target})};
}

bool Before37(const FleetView& view) {
  return std::any_of(view.workers.begin(), view.workers.end(), [](const WorkerView& w) {
    if (!w.facts.rest) return true;
    int major = 0;
    int minor = 0;
    if (std::sscanf(w.facts.rest->version.c_str(), "%d.%d", &major, &minor) != 2) return true;
    return major < 3 || (major == 3 && minor < 7);
  });
}

Millis TemporaryDelayFor(const FleetView& view, const Policy& policy) {
  return Before37(view) ? std::max(policy.temporary_delay, kSafeDelayBefore37) : policy.temporary_delay;
}

const WorkerView* Leader(const FleetView& view) {
  const auto found =
      std::find_if(view.workers.begin(), view.workers.end(), [](const auto& w) { return w.leader; });
  return found == view.workers.end() ? nullptr : &*found;
}

Step StepFor(const WorkerView& worker, const Phase& phase, const FleetView& view, const Policy& policy) {
  Step step;
  step.worker = worker.facts.name;
  step.agent = worker.agent;
  step.from = worker.running.mode;
  step.to = phase.mode;
  step.phase = phase.mode;
  if (phase.last) {
    if (worker.facts.temporary_delay) step.delay = DelayChange::kPutBack;
  } else if (policy.rebalance == RebalancePolicy::kFast) {
    const Millis temporary = TemporaryDelayFor(view, policy);
    const bool users_is_short = worker.facts.file && worker.facts.file->delay &&
                                !worker.facts.temporary_delay && *worker.facts.file->delay <= temporary;
    if (!users_is_short) {
      step.delay = DelayChange::kSetTemporary;
      step.temporary_delay = temporary;
    }
  }
  return step;
}

// A file that says something else than the JVM runs: at the next crash the worker would come back in another
// mode. Its file is set right without a restart, before anything else.
std::optional<Step> FileOnly(const FleetView& view, const Phase& phase) {
  for (const WorkerView& worker : view.workers) {
    if (!worker.facts.file || !worker.running.mode) continue;
    const bool has_turn = std::find(phase.todo.begin(), phase.todo.end(), &worker) != phase.todo.end();
    const auto file = worker.facts.file->mode;
    const bool dangerous =
        file && std::any_of(view.workers.begin(), view.workers.end(), [&](const WorkerView& w) {
          return w.running.mode && Forbidden(*w.running.mode, *file);
        });
    if (file == worker.running.mode || (has_turn && !dangerous)) continue;
    Step step;
    step.worker = worker.facts.name;
    step.agent = worker.agent;
    step.from = worker.running.mode;
    step.to = has_turn ? phase.mode : *worker.running.mode;
    step.phase = phase.mode;
    step.restart = false;
    step.why =
        fmt::format("its file says {} but it runs {}: a crash would bring it back in the wrong mode",
                    file ? ToString(*file) : "something Kafka refuses", ToString(*worker.running.mode));
    return step;
  }
  return std::nullopt;
}

// The rebalance delay is the leader's (facts: a non-leader's lost tasks wait for the leader's delay, a
// leader's are given out at once by its successor).
std::optional<Step> Restart(const FleetView& view, const Phase& phase, const Policy& policy) {
  if (phase.todo.empty()) return std::nullopt;
  const WorkerView* leader = Leader(view);
  const bool leader_has_turn =
      leader && std::find(phase.todo.begin(), phase.todo.end(), leader) != phase.todo.end();
  const Millis short_delay = TemporaryDelayFor(view, policy);
  const bool leader_is_fast = leader && leader->running_delay && *leader->running_delay <= short_delay;

  if (leader_has_turn && (!leader_is_fast || phase.todo.size() == 1)) {
    Step step = StepFor(*leader, phase, view, policy);
    step.why = leader_is_fast
                   ? "leads the group, so it comes last in this phase"
                   : "leads the group: its successor gives its tasks out at once, whatever the delay";
    return step;
  }
  const auto next =
      std::find_if(phase.todo.begin(), phase.todo.end(), [&](const auto* w) { return w != leader; });
  Step step = StepFor(**next, phase, view, policy);
  if (leader_is_fast) {
    step.why = fmt::format("does not lead: its tasks wait {} for the leader's delay, no longer",
                           FormatDuration(*leader->running_delay));
  } else if (leader && leader->running_delay) {
    step.why = fmt::format("does not lead: its tasks may wait {} for the leader's delay",
                           FormatDuration(*leader->running_delay));
  } else {
    step.why = "next in the inventory; who leads, or with which delay, is not known";
  }
  return step;
}

// S8: whoever still carries a temporary delay gets its own back when the modes are right.
std::optional<Step> PutBack(const FleetView& view, const Phase& phase) {
  const WorkerView* found = nullptr;
  for (const WorkerView& worker : view.workers) {
    if (worker.facts.temporary_delay && (!found || found->leader)) found = &worker;
  }
  if (!found) return std::nullopt;
  Step step;
  step.worker = found->facts.name;
  step.agent = found->agent;
  step.from = found->running.mode;
  step.to = phase.mode;
  step.phase = phase.mode;
  step.delay = DelayChange::kPutBack;
  step.restart = !found->running_delay || *found->running_delay == found->facts.temporary_delay->value;
  step.why = "an earlier rollout left a temporary rebalance delay here";
  return step;
}

}  // namespace

std::optional<Step> NextStep(const FleetView& view, const Goal& goal, const Policy& policy) {
  const Phase phase = PhaseOf(view, goal.target);
  if (auto step = FileOnly(view, phase)) return step;
  if (auto step = Restart(view, phase, policy)) return step;
  return PutBack(view, phase);
}

}  // namespace eos::rollout
