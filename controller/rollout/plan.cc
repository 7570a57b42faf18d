#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "controller/rollout/decide.h"

namespace eos::rollout {
namespace {

// The view as the step leaves it when all goes well.
void Carry(fleet::FleetView& view, const Step& step) {
  const auto worker = std::find_if(view.workers.begin(), view.workers.end(),
                                   [&](const auto& w) { return w.facts.name == step.worker; });
  WorkerFacts& facts = worker->facts;
  if (!facts.file) facts.file.emplace();
  facts.file->mode = step.to;
  if (step.delay == DelayChange::kSetTemporary) {
    if (!facts.temporary_delay)
      facts.temporary_delay = TemporaryDelay{step.temporary_delay, std::nullopt, view.at};
  } else if (step.delay == DelayChange::kPutBack) {
    facts.temporary_delay.reset();
  }
  if (!step.restart) return;
  worker->running.mode = step.to;
  if (step.delay == DelayChange::kSetTemporary) {
    worker->running_delay = step.temporary_delay;
  } else if (step.delay == DelayChange::kPutBack) {
    worker->running_delay = Millis{kDefaultDelayMs};  // at least not the short one
  }
  if (!worker->leader) return;
  const auto heir =
      std::find_if(view.workers.begin(), view.workers.end(), [&](const auto& w) { return !w.leader; });
  if (heir == view.workers.end()) return;
  worker->leader = false;
  heir->leader = true;
}

// Expected from one restart, summed over the tasks that the worker has on average: they stop with it and are
// given out again, at once by a leader's successor, else after the leader's delay; later as many move back to
// it. Two to four seconds each time is what was seen with light connectors on three workers of Kafka 4.0.0.
constexpr Millis kMove{3'000};

Millis CostOf(const Step& step, const fleet::FleetView& view) {
  if (!step.restart || !view.connectors || view.workers.empty()) return Millis{0};
  size_t tasks = 0;
  for (const ConnectorStatus& connector : *view.connectors) tasks += connector.tasks.size();
  const auto leader =
      std::find_if(view.workers.begin(), view.workers.end(), [](const auto& w) { return w.leader; });
  Millis delay{kDefaultDelayMs};
  if (leader != view.workers.end()) {
    delay = leader->facts.name == step.worker ? Millis{0} : leader->running_delay.value_or(delay);
  }
  return (delay + 2 * kMove) * static_cast<int>(tasks) / static_cast<int>(view.workers.size());
}

void Explain(const Plan& plan, const Goal& goal, const fleet::Policy& policy,
             std::vector<std::string>& lines) {
  const auto restarts =
      std::count_if(plan.steps.begin(), plan.steps.end(), [](const Step& s) { return s.restart; });
  std::vector<Mode> phases;
  bool temporary = false;
  for (const Step& step : plan.steps) {
    if (phases.empty() || phases.back() != step.phase) phases.push_back(step.phase);
    temporary |= step.delay == DelayChange::kSetTemporary;
  }
  lines.push_back(fmt::format("{} restart{} in {} phase{} to {}", restarts, restarts == 1 ? "" : "s",
                              phases.size(), phases.size() == 1 ? "" : "s", ToString(goal.target)));
  lines.push_back(
      fmt::format("{} at a time; before each: every worker up and in the group, no rebalance "
                  "pending, every task that ran runs again on a live member, seen {} times in a row",
                  policy.max_unavailable == 1 ? std::string("one worker")
                                              : fmt::format("at most {} workers", policy.max_unavailable),
                  policy.good_observations));
  lines.push_back(
      fmt::format("rebalance strategy: {}; expected cost: about {:.0f} task-seconds with light connectors",
                  policy.rebalance == fleet::RebalancePolicy::kFast ? "fast" : "keep-user-delay",
                  static_cast<double>(plan.task_time.count()) / 1000));
  if (temporary) {
    lines.push_back(
        fmt::format("the same edits carry a temporary {} and put the old value back, at the latest when all "
                    "modes are right; "
                    "a JVM that is not restarted after that runs with the short one until its next restart",
                    kDelayKey));
  }
  if (!plan.pause.empty()) lines.push_back("apply pauses there: " + plan.pause);
  lines.push_back("the order follows who leads the group at each step: apply looks again before each");
}

}  // namespace

Plan MakePlan(const fleet::FleetView& view, const Goal& goal, const fleet::Policy& policy) {
  Plan plan;
  plan.findings = Preflight(view, policy);
  if (auto unknown = UnknownLimit(view, goal)) {
    plan.findings.push_back({Finding::Severity::kError, "--limit", *std::move(unknown), false});
    return plan;
  }
  fleet::FleetView simulated = view;
  // Each worker takes at most: a file set right, two restarts through a mix that is not allowed, one into the
  // target, a delay put back.
  const size_t most = view.workers.size() * 5;
  int batch = 0;
  while (plan.steps.size() < most) {
    Turn turn = NextTurn(simulated, goal, policy);
    plan.pause = std::move(turn.pause);
    if (turn.steps.empty()) break;
    ++batch;
    for (Step& step : turn.steps) {
      step.batch = batch;
      plan.task_time += CostOf(step, simulated);
    }
    for (Step& step : turn.steps) {
      Carry(simulated, step);
      plan.steps.push_back(std::move(step));
    }
  }
  if (!plan.steps.empty()) Explain(plan, goal, policy, plan.explanations);
  return plan;
}

std::optional<Forecast> ForecastOf(const Plan& left, const History& history) {
  const Timings& timings = history.timings;
  if (timings.steps.empty()) return std::nullopt;
  Forecast forecast;
  for (const Step& step : left.steps) forecast.restarts += step.restart ? 1 : 0;
  const auto taken = static_cast<int>(timings.steps.size());
  Millis sum{};
  for (const Millis step : timings.steps) sum += step;
  const int batches = left.steps.empty() ? 0 : left.steps.back().batch;
  forecast.time = sum / taken * batches;
  forecast.task_time = timings.task_time_lost / taken * batches;
  return forecast;
}

}  // namespace eos::rollout
