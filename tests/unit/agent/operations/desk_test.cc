#include "agent/operations/desk.h"

#include <gmock/gmock.h>

#include "tests/fakes/fake_worker_host.h"
#include "tests/fakes/faulty_file_system.h"

namespace eos::operations {
namespace {

constexpr char kSession[] = "aaaaaaaaaaaaaaaa";

class DeskTest : public testing::Test {
 protected:
  DeskTest() {
    host.file = "exactly.once.source.support=disabled\n";
    EXPECT_TRUE(leases.Acquire({"payments", kSession, "alice", "spiffe://x/y", Millis{600'000}, ""}).ok());
  }

  OperationRequest Request() {
    OperationRequest request;
    request.id = "op-00000001";
    request.worker = "w1";
    request.lease_session = kSession;
    request.lease_epoch = 1;
    request.expected_sha256 = Sha256Hex(host.file);
    request.mode = Mode::kPreparing;
    return request;
  }

  fakes::FakeClock clock;
  fakes::FaultyFileSystem disk;
  Ledger ledger{disk, "state"};
  LeaseBook leases{ledger, clock, "boot"};
  fakes::FakeWorkerHost host{clock};
  Desk desk{ledger, leases, clock, {{"w1", "payments", &host}}};
};

TEST_F(DeskTest, OneJobAtATimeUntilItIsLeft) {
  EXPECT_FALSE(desk.Take("w1"));
  ASSERT_TRUE(desk.Start(Request(), "alice").ok());
  EXPECT_EQ(desk.RunningOn("w1"), "op-00000001");
  auto job = desk.Take("w1");
  ASSERT_TRUE(job);
  EXPECT_FALSE(desk.Take("w1"));
  EXPECT_EQ(desk.RunningOn("w1"), "op-00000001");
  desk.Leave(*job);
  EXPECT_EQ(desk.RunningOn("w1"), "");
}

TEST_F(DeskTest, EndThatCouldNotBeRecordedIsToldAllTheSame) {
  ASSERT_TRUE(desk.Start(Request(), "alice").ok());
  auto job = desk.Take("w1");
  ASSERT_TRUE(job);
  disk.fault = [](int) { return fakes::FaultyFileSystem::Fault::kFail; };
  bool told = false;
  ASSERT_EQ(desk.Advance(*job, told), Next::kFinished) << "it cannot keep the old bytes";
  EXPECT_TRUE(told);
  desk.Leave(*job);
  EXPECT_TRUE(desk.Get("op-00000001")->finished()) << "whatever the ledger still says";
  EXPECT_EQ(desk.Get("op-00000001")->problem->reason, Reason::kStorageFailed);
}

}  // namespace
}  // namespace eos::operations
