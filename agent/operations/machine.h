// The steps of an operation, one at a time. The same code runs in the agent's runner thread and in the simulation.
#pragma once

#include <functional>

#include "agent/operations/ledger.h"
#include "agent/operations/worker_host.h"
#include "common/base/clock.h"

namespace eos::operations {

// Everything that a step may touch.
struct World {
  WorkerHost& host;
  Ledger& ledger;
  const Clock& clock;
  std::function<Status()> may_act;  // the lease's fence; asked before the first irreversible step only
};

enum class Next { kAgain, kWait, kFinished };

// Takes `record` one step on. The record is on disk before the step that it names is carried out, so after a crash at
// any point calling this again with the record from the ledger finishes the rest and repeats nothing that shows:
// a file that is replaced already is recognised by its digest, a restart that happened by the process's identity.
// kWait: nothing to do until the world changes (WorkerHost::AwaitEvent).
Next Advance(OperationRecord& record, World& world);

}  // namespace eos::operations
