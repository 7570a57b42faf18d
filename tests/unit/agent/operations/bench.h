// One operation on a simulated worker, with a ledger in memory.
#pragma once

#include "agent/operations/lease_book.h"
#include "agent/operations/ledger.h"
#include "agent/operations/machine.h"
#include "tests/fakes/fake_worker_host.h"
#include "tests/fakes/faulty_file_system.h"

namespace eos::operations {

struct Bench {
  fakes::FakeClock clock;
  fakes::FaultyFileSystem disk;
  Ledger ledger{disk, "state"};
  fakes::FakeWorkerHost host{clock};
  Status fence = OkStatus();

  explicit Bench(std::string file = "group.id=g\nexactly.once.source.support=disabled\n") {
    host.file = std::move(file);
    host.contents = {host.file};
  }

  OperationRecord Begin(std::optional<Mode> mode = Mode::kPreparing, DelayChange delay = DelayChange::kKeep,
                        bool restart = true) {
    OperationRecord record;
    record.request.id = "op-00000001";
    record.request.worker = "w1";
    record.request.expected_sha256 = Sha256Hex(host.file);
    record.request.mode = mode;
    record.request.delay = delay;
    record.request.temporary_delay = Millis{1'000};
    record.request.restart = restart;
    record.request.stop_limit = Millis{30'000};
    record.request.start_limit = Millis{60'000};
    record.accepted = record.updated = clock.Now();
    EXPECT_TRUE(ledger.WriteOperation(record).ok());
    return record;
  }

  // As the runner does. False: not finished within `limit` of simulated time.
  bool Carry(OperationRecord& record, Millis limit = Millis{600'000}) {
    World world{host, ledger, clock, [this] { return fence; }};
    Resume(record, world);
    const Millis end = clock.SinceBoot() + limit;
    while (clock.SinceBoot() < end) {
      const Next next = Advance(record, world);
      if (next == Next::kFinished) return true;
      if (next == Next::kWait) host.AwaitEvent(Millis{200});
    }
    return false;
  }
};

}  // namespace eos::operations
