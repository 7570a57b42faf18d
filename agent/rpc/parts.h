// What the service answers from.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agent/host/configured_worker.h"
#include "agent/operations/lease_book.h"
#include "agent/operations/ledger.h"
#include "agent/operations/runner.h"
#include "common/base/clock.h"
#include "common/model/host_report.h"

namespace eos::rpc {

// Nothing is owned; all of it outlives the server.
struct Parts {
  operations::Runner& runner;
  operations::LeaseBook& leases;
  operations::Ledger& ledger;
  const Clock& clock;
  std::vector<host::ConfiguredWorker*> workers;
  std::string boot_id;
  std::vector<Problem> problems;  // found at the start: damaged records
};

}  // namespace eos::rpc
