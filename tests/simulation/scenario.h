// One seed: a fleet, operators, faults; then quiet, in which apply must bring the fleet to its goal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace eos::simulation {

struct Result {
  bool failed = false;
  std::string rule;  // "S1" … "S8", "converge", "done" or "bug"
  std::string what;
  std::vector<std::string> story;  // where it was asked for
  int restarts = 0;
  int runs = 0;  // of eosctl apply
  int workers = 0;
  int faults = 0;
};

Result RunSeed(uint64_t seed, bool with_story);

}  // namespace eos::simulation
