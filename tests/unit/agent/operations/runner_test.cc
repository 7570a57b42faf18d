#include "agent/operations/runner.h"

#include <gmock/gmock.h>

#include <atomic>
#include <mutex>

#include "tests/fakes/await.h"
#include "tests/fakes/fake_worker_host.h"
#include "tests/fakes/faulty_file_system.h"

namespace eos::operations {
namespace {

using testing::HasSubstr;

constexpr char kSession[] = "aaaaaaaaaaaaaaaa";

class RunnerTest : public testing::Test {
 protected:
  RunnerTest() {
    host.file = "exactly.once.source.support=disabled\n";
    EXPECT_TRUE(leases.Acquire({"payments", kSession, "alice", "spiffe://x/y", Millis{600'000}, ""}).ok());
  }

  OperationRequest Request(const std::string& id) {
    OperationRequest request;
    request.id = id;
    request.worker = "w1";
    request.lease_session = kSession;
    request.lease_epoch = 1;
    request.expected_sha256 = Sha256Hex(file_at_first);
    request.mode = Mode::kPreparing;
    return request;
  }
  std::vector<DeskWorker> Workers() { return {{"w1", "payments", &host}}; }
  static bool Finished(Runner& runner, const std::string& id) {
    return fakes::Await([&] {
      const auto record = runner.Get(id);
      return record.ok() && record->finished() && runner.RunningOn("w1").empty();
    });
  }

  const std::string file_at_first = "exactly.once.source.support=disabled\n";
  fakes::FakeClock clock;
  fakes::FaultyFileSystem disk;
  Ledger ledger{disk, "state"};
  LeaseBook leases{ledger, clock, "boot"};
  fakes::FakeWorkerHost host{clock};
};

TEST_F(RunnerTest, CarriesOutAndTellsEveryStepInOrder) {
  Runner runner(ledger, leases, clock, Workers());
  std::mutex mutex;
  std::vector<OperationStep> steps;
  const int token = runner.Subscribe([&](const OperationRecord& record) {
    const std::lock_guard lock(mutex);
    steps.push_back(record.step);
  });
  ASSERT_TRUE(runner.Start(Request("op-00000001"), "spiffe://x/y").ok());
  ASSERT_TRUE(Finished(runner, "op-00000001"));
  runner.Unsubscribe(token);
  EXPECT_EQ(runner.Get("op-00000001")->outcome, OperationOutcome::kDone);
  const std::lock_guard lock(mutex);
  EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
  EXPECT_EQ(steps.back(), OperationStep::kFinished);
}

TEST_F(RunnerTest, T53_SameIdIsOneOperationAndAnotherIsRefusedAsBusy) {
  host.stop_hangs = true;
  Runner runner(ledger, leases, clock, Workers());
  ASSERT_TRUE(runner.Start(Request("op-00000001"), "x").ok());
  ASSERT_TRUE(runner.Start(Request("op-00000001"), "x").ok());
  const auto other = runner.Start(Request("op-00000002"), "x");
  EXPECT_EQ(ReasonOf(other.status()), Reason::kConflict);
  EXPECT_THAT(std::string(other.status().message()),
              testing::AllOf(HasSubstr("BUSY"), HasSubstr("op-00000001")));
  host.stop_hangs = false;
  ASSERT_TRUE(Finished(runner, "op-00000001"));
  EXPECT_EQ(host.jvm_starts, 1);
  EXPECT_EQ(runner.Start(Request("op-00000001"), "x")->outcome, OperationOutcome::kDone)
      << "asked again much later";
  EXPECT_EQ(host.jvm_starts, 1);
}

TEST_F(RunnerTest, SameIdWithOtherContentIsRefused) {
  Runner runner(ledger, leases, clock, Workers());
  ASSERT_TRUE(runner.Start(Request("op-00000001"), "x").ok());
  OperationRequest other = Request("op-00000001");
  other.mode = Mode::kEnabled;
  EXPECT_EQ(ReasonOf(runner.Start(other, "x").status()), Reason::kConflict);
  ASSERT_TRUE(Finished(runner, "op-00000001"));
}

TEST_F(RunnerTest, WithoutTheLeaseNothingIsRecorded) {
  Runner runner(ledger, leases, clock, Workers());
  OperationRequest request = Request("op-00000001");
  request.lease_epoch = 0;
  EXPECT_EQ(ReasonOf(runner.Start(request, "x").status()), Reason::kLeaseLost);
  EXPECT_EQ(ReasonOf(runner.Get("op-00000001").status()), Reason::kNotFound);
}

TEST_F(RunnerTest, UnknownWorkerAndBadRequestAreRefused) {
  Runner runner(ledger, leases, clock, Workers());
  OperationRequest request = Request("op-00000001");
  request.worker = "w9";
  EXPECT_EQ(ReasonOf(runner.Start(request, "x").status()), Reason::kNotFound);
  request = Request("x");
  EXPECT_EQ(ReasonOf(runner.Start(request, "x").status()), Reason::kInvalidArgument);
}

TEST_F(RunnerTest, SuccessorTakesUpWhatIsUnfinished) {
  host.stop_hangs = true;
  {
    Runner first(ledger, leases, clock, Workers());
    ASSERT_TRUE(first.Start(Request("op-00000001"), "x").ok());
    ASSERT_TRUE(fakes::Await([&] { return first.Get("op-00000001")->step == OperationStep::kStopping; }));
  }
  host.stop_hangs = false;
  Runner second(ledger, leases, clock, Workers());
  ASSERT_TRUE(second.Recover().ok());
  EXPECT_TRUE(Finished(second, "op-00000001"));
  EXPECT_EQ(second.Get("op-00000001")->outcome, OperationOutcome::kDone);
  EXPECT_EQ(host.jvm_starts, 1);
}

}  // namespace
}  // namespace eos::operations
