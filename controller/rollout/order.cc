// Which phase the fleet is in, and whose turn it is.
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdio>

#include "common/base/words.h"
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

bool Contains(const std::vector<const WorkerView*>& workers, const WorkerView* worker) {
  return std::find(workers.begin(), workers.end(), worker) != workers.end();
}

Step StepOf(const WorkerView& worker, const Phase& phase) {
  Step step;
  step.worker = worker.facts.name;
  step.agent = worker.agent;
  step.from = worker.running.mode;
  step.to = phase.mode;
  step.phase = phase.mode;
  if (worker.facts.file) step.file_sha256 = worker.facts.file->sha256;
  return step;
}

// `may_lead`: this worker may lead while others are restarted after it, so it should carry the short delay.
Step RestartOf(const WorkerView& worker, const Phase& phase, bool may_lead, const FleetView& view,
               const Policy& policy) {
  Step step = StepOf(worker, phase);
  if (!may_lead) {
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
    const bool has_turn = Contains(phase.todo, &worker);
    const auto file = worker.facts.file->mode;
    const bool dangerous =
        file && std::any_of(view.workers.begin(), view.workers.end(), [&](const WorkerView& w) {
          return w.running.mode && Forbidden(*w.running.mode, *file);
        });
    if (file == worker.running.mode || (has_turn && !dangerous)) continue;
    Step step = StepOf(worker, phase);
    step.to = has_turn ? phase.mode : *worker.running.mode;
    step.restart = false;
    step.why =
        fmt::format("its file says {} but it runs {}: a crash would bring it back in the wrong mode",
                    file ? ToString(*file) : "something Kafka refuses", ToString(*worker.running.mode));
    return step;
  }
  return std::nullopt;
}

std::string WhyAsNonLeader(const WorkerView* leader, bool leader_is_fast) {
  if (leader_is_fast) {
    return fmt::format("does not lead: its tasks wait {} for the leader's delay, no longer",
                       FormatDuration(*leader->running_delay));
  }
  if (leader && leader->running_delay) {
    return fmt::format("does not lead: its tasks may wait {} for the leader's delay",
                       FormatDuration(*leader->running_delay));
  }
  return "next in the inventory; who leads, or with which delay, is not known";
}

// The rebalance delay is the leader's (KIP-415, IncrementalCooperativeAssignor): a non-leader's lost tasks
// wait for the leader's delay, a leader's are given out at once by its successor. The leader always goes
// alone: starting a task needs it.
// `allowed`: those of the phase that this run may restart.
std::vector<Step> Restarts(const FleetView& view, const Phase& phase,
                           const std::vector<const WorkerView*>& allowed, size_t most, const Policy& policy) {
  if (allowed.empty()) return {};
  const WorkerView* leader = Leader(view);
  const bool leader_has_turn = leader && Contains(allowed, leader);
  const Millis short_delay = TemporaryDelayFor(view, policy);
  const bool leader_is_fast = leader && leader->running_delay && *leader->running_delay <= short_delay;

  if (leader_has_turn && (!leader_is_fast || allowed.size() == 1)) {
    // In the last phase too it carries the short delay while others are still to come: it may lead again.
    const bool others_follow = phase.todo.size() > 1;
    Step step = RestartOf(*leader, phase, !phase.last || others_follow, view, policy);
    step.why = leader_is_fast
                   ? "leads the group, so it comes last in this phase"
                   : "leads the group: its successor gives its tasks out at once, whatever the delay";
    return {step};
  }
  std::vector<Step> steps;
  for (const WorkerView* worker : allowed) {
    if (worker == leader) continue;
    if (steps.size() == most) break;
    steps.push_back(RestartOf(*worker, phase, !phase.last, view, policy));
    steps.back().why = WhyAsNonLeader(leader, leader_is_fast);
  }
  return steps;
}

// S8: whoever still carries a temporary delay gets its own back when the modes are right. In the file alone:
// the delay matters to a leader only, and is no reason to take a worker down.
std::optional<Step> PutBack(const FleetView& view, const Phase& phase) {
  for (const WorkerView& worker : view.workers) {
    if (!worker.facts.temporary_delay) continue;
    Step step = StepOf(worker, phase);
    step.delay = DelayChange::kPutBack;
    step.restart = false;
    step.why = "its file still holds the temporary rebalance delay; the user's own comes back";
    return step;
  }
  return std::nullopt;
}

bool Allowed(const std::string& worker, const Goal& goal) {
  return goal.limit.empty() || std::find(goal.limit.begin(), goal.limit.end(), worker) != goal.limit.end();
}

std::vector<const WorkerView*> Allowed(std::vector<const WorkerView*> workers, const Goal& goal) {
  std::erase_if(workers, [&](const WorkerView* w) { return !Allowed(w->facts.name, goal); });
  return workers;
}

// A change of a file alone, if --limit lets it.
Turn OneFile(Step step, const Goal& goal) {
  if (Allowed(step.worker, goal)) return {{std::move(step)}, {}};
  return {{}, fmt::format("worker \"{}\" is outside --limit, and {}", Printable(step.worker), step.why)};
}

std::string Names(const std::vector<const WorkerView*>& workers) {
  constexpr size_t kMost = 5;
  std::string text;
  for (size_t i = 0; i < workers.size() && i < kMost; ++i) {
    text += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", Printable(workers[i]->facts.name));
  }
  if (workers.size() > kMost) text += fmt::format(" and {} more", workers.size() - kMost);
  return text;
}

// Goal's limits: why this run goes no further in this phase; empty: it may.
std::string PauseOf(const FleetView& view, const Phase& phase, const Goal& goal) {
  if (phase.todo.empty()) return {};
  if (goal.pause_between_phases && phase.last && phase.todo.size() == view.workers.size() &&
      goal.target != Mode::kPreparing) {
    return fmt::format(
        "all workers run preparing, and the next phase, to {}, waits as asked "
        "(--pause-between-phases)",
        ToString(phase.mode));
  }
  if (Allowed(phase.todo, goal).empty()) {
    return fmt::format("the workers of --limit are done with the phase to {}; still to go: {}",
                       ToString(phase.mode), Names(phase.todo));
  }
  const size_t done = view.workers.size() - phase.todo.size();
  if (goal.canary > 0 && done >= static_cast<size_t>(goal.canary)) {
    return fmt::format("{} of {} workers run {} (--canary {})", done, view.workers.size(),
                       ToString(phase.mode), goal.canary);
  }
  return {};
}

size_t AtOnce(const FleetView& view, const Phase& phase, const Goal& goal, const Policy& policy) {
  // Somebody stays to run the tasks, whatever the policy says.
  const size_t others = view.workers.size() > 1 ? view.workers.size() - 1 : 1;
  size_t most = std::min(static_cast<size_t>(std::max(policy.max_unavailable, 1)), others);
  if (goal.canary > 0) {
    const size_t done = view.workers.size() - phase.todo.size();
    most = std::min(most, static_cast<size_t>(goal.canary) - done);
  }
  return most;
}

}  // namespace

std::optional<Problem> UnknownLimit(const FleetView& view, const Goal& goal) {
  for (const std::string& name : goal.limit) {
    if (view.Find(name)) continue;
    return Problem{Reason::kNotFound,
                   fmt::format("--limit names \"{}\", which is no worker of this fleet", Printable(name)),
                   "see their names: eosctl workers"};
  }
  return std::nullopt;
}

Turn NextTurn(const FleetView& view, const Goal& goal, const Policy& policy) {
  const Phase phase = PhaseOf(view, goal.target);
  if (auto step = FileOnly(view, phase)) return OneFile(*std::move(step), goal);
  if (std::string pause = PauseOf(view, phase, goal); !pause.empty()) return {{}, std::move(pause)};
  auto steps = Restarts(view, phase, Allowed(phase.todo, goal), AtOnce(view, phase, goal, policy), policy);
  if (!steps.empty()) return {std::move(steps), {}};
  if (auto step = PutBack(view, phase)) return OneFile(*std::move(step), goal);
  return {};
}

}  // namespace eos::rollout
