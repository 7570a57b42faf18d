#include "controller/proof/gather.h"

#include <gmock/gmock.h>

#include "tests/fakes/fake_agent_client.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_topics.h"
#include "tests/fakes/healthy_fleet.h"
#include "tests/fakes/kafka_bytes.h"

namespace eos::proof {
namespace {

using fakes::kNoon;
using testing::HasSubstr;

class OneView final : public fleet::FleetObserver {
 public:
  fleet::FleetView view = fakes::HealthyFleet(2, Mode::kEnabled);
  fleet::FleetView Observe() override { return view; }
  void AwaitChange(Millis, const fleet::StopFlag&) override {}
};

class InTurn final : public fleet::Background {
 public:
  void ForEach(size_t n, const std::function<void(size_t)>& work) override {
    for (size_t i = 0; i < n; ++i) work(i);
  }
  std::unique_ptr<Repeated> Every(Millis, std::function<bool()>) override { return nullptr; }
};

class GatherTest : public testing::Test {
 protected:
  GatherTest() {
    for (auto* agent : {&c1, &c2}) {
      agent->settings->connector_class = "X";
      agent->settings->offsets_topic = "offsets";
    }
    topics.topics["offsets"] = {};
    topics.position_at_end["offsets"] = {10, 10, 2, false};
    topics.topics[kafka::kTransactionLogTopic] = {};
  }
  void Commits(const std::string& id, const std::vector<std::string>& in) {
    kafka::Transaction transaction;
    transaction.id = id;
    transaction.state = kafka::TransactionState::kPrepareCommit;
    transaction.updated = kNoon;
    for (const std::string& topic : in) transaction.partitions.emplace_back(topic, std::vector{0});
    topics.topics[kafka::kTransactionLogTopic].push_back(
        {0, 0, kNoon, fakes::LogKey(id), fakes::LogValue(transaction)});
  }
  Evidence Gathered(Millis wait = Millis{0}) {
    return Gather("connect", {agents, observer, topics.Opener(), background, clock, stop}, wait,
                  [&](const std::string& line) {
                    progress.push_back(line);
                    clock.Advance(Millis{1'000});
                  });
  }

  fakes::FakeAgentClient c1{"c1"};
  fakes::FakeAgentClient c2{"c2"};
  std::map<std::string, fleet::AgentClient*> agents{{"c1", &c1}, {"c2", &c2}};
  OneView observer;
  fakes::FakeTopics topics;
  InTurn background;
  fakes::FakeClock clock;
  fleet::StopFlag stop = false;
  std::vector<std::string> progress;
};

TEST_F(GatherTest, EverythingIsThereAndNothingIsWaitedFor) {
  for (const char* id : {"connect-orders1-0", "connect-orders2-0"}) Commits(id, {"t", "offsets"});
  const Evidence evidence = Gathered(std::chrono::hours{1});
  EXPECT_EQ(Verify(evidence, "connect", kNoon).verdict, Verdict::kPass);
  EXPECT_TRUE(progress.empty());
}

TEST_F(GatherTest, ATaskThatHasNotCommittedIsWaitedForUntilTheLimit) {
  Commits("connect-orders1-0", {"t", "offsets"});
  const Evidence evidence = Gathered(Millis{5'000});
  EXPECT_THAT(progress.front(), HasSubstr("1 task to go, 5.0 s left"));
  EXPECT_EQ(Verify(evidence, "connect", kNoon).verdict, Verdict::kUnverified);
}

TEST_F(GatherTest, WithoutTheRightToReadTheLogItSaysSo) {
  topics.unreadable[kafka::kTransactionLogTopic] =
      Err(Reason::kTopicUnreadable, "not authorized", "grant Read");
  const Evidence evidence = Gathered();
  ASSERT_TRUE(evidence.transactions_problem);
  EXPECT_EQ(evidence.transactions_problem->fix, "grant Read");
  EXPECT_EQ(Verify(evidence, "connect", kNoon).verdict, Verdict::kUnverified);
}

TEST_F(GatherTest, ABrokerThatGoesInBetweenLeavesWhatWasSeenAndSaysSo) {
  Commits("connect-orders1-0", {"t", "offsets"});
  topics.breaks = Err(Reason::kUnreachable, "no broker answers");
  const Evidence evidence = Gathered(std::chrono::hours{1});
  ASSERT_TRUE(evidence.transactions_problem);
  EXPECT_EQ(evidence.transactions_problem->reason, Reason::kUnreachable);
  EXPECT_EQ(Verify(evidence, "connect", kNoon).tasks[0].verdict, Verdict::kPass);
  EXPECT_EQ(Verify(evidence, "connect", kNoon).verdict, Verdict::kUnverified);
}

TEST_F(GatherTest, BytesThatAreNoLogEndItAndPassNothing) {
  topics.topics[kafka::kTransactionLogTopic].push_back({0, 0, kNoon, "?", "nonsense"});
  const Evidence evidence = Gathered();
  EXPECT_EQ(evidence.transactions_problem->reason, Reason::kTopicUnreadable);
  EXPECT_EQ(Verify(evidence, "connect", kNoon).verdict, Verdict::kUnverified);
}

TEST_F(GatherTest, TheLogIsNotReadWhileAWorkerIsNotProven) {
  c2.probe = {Probe::kWorkerNotEnabled, "X", ""};
  topics.unreadable[kafka::kTransactionLogTopic] = Err(Reason::kInternal, "was opened");
  EXPECT_EQ(Gathered().transactions_problem->reason, Reason::kInconclusive);
}

TEST_F(GatherTest, AnOpenTransactionThatKeepsReadersBackDoesNotHangIt) {
  topics.position_at_end[kafka::kTransactionLogTopic] = {5, 10, 0, true};
  clock.Advance(Millis{1});
  const Evidence evidence = Gathered(Millis{0});
  EXPECT_EQ(evidence.transactions_problem->reason, Reason::kTimeout);
}

TEST_F(GatherTest, InterruptedItEnds) {
  stop = true;
  EXPECT_EQ(Verify(Gathered(std::chrono::hours{1}), "connect", kNoon).verdict, Verdict::kUnverified);
}

}  // namespace
}  // namespace eos::proof
