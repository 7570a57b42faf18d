#include "agent/operations/machine.h"

#include <gmock/gmock.h>

#include "tests/unit/agent/operations/bench.h"

namespace eos::operations {
namespace {

using testing::HasSubstr;

constexpr char kNew[] = "group.id=g\nexactly.once.source.support=preparing\n";
constexpr char kOld[] = "group.id=g\nexactly.once.source.support=disabled\n";

class Machine : public testing::TestWithParam<bool> {
 protected:
  Machine() { bench.host.restarts_by_itself = GetParam(); }
  Bench bench;
};

INSTANTIATE_TEST_SUITE_P(Managers, Machine, testing::Values(true, false),
                         [](const auto& tested) { return tested.param ? "systemd" : "commands"; });

TEST_P(Machine, ChangesTheFileAndRestartsOnce) {
  OperationRecord record = bench.Begin();
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(record.outcome, OperationOutcome::kDone);
  EXPECT_FALSE(record.problem) << record.problem->message;
  EXPECT_EQ(bench.host.file, kNew);
  EXPECT_EQ(bench.host.jvm_starts, 1);
  EXPECT_EQ(record.starts, 1);
  EXPECT_TRUE(record.new_process && !record.new_process->SameProcess(*record.old_process));
  EXPECT_EQ(bench.ledger.ReadOperation(record.request.id)->outcome, OperationOutcome::kDone);
}

TEST_P(Machine, WithoutRestartOnlyTheFileChanges) {
  OperationRecord record = bench.Begin(Mode::kPreparing, DelayChange::kKeep, false);
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(record.outcome, OperationOutcome::kDone);
  EXPECT_EQ(bench.host.jvm_starts, 0);
}

TEST_P(Machine, NothingToChangeIsUnchanged) {
  OperationRecord record = bench.Begin(Mode::kDisabled, DelayChange::kKeep, false);
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(record.outcome, OperationOutcome::kUnchanged);
}

TEST_P(Machine, T22_AnotherFileThanPlannedIsLeftAlone) {
  OperationRecord record = bench.Begin();
  bench.host.file = "group.id=g\nother=1\n";
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(record.problem->reason, Reason::kFileChanged);
  EXPECT_EQ(bench.host.file, "group.id=g\nother=1\n");
  EXPECT_EQ(bench.host.jvm_starts, 0);
}

TEST_P(Machine, LostLeaseMeansNothingIsDone) {
  bench.fence = Err(Reason::kLeaseLost, "the lease is not held any more");
  OperationRecord record = bench.Begin();
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(record.problem->reason, Reason::kLeaseLost);
  EXPECT_EQ(bench.host.file, kOld);
  EXPECT_EQ(bench.host.jvm_starts, 0);
}

TEST_P(Machine, LeaseThatWasLostWhileTheAgentWasAwayMeansNothingIsDone) {
  OperationRecord record = bench.Begin();
  World world{bench.host, bench.ledger, bench.clock, [] { return OkStatus(); }};
  Resume(record, world);
  ASSERT_EQ(Advance(record, world), Next::kAgain);
  ASSERT_EQ(record.step, OperationStep::kBackedUp);
  bench.fence = Err(Reason::kLeaseLost, "somebody else holds it now");
  ASSERT_TRUE(bench.Carry(record));  // by the agent's next start
  EXPECT_EQ(record.problem->reason, Reason::kLeaseLost);
  EXPECT_EQ(bench.host.file, kOld);
  EXPECT_EQ(bench.host.jvm_starts, 0);
}

TEST_P(Machine, TimeThatTheOldProcessTakesIsNotTheNewOnesLimit) {
  bench.host.stop_takes = Millis{90'000};  // start_limit: 60 s
  OperationRecord record = bench.Begin();
  record.request.stop_limit = Millis{120'000};
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(record.outcome, OperationOutcome::kDone);
}

TEST_P(Machine, OneDeathWithoutACauseIsNotBlamedOnTheEdit) {
  bench.host.dies_silently = true;  // killed, say
  int starts = 0;
  bench.host.judge = [&](const std::string&) { return ++starts == 1 ? Death::kOther : Death::kUnknown; };
  OperationRecord record = bench.Begin();
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(record.outcome, OperationOutcome::kDone);
  EXPECT_EQ(bench.host.file, kNew);
}

TEST_P(Machine, FileThatCannotBeWrittenMeansNoRestart) {
  bench.host.refuse_write = Err(Reason::kFileWriteFailed, "no space");
  OperationRecord record = bench.Begin();
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(record.outcome, OperationOutcome::kFailed);
  EXPECT_EQ(record.problem->reason, Reason::kFileWriteFailed);
  EXPECT_EQ(bench.host.jvm_starts, 0);
}

TEST_P(Machine, T44a_RejectedConfigurationGetsTheOldBytesBackAndRuns) {
  bench.host.judge = [](const std::string& bytes) {
    return bytes == kOld ? Death::kUnknown : Death::kConfigRejected;
  };
  OperationRecord record = bench.Begin();
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(record.outcome, OperationOutcome::kRolledBack);
  EXPECT_EQ(record.problem->reason, Reason::kConfigRejected);
  EXPECT_EQ(bench.host.file, kOld);
  EXPECT_TRUE(bench.host.Runs());
  EXPECT_EQ(bench.host.jvm_starts, 2);
}

TEST_P(Machine, RejectedConfigurationIsNotStartedAgainByAnAgentThatDiedMeanwhile) {
  bench.host.judge = [](const std::string& bytes) {
    return bytes == kOld ? Death::kUnknown : Death::kConfigRejected;
  };
  OperationRecord record = bench.Begin();
  World world{bench.host, bench.ledger, bench.clock, [] { return OkStatus(); }};
  Resume(record, world);
  while (bench.host.jvm_starts == 0) {
    if (Advance(record, world) == Next::kWait) bench.host.AwaitEvent(Millis{200});
  }
  bench.host.Pass(Millis{1'000});
  ASSERT_FALSE(bench.host.Runs());
  record = *bench.ledger.ReadOperation(record.request.id);
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(record.outcome, OperationOutcome::kRolledBack);
  EXPECT_EQ(bench.host.file, kOld);
  EXPECT_EQ(bench.host.jvm_starts, 2) << "once on the refused bytes, once on the old ones";
}

TEST_P(Machine, SecondDeathForAnUnknownCauseIsRolledBackToo) {
  bench.host.dies_silently = true;
  bench.host.judge = [](const std::string& bytes) { return bytes == kOld ? Death::kUnknown : Death::kOther; };
  OperationRecord record = bench.Begin();
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(record.outcome, OperationOutcome::kRolledBack);
  EXPECT_EQ(record.problem->reason, Reason::kWorkerDied);
  EXPECT_EQ(bench.host.file, kOld);
  EXPECT_TRUE(bench.host.Runs());
}

TEST_P(Machine, UnreachableKafkaIsNotBlamedOnTheEdit) {
  int starts = 0;
  bench.host.judge = [&](const std::string&) {
    return ++starts < 3 ? Death::kKafkaUnreachable : Death::kUnknown;
  };
  OperationRecord record = bench.Begin();
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(record.outcome, OperationOutcome::kDone);
  EXPECT_EQ(bench.host.file, kNew);
  EXPECT_TRUE(bench.host.Runs());
}

TEST_P(Machine, T49_AliveWithoutRestFailsAtTheLimitAndIsLeftStarting) {
  bench.host.start_takes = Millis{3'600'000};
  OperationRecord record = bench.Begin();
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(record.outcome, OperationOutcome::kFailed);
  EXPECT_EQ(record.problem->reason, Reason::kStartTimeout);
  EXPECT_EQ(bench.host.file, kNew);
  EXPECT_TRUE(bench.host.Runs());
}

TEST_P(Machine, T45_HangingStopIsSaidAndTheWorkerIsStartedWhenItGoesAtLast) {
  bench.host.stop_hangs = true;
  OperationRecord record = bench.Begin();
  ASSERT_FALSE(bench.Carry(record, Millis{60'000}));
  ASSERT_TRUE(record.problem);
  EXPECT_EQ(record.problem->reason, Reason::kStopTimeout);
  EXPECT_THAT(record.problem->message, HasSubstr("process 100"));
  bench.host.stop_hangs = false;
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(record.outcome, OperationOutcome::kDone);
  EXPECT_EQ(record.problem->reason, Reason::kStopTimeout) << "an unclean stop stays in the record";
  EXPECT_EQ(bench.host.jvm_starts, 1);
}

TEST_P(Machine, WorkerThatWasDownIsStarted) {
  bench.host.process.reset();
  OperationRecord record = bench.Begin();
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(record.outcome, OperationOutcome::kDone);
  EXPECT_EQ(bench.host.jvm_starts, 1);
}

TEST_P(Machine, OldBytesThatDoNotComeUpEitherAreAFailureWithTheWorkerStarted) {
  bench.host.judge = [](const std::string&) { return Death::kConfigRejected; };
  OperationRecord record = bench.Begin();
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(record.outcome, OperationOutcome::kFailed);
  EXPECT_EQ(bench.host.file, kOld);
  EXPECT_GE(record.starts, 2);
}

TEST_P(Machine, TemporaryDelayIsRememberedAndPutBack) {
  OperationRecord set = bench.Begin(Mode::kPreparing, DelayChange::kSetTemporary);
  ASSERT_TRUE(bench.Carry(set));
  ASSERT_TRUE((*bench.ledger.ReadDelay("w1")).has_value());
  OperationRecord back = bench.Begin(Mode::kEnabled, DelayChange::kPutBack);
  back.request.id = "op-00000002";
  ASSERT_TRUE(bench.Carry(back));
  EXPECT_EQ(bench.host.file, "group.id=g\nexactly.once.source.support=enabled\n");
  EXPECT_FALSE((*bench.ledger.ReadDelay("w1")).has_value());
}

TEST_P(Machine, RejectedTemporaryDelayIsForgottenWithTheOldBytes) {
  bench.host.judge = [](const std::string& bytes) {
    return bytes == kOld ? Death::kUnknown : Death::kConfigRejected;
  };
  OperationRecord record = bench.Begin(Mode::kPreparing, DelayChange::kSetTemporary);
  ASSERT_TRUE(bench.Carry(record));
  EXPECT_EQ(bench.host.file, kOld);
  EXPECT_FALSE((*bench.ledger.ReadDelay("w1")).has_value());
}

}  // namespace
}  // namespace eos::operations
