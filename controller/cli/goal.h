#pragma once

#include <string>

#include "controller/cli/options.h"
#include "controller/rollout/decide.h"

namespace eos::cli {

// What the options of plan and apply ask for, but for the deadline.
inline rollout::Goal GoalOf(const Options& options, const std::string& group_id) {
  rollout::Goal goal;
  goal.target = options.to;
  goal.group_id = group_id;
  goal.limit = options.limit;
  goal.canary = options.canary;
  goal.pause_between_phases = options.pause_between_phases;
  return goal;
}

}  // namespace eos::cli
