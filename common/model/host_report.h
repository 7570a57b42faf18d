// All that one agent tells at one moment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/time.h"
#include "common/model/lease.h"
#include "common/model/worker_facts.h"

namespace eos {

// Of the protocol in proto/eos/agent/v1. A controller refuses an agent of another number, naming both.
inline constexpr int kProtocolVersion = 1;

struct AgentFacts {
  std::string host;     // gethostname(2)
  std::string version;  // of the program
  int protocol = 0;
  std::string boot_id;
  Time clock;  // the host's wall clock when it answered
  Time certificate_not_after;
  std::vector<Lease> leases;
  std::vector<Problem> problems;  // damaged ledger, certificate about to expire, …

  bool operator==(const AgentFacts&) const = default;
};

struct HostReport {
  AgentFacts agent;
  std::vector<WorkerFacts> workers;

  bool operator==(const HostReport&) const = default;
};

}  // namespace eos
