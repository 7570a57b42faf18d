#include "controller/proof/verify.h"

#include <gmock/gmock.h>

#include "tests/fakes/healthy_fleet.h"

namespace eos::proof {
namespace {

using fakes::HealthyObservations;
using fakes::kNoon;
using fleet::ProbeAnswer;
using kafka::TransactionState;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kGroup[] = "connect";
constexpr char kOffsets[] = "connect-offsets";

kafka::LogEntry Commit(const std::string& id, const std::vector<std::string>& topics) {
  kafka::LogEntry entry;
  entry.transaction.id = id;
  entry.transaction.state = TransactionState::kPrepareCommit;
  entry.transaction.timeout = Millis{60'000};
  entry.transaction.updated = kNoon;
  for (const std::string& topic : topics) entry.transaction.partitions.emplace_back(topic, std::vector{0});
  return entry;
}

// Three workers that say enabled, three tasks that committed.
class VerifyTest : public testing::Test {
 protected:
  VerifyTest() {
    for (int i = 1; i <= 3; ++i) {
      seen.workers[static_cast<size_t>(i - 1)].second.file->cluster.offsets_topic = kOffsets;
      evidence.workers.emplace("w" + std::to_string(i), ProbeAnswer{Probe::kCapable, "X", ""});
      const std::string name = "orders" + std::to_string(i);
      evidence.capability.emplace(name, ProbeAnswer{Probe::kCapable, "X", ""});
      evidence.connectors.emplace(name, ConnectorSettings{.connector_class = "X", .topics = {"t"}});
    }
    evidence.transactions.emplace();
    for (int i = 1; i <= 3; ++i)
      evidence.transactions->Add(Commit("connect-orders" + std::to_string(i) + "-0", {"t", kOffsets}));
    evidence.markers[kOffsets] = true;
  }
  Verification Result() {
    evidence.view = fleet::Join(seen);
    return Verify(evidence, kGroup, kNoon + Millis{60'000});
  }
  void SetCapability(Probe probe) { evidence.capability.at("orders2") = ProbeAnswer{probe, "X", ""}; }

  fleet::Observations seen = HealthyObservations(3, Mode::kEnabled);
  Evidence evidence;
};

TEST_F(VerifyTest, AllProvenHoldsSinceTheLastWorkersStart) {
  seen.workers[1].second.process->started = kNoon - Millis{5'000};
  const Verification result = Result();
  EXPECT_EQ(result.verdict, Verdict::kPass);
  EXPECT_EQ(result.since, kNoon - Millis{5'000});
  EXPECT_THAT(result.missing, IsEmpty());
  EXPECT_EQ(result.tasks[1].transactional_id, "connect-orders2-0");
}

TEST_F(VerifyTest, AHostsOwnClockIsMovedToOurs) {
  seen.agents[1].facts->clock += std::chrono::minutes{10};
  seen.workers[1].second.process->started = kNoon + std::chrono::minutes{9};
  EXPECT_EQ(Result().since, kNoon - std::chrono::minutes{1});
}

TEST_F(VerifyTest, T32_AWorkerThatGivesNoAnswerIsNeverCountedAsEnabled) {
  for (const Probe probe : {Probe::kUnknown, Probe::kWorkerNotEnabled}) {
    evidence.workers.at("w2") = ProbeAnswer{probe, "X", "HTTP 500"};
    const Verification result = Result();
    EXPECT_EQ(result.verdict, probe == Probe::kUnknown ? Verdict::kUnverified : Verdict::kFail);
    EXPECT_EQ(result.since, std::nullopt);
  }
  evidence.workers.at("w2") = Err(Reason::kUnreachable, "agent does not answer");
  EXPECT_EQ(Result().verdict, Verdict::kUnverified);
  evidence.workers.erase("w2");
  EXPECT_EQ(Result().verdict, Verdict::kUnverified);
}

TEST_F(VerifyTest, AWorkerOutsideOfTheGroupIsNotProven) {
  seen.group->members.pop_back();
  const Verification result = Result();
  EXPECT_EQ(result.workers[2].verdict, Verdict::kUnverified);
  EXPECT_EQ(result.since, std::nullopt);
}

TEST_F(VerifyTest, T33_AStrangerInTheGroupVoidsIt) {
  seen.group->members.push_back(fakes::HealthyMember(9));
  const Verification result = Result();
  EXPECT_EQ(result.verdict, Verdict::kUnverified);
  EXPECT_EQ(result.since, std::nullopt);
  EXPECT_THAT(result.missing, Contains(HasSubstr("http://c9:8083/")));
}

TEST_F(VerifyTest, AnAgentThatDoesNotAnswerLeavesItOpen) {
  seen.agents[0].facts.reset();
  EXPECT_EQ(Result().verdict, Verdict::kUnverified);
  EXPECT_EQ(Result().since, std::nullopt);
}

TEST_F(VerifyTest, IdleIsUnverifiedAndNeverAPass) {
  evidence.transactions.emplace();
  for (const TaskProof& task : Result().tasks) {
    EXPECT_EQ(task.verdict, Verdict::kUnverified);
    EXPECT_THAT(task.why, HasSubstr("idle"));
  }
  EXPECT_NE(Result().since, std::nullopt) << "the workers are proven all the same";
}

TEST_F(VerifyTest, RecordsWithoutTheirOffsetsAreNotAtomic) {
  evidence.transactions.emplace();
  evidence.transactions->Add(Commit("connect-orders1-0", {"t"}));
  evidence.transactions->Add(Commit("connect-orders2-0", {kOffsets}));
  evidence.transactions->Add(Commit("connect-orders3-0", {"t", "another-offsets"}));
  for (const TaskProof& task : Result().tasks)
    EXPECT_EQ(task.verdict, Verdict::kUnverified) << task.connector;
}

TEST_F(VerifyTest, A26_AConnectorsOwnOffsetsTopicCounts) {
  evidence.connectors.at("orders2")->offsets_topic = "own-offsets";
  EXPECT_EQ(Result().tasks[1].verdict, Verdict::kUnverified);
  evidence.transactions->Add(Commit("connect-orders2-0", {"t", "own-offsets"}));
  EXPECT_EQ(Result().tasks[1].verdict, Verdict::kPass);
}

TEST_F(VerifyTest, AHangingTransactionFails) {
  kafka::LogEntry open = Commit("connect-orders2-0", {"t"});
  open.transaction.state = TransactionState::kOngoing;
  open.transaction.started = kNoon - Millis{60'000};
  evidence.transactions->Add(open);
  const Verification result = Result();
  EXPECT_EQ(result.tasks[1].verdict, Verdict::kFail);
  EXPECT_THAT(result.tasks[1].why, HasSubstr("find-hanging"));
}

TEST_F(VerifyTest, A4_A6_WhatTheConnectorSaysOfItselfCounts) {
  SetCapability(Probe::kConnectorNotCapable);
  EXPECT_EQ(Result().tasks[1].verdict, Verdict::kFail);
  SetCapability(Probe::kConnectorUndeclared);
  EXPECT_EQ(Result().tasks[1].verdict, Verdict::kUnverified);
  SetCapability(Probe::kUnknown);
  EXPECT_EQ(Result().tasks[1].verdict, Verdict::kUnverified);
  evidence.capability.erase("orders2");
  EXPECT_EQ(Result().tasks[1].verdict, Verdict::kUnverified);
}

TEST_F(VerifyTest, WithoutTheTransactionLogNothingPassesAndItSaysWhatIsMissing) {
  evidence.transactions.reset();
  evidence.transactions_problem =
      Problem{Reason::kTopicUnreadable, "reading topic: not authorized", "grant Read"};
  const Verification result = Result();
  EXPECT_EQ(result.verdict, Verdict::kUnverified);
  EXPECT_THAT(result.missing, Contains(HasSubstr("grant Read")));
  EXPECT_NE(result.since, std::nullopt);
}

TEST_F(VerifyTest, TasksThatDoNotRunAreUnverified) {
  for (const TaskState state :
       {TaskState::kPaused, TaskState::kStopped, TaskState::kFailed, TaskState::kUnassigned}) {
    (*seen.connectors)[1].tasks[0].state = state;
    EXPECT_EQ(Result().tasks[1].verdict, Verdict::kUnverified) << ToString(state);
  }
}

TEST_F(VerifyTest, AConnectorThatWritesToAnotherClusterIsUnverified) {
  evidence.connectors.at("orders2")->other_cluster = true;
  EXPECT_EQ(Result().tasks[1].verdict, Verdict::kUnverified);
}

TEST_F(VerifyTest, AConnectorDeletedUnderUsIsUnverified) {
  evidence.connectors.at("orders2") = Err(Reason::kNotFound, "no such connector");
  EXPECT_EQ(Result().tasks[1].verdict, Verdict::kUnverified);
}

TEST_F(VerifyTest, SinksHaveNoPartInIt) {
  (*seen.connectors)[1].type = ConnectorType::kSink;
  EXPECT_EQ(Result().tasks.size(), 2U);
  EXPECT_EQ(Result().verdict, Verdict::kPass);
}

TEST_F(VerifyTest, NoMarkersInTheOffsetsTopicIsSaid) {
  evidence.markers[kOffsets] = false;
  EXPECT_EQ(Result().verdict, Verdict::kUnverified);
  EXPECT_THAT(Result().missing, Contains(HasSubstr("markers")));
}

TEST_F(VerifyTest, AFleetWithoutSourceTasksProvesNothing) {
  seen.connectors->clear();
  EXPECT_EQ(Result().verdict, Verdict::kUnverified);
}

}  // namespace
}  // namespace eos::proof
