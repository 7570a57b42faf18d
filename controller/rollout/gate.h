// What the tasks say, for the gate and for repairs. Pure.
#pragma once

#include <string>
#include <vector>

#include "controller/rollout/decide.h"

namespace eos::rollout {

// The tasks that ought to run, against what is told of them.
struct TaskCheck {
  std::vector<std::string> unmet;         // not yet as they should be, in words
  std::vector<std::string> fenced;        // connectors with something FAILED that a restart heals
  std::vector<TaskKey> failed_for_cause;  // of `history.ran_before` only
};
TaskCheck CheckTasks(const fleet::FleetView& view, const History& history);

// Where things run, as a Stable group tells it.
Placement PlacementOf(const fleet::FleetView& view);

// Those of `history.ran_before` that do not run, for whatever cause; connectors themselves are left out.
// While the group rebalances Kafka tells no assignment, but what is not revoked goes on running (KIP-415):
// then the last placement counts, for members whose process is still the same.
std::vector<TaskKey> TasksDown(const fleet::FleetView& view, const History& history);

// Does a restart of the task heal this? A fencing that met a leader on its way out (never retried by
// Connect), or a producer fenced by its own successor.
bool HealsByRestart(FailureKind kind);

// The conditions on processes and group alone; empty: all met.
std::vector<std::string> UnmetByGroup(const fleet::FleetView& view, const History& history);

// Both together, in words; empty: the gate is open for this one observation.
std::vector<std::string> Unmet(const std::vector<std::string>& by_group, const TaskCheck& tasks);

}  // namespace eos::rollout
