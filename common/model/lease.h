// The right to change a fleet, held at each of its agents.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/time.h"

namespace eos {

struct Lease {
  std::string fleet;
  std::string session;  // random, one for each run of a controller
  std::string holder;   // for people: "alice@jump1 pid 4711, eosctl apply"
  std::string caller;   // SAN of the certificate
  uint64_t epoch = 0;   // rises with every new session; never falls, not even over agent restarts
  Time granted;         // the agent's wall clock
  Millis remaining{};   // until it runs out, when this was told

  bool operator==(const Lease&) const = default;
};

}  // namespace eos
