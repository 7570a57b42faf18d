#include "controller/rollout/decide.h"

namespace eos::rollout {
namespace {

bool ShouldRun(TaskState state) {
  return state == TaskState::kRunning || state == TaskState::kUnassigned || state == TaskState::kRestarting;
}

// UNASSIGNED counts: a run that resumes in the midst of a rebalance must wait for it.
std::vector<TaskKey> ThatShouldRun(const std::vector<ConnectorStatus>& connectors) {
  std::vector<TaskKey> keys;
  for (const ConnectorStatus& connector : connectors) {
    if (ShouldRun(connector.state)) keys.push_back({connector.name, -1});
    for (const TaskStatus& task : connector.tasks) {
      if (ShouldRun(task.state)) keys.push_back({connector.name, task.id});
    }
  }
  return keys;
}

}  // namespace

History Note(History history, const fleet::FleetView& view, const fleet::Policy& policy, Time now) {
  if (!history.began) history.began = now;
  if (!history.ran_before && view.connectors) history.ran_before = ThatShouldRun(*view.connectors);
  if (UnmetConditions(view, history).empty()) {
    // A little less than the period, since observations are as far apart as the waiting was, not exactly the
    // period.
    const bool counts = !history.last_good || now - *history.last_good >= policy.observe_every * 9 / 10;
    if (counts || history.good_in_a_row == 0) {
      ++history.good_in_a_row;
      history.last_good = now;
    }
    return history;
  }
  history.good_in_a_row = 0;
  const bool delayed = view.group && view.group->pending_delay() > Millis{0};
  if (!history.waiting_since || delayed) history.waiting_since = now;
  return history;
}

}  // namespace eos::rollout
