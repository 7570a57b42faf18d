#include "agent/operations/lease_book.h"

#include <gmock/gmock.h>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/faulty_file_system.h"

namespace eos::operations {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class LeaseBookTest : public testing::Test {
 protected:
  static LeaseRequest Ask(const std::string& session, const std::string& take_over = "") {
    return {"payments",
            session,
            session == kAlice ? "alice@jump1" : "bob@jump2",
            "spiffe://example/operator/x",
            Millis{30'000},
            take_over};
  }
  static constexpr char kAlice[] = "aaaaaaaaaaaaaaaa";
  static constexpr char kBob[] = "bbbbbbbbbbbbbbbb";

  fakes::FakeClock clock;
  fakes::FaultyFileSystem disk;
  Ledger ledger{disk, "state"};
  LeaseBook book{ledger, clock, "boot-1"};
};

TEST_F(LeaseBookTest, SecondSessionIsRefusedWithTheHolderNamed) {
  ASSERT_TRUE(book.Acquire(Ask(kAlice)).ok());
  clock.Advance(Millis{5'000});
  const auto second = book.Acquire(Ask(kBob));
  ASSERT_EQ(ReasonOf(second.status()), Reason::kLeaseHeld);
  EXPECT_THAT(std::string(second.status().message()),
              AllOf(HasSubstr("alice@jump1"), HasSubstr("5.0 s ago")));
  EXPECT_THAT(ProblemOf(second.status()).fix, HasSubstr(kAlice));
}

TEST_F(LeaseBookTest, RenewingKeepsTheEpochAndANewSessionRaisesIt) {
  EXPECT_EQ(book.Acquire(Ask(kAlice))->epoch, 1U);
  clock.Advance(Millis{20'000});
  EXPECT_EQ(book.Acquire(Ask(kAlice))->epoch, 1U);
  clock.Advance(Millis{20'000});
  EXPECT_TRUE(book.Check("payments", kAlice, 1).ok()) << "renewed";
  ASSERT_TRUE(book.Release("payments", kAlice).ok());
  EXPECT_EQ(book.Acquire(Ask(kBob))->epoch, 2U);
  EXPECT_EQ(ReasonOf(book.Check("payments", kAlice, 1)), Reason::kLeaseLost);
}

TEST_F(LeaseBookTest, RunsOutByTheBootClockWhateverTheWallClockDoes) {
  ASSERT_TRUE(book.Acquire(Ask(kAlice)).ok());
  clock.StepWall(Millis{3'600'000});
  EXPECT_TRUE(book.Check("payments", kAlice, 1).ok());
  clock.StepWall(Millis{-7'200'000});
  clock.Advance(Millis{30'000});
  EXPECT_EQ(ReasonOf(book.Check("payments", kAlice, 1)), Reason::kLeaseLost);
  EXPECT_FALSE(book.Current("payments")->has_value());
  EXPECT_EQ(book.Acquire(Ask(kBob))->epoch, 2U);
}

TEST_F(LeaseBookTest, TakingOverNamesTheSession) {
  ASSERT_TRUE(book.Acquire(Ask(kAlice)).ok());
  EXPECT_FALSE(book.Acquire(Ask(kBob, "cccccccccccccccc")).ok());
  ASSERT_TRUE(book.Acquire(Ask(kBob, kAlice)).ok());
  EXPECT_EQ(ReasonOf(book.Check("payments", kAlice, 1)), Reason::kLeaseLost)
      << "its late operation is fenced";
  EXPECT_EQ(ReasonOf(book.Acquire(Ask(kAlice)).status()), Reason::kLeaseHeld) << "it cannot renew any more";
}

TEST_F(LeaseBookTest, SurvivesAnAgentRestart) {
  ASSERT_TRUE(book.Acquire(Ask(kAlice)).ok());
  LeaseBook again(ledger, clock, "boot-1");
  EXPECT_TRUE(again.Check("payments", kAlice, 1).ok());
  EXPECT_EQ(ReasonOf(again.Acquire(Ask(kBob)).status()), Reason::kLeaseHeld);
}

TEST_F(LeaseBookTest, AfterARebootTheWholeTimeCountsAgainAndOnceOnly) {
  ASSERT_TRUE(book.Acquire(Ask(kAlice)).ok());
  fakes::FakeClock fresh;
  LeaseBook again(ledger, fresh, "boot-2");
  EXPECT_EQ(ReasonOf(again.Acquire(Ask(kBob)).status()), Reason::kLeaseHeld);
  fresh.Advance(Millis{29'000});
  EXPECT_TRUE(again.Check("payments", kAlice, 1).ok());
  fresh.Advance(Millis{2'000});
  EXPECT_EQ(again.Acquire(Ask(kBob))->epoch, 2U);
}

TEST_F(LeaseBookTest, ReleasingWhatOneDoesNotHoldChangesNothing) {
  ASSERT_TRUE(book.Acquire(Ask(kAlice)).ok());
  EXPECT_TRUE(book.Release("payments", kBob).ok());
  EXPECT_TRUE(book.Check("payments", kAlice, 1).ok());
}

TEST_F(LeaseBookTest, GrantThatCannotBeWrittenIsNone) {
  disk.fault = [](int) { return fakes::FaultyFileSystem::Fault::kFail; };
  const Status refused = book.Acquire(Ask(kAlice)).status();
  EXPECT_EQ(ReasonOf(refused), Reason::kStorageFailed);
  EXPECT_THAT(ProblemOf(refused).fix, testing::HasSubstr("state_directory"));
  disk.fault = [](int) { return fakes::FaultyFileSystem::Fault::kNone; };
  EXPECT_FALSE(book.Current("payments")->has_value());
}

TEST_F(LeaseBookTest, OutOfRangeIsRefused) {
  LeaseRequest request = Ask("short");
  EXPECT_EQ(ReasonOf(book.Acquire(request).status()), Reason::kInvalidArgument);
  request = Ask(kAlice);
  request.ttl = Millis{1};
  EXPECT_EQ(ReasonOf(book.Acquire(request).status()), Reason::kInvalidArgument);
  request = Ask(kAlice);
  request.fleet = "../x";
  EXPECT_EQ(ReasonOf(book.Acquire(request).status()), Reason::kInvalidArgument);
}

}  // namespace
}  // namespace eos::operations
