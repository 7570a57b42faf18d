#include "controller/proof/tally.h"

#include <gmock/gmock.h>

#include "tests/fakes/healthy_fleet.h"

namespace eos::proof {
namespace {

using fakes::kNoon;
using kafka::LogEntry;
using kafka::TransactionState;
using State = TransactionState;

class TallyTest : public testing::Test {
 protected:
  void Add(State state, std::vector<std::string> topics = {}, const std::string& id = "g-orders-0") {
    LogEntry entry;
    entry.transaction.id = id;
    entry.transaction.state = state;
    entry.transaction.timeout = Millis{60'000};
    entry.transaction.updated = now += Millis{1'000};
    if (state == State::kOngoing) entry.transaction.started = now;
    for (std::string& topic : topics)
      entry.transaction.partitions.emplace_back(std::move(topic), std::vector{0});
    tally.Add(entry);
  }
  const IdHistory& Of(const std::string& id = "g-orders-0") { return *tally.Find(id); }

  Tally tally;
  Time now = kNoon;
};

TEST_F(TallyTest, ACommitIsCountedOnceAndKnownByItsTopics) {
  Add(State::kOngoing, {"offsets", "orders"});
  Add(State::kPrepareCommit, {"offsets", "orders"});
  const Time committed = now;
  Add(State::kCompleteCommit);
  EXPECT_EQ(Of().commits, 1);
  EXPECT_EQ(Of().aborts, 0);
  EXPECT_EQ(Of().CommittedWith("offsets"), committed);
  EXPECT_EQ(Of().CommittedWith("elsewhere"), std::nullopt);
}

TEST_F(TallyTest, RecordsOrOffsetsAloneAreNoProofOfBoth) {
  Add(State::kPrepareCommit, {"orders"});
  Add(State::kPrepareCommit, {"offsets"});
  EXPECT_EQ(Of().commits, 2);
  EXPECT_EQ(Of().CommittedWith("offsets"), std::nullopt);
  EXPECT_TRUE(Of().CommittedAlone("offsets"));
  EXPECT_TRUE(Of().CommittedWithout("offsets"));
}

TEST_F(TallyTest, WhatCompactionLeftOfACommitCountsButProvesNothing) {
  Add(State::kCompleteCommit);
  EXPECT_EQ(Of().commits, 1);
  EXPECT_EQ(Of().CommittedWith("offsets"), std::nullopt);
}

TEST_F(TallyTest, AnAbortIsCountedOnceHoweverItCame) {
  Add(State::kOngoing, {"orders"});
  Add(State::kPrepareAbort, {"orders"});
  Add(State::kCompleteAbort);
  EXPECT_EQ(Of().aborts, 1) << "by the task, or by its time-out";
  Add(State::kOngoing, {"orders"});
  Add(State::kPrepareEpochFence, {"orders"});
  Add(State::kPrepareAbort, {"orders"});
  Add(State::kCompleteAbort);
  EXPECT_EQ(Of().aborts, 2) << "by a successor that took the id";
  Add(State::kCompleteAbort, {}, "g-users-0");
  EXPECT_EQ(Of("g-users-0").aborts, 1) << "of which compaction left the end";
}

TEST_F(TallyTest, OpenLongerThanItsTimeOutIsHanging) {
  Add(State::kOngoing, {"orders"});
  EXPECT_FALSE(Of().Hanging(now + Millis{60'000}, Millis{30'000}));
  EXPECT_TRUE(Of().Hanging(now + Millis{90'001}, Millis{30'000}));
  Add(State::kPrepareCommit, {"orders"});
  EXPECT_FALSE(Of().Hanging(now + Millis{900'000}, Millis{30'000}));
}

TEST_F(TallyTest, AForgottenIdIsGone) {
  Add(State::kPrepareCommit, {"orders"});
  LogEntry entry;
  entry.transaction.id = "g-orders-0";
  entry.forgotten = true;
  tally.Add(entry);
  EXPECT_EQ(tally.Find("g-orders-0"), nullptr);
}

TEST_F(TallyTest, TopicsThatChangeWithoutEndTakeNoMemoryWithoutEnd) {
  for (int i = 0; i < 500; ++i) Add(State::kPrepareCommit, {"offsets", "t" + std::to_string(i)});
  EXPECT_EQ(Of().commits, 500);
  EXPECT_LE(Of().committed.size(), IdHistory::kMaxSets);
}

}  // namespace
}  // namespace eos::proof
