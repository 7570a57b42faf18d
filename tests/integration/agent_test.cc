// Every call of the service, through the real client.
#include <thread>

#include "common/wire/translate.h"
#include "eos/agent/v1/agent.pb.h"
#include "tests/fakes/await.h"
#include "tests/integration/served_agent.h"

namespace eos {
namespace {

using testing::HasSubstr;

class AgentTest : public ServedAgent {
 protected:
  void SetUp() override {
    ASSERT_TRUE(Serve(pki.Issue({.name = "agent"})).ok());
    client = Client(Operator());
  }
  uint64_t Lease() { return client->AcquireLease("payments", kSession, "alice", Millis{600'000}, "")->epoch; }

  std::unique_ptr<fleet::AgentClient> client;
  const fleet::StopFlag go_on = false;
};

TEST_F(AgentTest, ObserveTellsTheHostAndT23NoOtherValueOfTheFile) {
  const auto report = client->Observe("payments");
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->agent.protocol, kProtocolVersion);
  ASSERT_EQ(report->workers.size(), 1U);
  EXPECT_EQ(report->workers[0].file->mode, Mode::kDisabled);
  EXPECT_GT(report->agent.certificate_not_after, real_clock.Now());
  EXPECT_THAT(client->Observe("other")->workers, testing::IsEmpty());
  const std::string wire =
      wire::ToWire(report->workers[0]).SerializeAsString() + wire::ToWire(report->agent).SerializeAsString();
  EXPECT_EQ(wire.find("Tr0ub4dor"), std::string::npos);
}

TEST_F(AgentTest, TwoWorkersOfTwoFleetsOnOneHostAreToldApart) {
  EXPECT_EQ(client->Observe("")->workers.size(), 2U);
  ASSERT_EQ(client->Observe("orders")->workers.size(), 1U);
  EXPECT_EQ(client->Observe("orders")->workers[0].name, "w2");
  EXPECT_EQ(client->Observe("orders")->workers[0].file->mode, Mode::kEnabled);
  OperationRequest request = Request("op-00000001", Lease());
  request.worker = "w2";
  EXPECT_EQ(ReasonOf(client->StartOperation(request).status()), Reason::kLeaseLost)
      << "the lease is another fleet's";
  EXPECT_EQ(client->AcquireLease("orders", "bbbbbbbbbbbbbbbb", "bob", Millis{30'000}, "")->epoch, 1U)
      << "each fleet has its own";
}

TEST_F(AgentTest, LeaseIsGrantedRenewedRefusedAndReleased) {
  EXPECT_FALSE(client->GetLease("payments")->has_value());
  EXPECT_EQ(Lease(), 1U);
  EXPECT_EQ(Lease(), 1U);
  EXPECT_EQ((*client->GetLease("payments"))->caller, "spiffe://test/operator/alice");
  const auto bob = Client(Operator("bob"));
  const auto second = bob->AcquireLease("payments", "bbbbbbbbbbbbbbbb", "bob", Millis{30'000}, "");
  EXPECT_EQ(ReasonOf(second.status()), Reason::kLeaseHeld);
  EXPECT_THAT(std::string(second.status().message()), HasSubstr("alice"));
  EXPECT_TRUE(client->ReleaseLease("payments", kSession).ok());
  EXPECT_EQ(bob->AcquireLease("payments", "bbbbbbbbbbbbbbbb", "bob", Millis{30'000}, "")->epoch, 2U);
  EXPECT_EQ(ReasonOf(client->AcquireLease("nofleet", kSession, "a", Millis{30'000}, "").status()),
            Reason::kNotFound);
}

TEST_F(AgentTest, OperationIsRecordedCarriedOutAndWatched) {
  const OperationRequest request = Request("op-00000001", Lease());
  ASSERT_TRUE(client->StartOperation(request).ok());
  std::vector<OperationStep> steps;
  const auto record = client->WatchOperation(
      request.id, Millis{20'000}, [&](const OperationRecord& r) { steps.push_back(r.step); }, go_on);
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_EQ(record->outcome, OperationOutcome::kDone);
  EXPECT_EQ(record->caller, "spiffe://test/operator/alice");
  EXPECT_EQ(steps.back(), OperationStep::kFinished);
  EXPECT_TRUE(client->StartOperation(request).ok()) << "the same id again is the same operation";
  EXPECT_EQ(simulated.jvm_starts, 1);
  EXPECT_EQ(client->GetOperation(request.id)->outcome, OperationOutcome::kDone);
  EXPECT_TRUE(client
                  ->WatchOperation(
                      request.id, Millis{20'000}, [](const auto&) {}, go_on)
                  ->finished());
}

TEST_F(AgentTest, T53_OtherIdIsBusyAndOtherContentIsAConflict) {
  simulated.stop_hangs = true;
  OperationRequest request = Request("op-00000001", Lease());
  ASSERT_TRUE(client->StartOperation(request).ok());
  EXPECT_THAT(std::string(client->StartOperation(Request("op-00000002", 1)).status().message()),
              HasSubstr("BUSY"));
  request.mode = Mode::kEnabled;
  EXPECT_EQ(ReasonOf(client->StartOperation(request).status()), Reason::kConflict);
  simulated.stop_hangs = false;
  EXPECT_TRUE(client
                  ->WatchOperation(
                      "op-00000001", Millis{20'000}, [](const auto&) {}, go_on)
                  ->finished());
}

TEST_F(AgentTest, OperationOfAFencedControllerIsRefused) {
  const uint64_t old = Lease();
  ASSERT_TRUE(client->AcquireLease("payments", "bbbbbbbbbbbbbbbb", "bob", Millis{30'000}, kSession).ok());
  EXPECT_EQ(ReasonOf(client->StartOperation(Request("op-00000001", old)).status()), Reason::kLeaseLost);
  EXPECT_EQ(ReasonOf(client->RestartFailedTasks("w1", "orders", kSession, old)), Reason::kLeaseLost);
}

TEST_F(AgentTest, UnknownThingsAreNotFound) {
  EXPECT_EQ(ReasonOf(client->GetOperation("op-00000009").status()), Reason::kNotFound);
  EXPECT_EQ(ReasonOf(client
                         ->WatchOperation(
                             "op-00000009", Millis{1'000}, [](const auto&) {}, go_on)
                         .status()),
            Reason::kNotFound);
  EXPECT_EQ(ReasonOf(client->ListConnectors("w9").status()), Reason::kNotFound);
  OperationRequest request = Request("op-00000001", Lease());
  request.worker = "w9";
  EXPECT_EQ(ReasonOf(client->StartOperation(request).status()), Reason::kNotFound);
}

TEST_F(AgentTest, HostileNamesNeverBecomePaths) {
  for (const std::string id : {"../../../../etc/passwd", "", "a/b", "..", "op-0000000\n"}) {
    EXPECT_EQ(ReasonOf(client->GetOperation(id).status()), Reason::kInvalidArgument) << id;
  }
  EXPECT_EQ(ReasonOf(client->StartOperation(Request("../x-000001", Lease())).status()),
            Reason::kInvalidArgument);
}

TEST_F(AgentTest, QuestionsToTheWorkersRest) {
  ConnectorStatus orders;
  orders.name = "orders";
  orders.tasks = {{0, TaskState::kFailed, "c1:8083", FailureKind::kFencing, {"a.BException"}}};
  rest->connectors = std::vector<ConnectorStatus>{orders};
  EXPECT_EQ(client->ListConnectors("w1")->front(), orders);
  EXPECT_EQ(client->ProbeExactlyOnce("w1", "orders")->result, Probe::kCapable);
  EXPECT_TRUE(client->RestartFailedTasks("w1", "orders", kSession, Lease()).ok());
  EXPECT_THAT(rest->restarted, testing::ElementsAre("orders"));
  const auto reach = client->CheckReachability("w1", {"http://c2:8083", "http://c3:8083"});
  ASSERT_EQ(reach->size(), 2U);
  EXPECT_EQ((*reach)[1].url, "http://c3:8083");
}

TEST_F(AgentTest, ReportsComeAtOnceAndOnChange) {
  std::atomic<int> reports = 0;
  fleet::StopFlag stop = false;
  std::optional<Mode> last;
  std::mutex mutex;
  std::thread watcher([&] {
    const Status ended = client->WatchReports(
        "payments", Millis{60'000},
        [&](const HostReport& report) {
          const std::lock_guard lock(mutex);
          last = report.workers.at(0).file->mode;
          ++reports;
        },
        stop);
    EXPECT_EQ(ReasonOf(ended), Reason::kInterrupted);
  });
  EXPECT_TRUE(fakes::Await([&] { return reports >= 1; }));
  dir.Write("w1.properties", "exactly.once.source.support=enabled\n");
  EXPECT_TRUE(fakes::Await([&] {
    const std::lock_guard lock(mutex);
    return last == Mode::kEnabled;
  }));
  stop = true;
  watcher.join();
}

TEST_F(AgentTest, StopEndsAWatchSoon) {
  simulated.stop_hangs = true;
  ASSERT_TRUE(client->StartOperation(Request("op-00000001", Lease())).ok());
  const fleet::StopFlag stop = true;
  EXPECT_EQ(ReasonOf(client
                         ->WatchOperation(
                             "op-00000001", Millis{60'000}, [](const auto&) {}, stop)
                         .status()),
            Reason::kInterrupted);
  simulated.stop_hangs = false;
  EXPECT_TRUE(client
                  ->WatchOperation(
                      "op-00000001", Millis{20'000}, [](const auto&) {}, go_on)
                  ->finished());
}

}  // namespace
}  // namespace eos
