#include <algorithm>

#include "controller/rollout/decide.h"
#include "controller/rollout/gate.h"

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
  std::sort(keys.begin(), keys.end());
  return keys;
}

// Adds up the time in which tasks did not run. What was down at the last look counts as down until this one.
void NoteOutages(Timings& timings, const std::vector<TaskKey>& down, Time now) {
  std::map<TaskKey, Time> since;
  for (const TaskKey& key : down) {
    const auto known = timings.down_since.find(key);
    since[key] = known == timings.down_since.end() ? now : known->second;
  }
  if (timings.looked_at) {
    timings.task_time_lost += (now - *timings.looked_at) * static_cast<int>(timings.down_since.size());
  }
  for (const auto& [key, began] : timings.down_since) {
    timings.longest_outage = std::max(timings.longest_outage, now - began);
  }
  timings.down_since = std::move(since);
  timings.looked_at = now;
}

}  // namespace

History Note(History history, const fleet::FleetView& view, const fleet::Policy& policy, Time now) {
  if (!history.began) history.began = now;
  if (!history.ran_before && view.connectors) history.ran_before = ThatShouldRun(*view.connectors);
  if (view.group && view.group->stable()) history.placement = PlacementOf(view);
  if (view.connectors) NoteOutages(history.timings, TasksDown(view, history), now);
  const TaskCheck tasks = CheckTasks(view, history);
  if (Unmet(UnmetByGroup(view, history), tasks).empty()) {
    // A little less than the period, since observations are as far apart as the waiting was, not exactly the
    // period.
    const bool counts = !history.last_good || now - *history.last_good >= policy.observe_every * 9 / 10;
    if (counts || history.good_in_a_row == 0) {
      ++history.good_in_a_row;
      history.last_good = now;
    }
    if (history.good_in_a_row >= policy.good_observations && history.timings.acted_at) {
      history.timings.steps.push_back(now - *history.timings.acted_at);
      history.timings.acted_at.reset();
    }
    return history;
  }
  history.good_in_a_row = 0;
  const bool delayed = view.group && view.group->pending_delay() > Millis{0};
  if (!history.waiting_since || delayed || !history.under_way.empty()) history.waiting_since = now;
  return history;
}

}  // namespace eos::rollout
