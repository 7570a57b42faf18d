// The steps of an operation, one at a time. The same code runs in the agent's runner thread and in the
// simulation.
#pragma once

#include <functional>
#include <optional>

#include "agent/operations/ledger.h"
#include "agent/operations/worker_host.h"
#include "common/base/clock.h"

namespace eos::operations {

// What one process remembers of an operation beside its record. After a crash it begins empty: limits count
// anew, and a request that was made already is made again where that does no harm.
struct Progress {
  Millis step_began{};               // boot clock
  Millis start_began{};              // boot clock: when the old process was gone
  bool requested = false;            // the service manager was asked what this step asks of it
  Millis requested_at{};             // boot clock
  Time requested_wall{};             // for the log's time stamps
  std::optional<Millis> dead_since;  // boot clock: the service is down though a start was asked for
  std::optional<Millis> unrecorded;  // boot clock: when the ledger last refused the operation's end
  int deaths = 0;                    // of new processes, for no cause that is known
};

// Everything that a step may touch.
struct World {
  WorkerHost& host;
  Ledger& ledger;
  const Clock& clock;
  std::function<Status()> may_act;  // the lease's fence; asked before the first irreversible step only
  Progress progress{};
};

enum class Next { kAgain, kWait, kFinished };

// Takes `record` one step on. The record is on disk before the step that it names is carried out, so after a
// crash at any point calling this again with the record from the ledger finishes the rest and repeats nothing
// that shows: a file that is replaced already is recognised by its digest, a restart that happened by the
// process's identity. kWait: nothing to do until the world changes (WorkerHost::AwaitEvent).
//
// S7: once a stop was asked for, every path asks for a start. An old process that does not go within the stop
// limit is waited for beyond it, with the problem in the record, since whoever gave up here would leave the
// worker down when it goes at last. A disk that takes no records ends an operation only before its first
// irreversible step.
Next Advance(OperationRecord& record, World& world);

// The same for a record that a new process found unfinished in the ledger. Call once before Advance.
void Resume(const OperationRecord& record, World& world);

}  // namespace eos::operations
