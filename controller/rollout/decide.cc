#include "controller/rollout/decide.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "common/base/words.h"
#include "controller/rollout/gate.h"

namespace eos::rollout {
namespace {

using fleet::FleetView;
using fleet::Policy;

constexpr Millis kBetweenRepairs{10'000};  // Connect answers a restart before the new status is written

Decision Stop(Problem problem, std::vector<std::string> reasons) {
  Decision decision;
  decision.kind = DecisionKind::kStop;
  decision.problem = std::move(problem);
  decision.reasons = std::move(reasons);
  return decision;
}

Decision Pause(const std::string& why, const Goal& goal) {
  Decision decision;
  decision.kind = DecisionKind::kPause;
  decision.problem = Problem{
      Reason::kPaused, "paused: " + why,
      fmt::format("nothing is wrong; eosctl apply --to {} without the option that is named goes on from here",
                  ToString(goal.target))};
  decision.reasons = {why};
  return decision;
}

Decision Wait(std::vector<std::string> unmet) {
  Decision decision;
  decision.kind = DecisionKind::kWait;
  decision.reasons = unmet;
  decision.unmet = std::move(unmet);
  return decision;
}

// In mid-rollout a worker, an agent or Kafka may be away for a while: the gate waits for it, within its
// limit.
bool PassesInMidRollout(Reason reason) {
  return reason == Reason::kWorkerDown || reason == Reason::kUnreachable || reason == Reason::kTimeout ||
         reason == Reason::kModeUnknown || reason == Reason::kGroupUnreadable;
}

std::optional<Decision> Refusal(const FleetView& view, const Policy& policy, const History& history) {
  std::vector<std::string> reasons;
  std::optional<Problem> first;
  for (const Finding& finding : Preflight(view, policy)) {
    if (finding.severity != Finding::Severity::kError || finding.may_pass) continue;
    if (history.acted && PassesInMidRollout(finding.problem.reason)) continue;
    reasons.push_back(fmt::format("{}: {}", finding.object, finding.problem.message));
    if (!first) first = finding.problem;
  }
  if (!first) return std::nullopt;
  return Stop(*first, std::move(reasons));
}

std::string Join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

std::optional<Decision> OutOfTime(const Policy& policy, const History& history, Time now,
                                  const std::vector<std::string>& unmet) {
  const std::string missing = unmet.empty() ? std::string("steady for too short a time") : Join(unmet);
  if (history.began && now - *history.began > policy.whole_limit) {
    return Stop({Reason::kGateTimeout,
                 fmt::format("the rollout did not end within whole_limit, {}; now: {}",
                             FormatDuration(policy.whole_limit), missing),
                 "clear what is named, then run the same apply again: it goes on from here"},
                {"limit for the whole rollout"});
  }
  if (!unmet.empty() && history.waiting_since && now - *history.waiting_since > policy.worker_limit) {
    return Stop({Reason::kGateTimeout,
                 fmt::format("the gate before the next step did not open within worker_limit, {}: {}",
                             FormatDuration(policy.worker_limit), missing),
                 "clear what is named, then run the same apply again: it goes on from here"},
                {"limit for one worker"});
  }
  return std::nullopt;
}

const ConnectorStatus* Find(const FleetView& view, const std::string& name) {
  for (const ConnectorStatus& connector : *view.connectors) {
    if (connector.name == name) return &connector;
  }
  return nullptr;
}

Problem ExplainFailure(const FleetView& view, const Goal& goal, const TaskKey& key) {
  const ConnectorStatus& connector = *Find(view, key.connector);
  FailureKind kind = connector.failure;
  std::string classes;
  for (const TaskStatus& task : connector.tasks) {
    if (task.id != key.task) continue;
    kind = task.failure;
    for (const std::string& name : task.exceptions)
      classes += (classes.empty() ? "" : ", ") + Printable(name);
  }
  const std::string what = key.task < 0 ? fmt::format("connector \"{}\"", Printable(key.connector))
                                        : fmt::format("task \"{}-{}\"", Printable(key.connector), key.task);
  Problem problem{Reason::kTaskFailed,
                  fmt::format("{} ran before this rollout and is FAILED for {}{}", what, ToString(kind),
                              classes.empty() ? "" : " (" + classes + ")"),
                  {}};
  if (kind == FailureKind::kAuthorization) {
    const std::string id =
        fmt::format("{}-{}-{}", goal.group_id, Printable(key.connector), std::max(key.task, 0));
    problem.fix = fmt::format(
        "grant the worker's principal Write and Describe on transactional id \"{}\" (kafka-acls --add "
        "--transactional-id {} --operation Write --operation Describe --allow-principal …), then run apply "
        "again; "
        "the workers need not be rolled back",
        id, id);
  } else {
    problem.fix = fmt::format(
        "read the trace: GET /connectors/{}/status on any worker; clear its cause, restart the "
        "task, then run apply again",
        Printable(key.connector));
  }
  return problem;
}

// Something FAILED that a restart of the task heals, once the group is still.
std::optional<Decision> Repair(const Policy& policy, const History& history, Time now,
                               const TaskCheck& tasks) {
  for (const std::string& name : tasks.fenced) {
    const auto last = history.repaired.find(name);
    if (last != history.repaired.end() && now - last->second < kBetweenRepairs) continue;  // under way
    const auto count = history.task_restarts.find(name);
    if (count != history.task_restarts.end() && count->second >= policy.task_restarts) {
      return Stop(
          {Reason::kTaskFailed,
           fmt::format("tasks of connector \"{}\" are FAILED by fencing again after {} restarts",
                       Printable(name), count->second),
           "see whether every worker can reach every other's REST (eosctl preflight), then run apply again"},
          {"bounded restarts are used up"});
    }
    Decision decision;
    decision.kind = DecisionKind::kRepair;
    decision.repair_connector = name;
    decision.reasons = {
        fmt::format("tasks of \"{}\" are FAILED by fencing, which Connect never retries", Printable(name))};
    return decision;
  }
  return std::nullopt;
}

// A file that this run wrote and that says something else now: somebody works against the rollout.
std::optional<Decision> ForeignChange(const FleetView& view, const History& history) {
  for (const auto& worker : view.workers) {
    const auto written = history.written.find(worker.facts.name);
    if (written == history.written.end() || !worker.facts.file ||
        worker.facts.file->sha256 == written->second)
      continue;
    if (worker.facts.file->mode == worker.running.mode) continue;
    if (!worker.facts.running_operation.empty() || history.under_way.contains(worker.facts.name)) continue;
    return Stop(
        {Reason::kForeignChange,
         fmt::format(
             "the properties file of worker \"{}\" was changed by somebody after this rollout wrote it, "
             "and says another mode than the worker runs",
             worker.facts.name),
         fmt::format(
             "stop what manages that file (configuration management?) or give it the new value of {}, "
             "then run apply again",
             kModeKey)},
        {"two hands on one file"});
  }
  return std::nullopt;
}

// Would the next step end too late, going by the longest that this run has seen?
std::optional<std::string> BeforeDeadline(const Goal& goal, const History& history, Time now) {
  if (!goal.deadline) return std::nullopt;
  const auto& steps = history.timings.steps;
  const Millis longest = steps.empty() ? Millis{0} : *std::max_element(steps.begin(), steps.end());
  if (now + longest < *goal.deadline) return std::nullopt;
  if (longest == Millis{0}) return fmt::format("the deadline, {}, is reached", FormatUtc(*goal.deadline));
  return fmt::format("the deadline is {}, and the longest step so far took {}", FormatUtc(*goal.deadline),
                     FormatDuration(longest));
}

}  // namespace

Decision Decide(const FleetView& view, const Goal& goal, const Policy& policy, const History& history,
                Time now) {
  if (auto refusal = Refusal(view, policy, history)) return *refusal;
  // In mid-rollout the agent of a worker may only be away.
  if (auto unknown = UnknownLimit(view, goal); unknown && !history.acted) {
    return Stop(*std::move(unknown), {"a name that is not known"});
  }
  if (auto foreign = ForeignChange(view, history)) return *foreign;

  const std::vector<std::string> by_group = UnmetByGroup(view, history);
  const TaskCheck tasks = CheckTasks(view, history);
  const std::vector<std::string> unmet = Unmet(by_group, tasks);
  if (auto late = OutOfTime(policy, history, now, unmet)) return *late;

  if (by_group.empty()) {
    if (auto repair = Repair(policy, history, now, tasks)) return *repair;
    if (!tasks.failed_for_cause.empty()) {
      return Stop(ExplainFailure(view, goal, tasks.failed_for_cause.front()), {Standing(view)});
    }
  }
  if (!unmet.empty()) return Wait(unmet);
  if (history.good_in_a_row < policy.good_observations) {
    return Wait({fmt::format("all is well; seen so {} of {} times in a row", history.good_in_a_row,
                             policy.good_observations)});
  }

  Turn turn = NextTurn(view, goal, policy);
  if (!turn.pause.empty()) return Pause(turn.pause, goal);
  Decision decision;
  if (turn.steps.empty()) {
    decision.kind = DecisionKind::kDone;
    decision.reasons = {Standing(view)};
    return decision;
  }
  if (auto closing = BeforeDeadline(goal, history, now)) return Pause(*closing, goal);
  decision.kind = DecisionKind::kAct;
  for (const Step& step : turn.steps) decision.reasons.push_back(step.why);
  decision.steps = std::move(turn.steps);
  return decision;
}

}  // namespace eos::rollout
