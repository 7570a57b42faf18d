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
      fmt::format("one worker at a time; before each: every worker up and in the group, no rebalance "
                  "pending, every task that ran runs again on a live member, seen {} times in a row",
                  policy.good_observations));
  if (temporary) {
    lines.push_back(fmt::format(
        "the same edits carry a temporary {} and put the old value back in the last phase", kDelayKey));
  }
  lines.push_back("the order follows who leads the group at each step: apply looks again before each");
}

}  // namespace

Plan MakePlan(const fleet::FleetView& view, const Goal& goal, const fleet::Policy& policy) {
  Plan plan;
  plan.findings = Preflight(view, policy);
  fleet::FleetView simulated = view;
  // Each worker takes at most: a file set right, two restarts through a mix that is not allowed, one into the
  // target, a delay put back.
  const size_t most = view.workers.size() * 5;
  while (plan.steps.size() < most) {
    auto step = NextStep(simulated, goal, policy);
    if (!step) break;
    Carry(simulated, *step);
    plan.steps.push_back(*std::move(step));
  }
  if (!plan.steps.empty()) Explain(plan, goal, policy, plan.explanations);
  return plan;
}

}  // namespace eos::rollout
