#include "controller/rollout/executor.h"

#include <gmock/gmock.h>

#include "tests/fakes/simulated_fleet.h"

namespace eos::rollout {
namespace {

using fakes::SimulatedFleet;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Executor : public testing::Test {
 protected:
  // Each run has a session of its own, as in life: operation ids are made of it.
  Outcome Run(SimulatedFleet& fleet, Mode target) {
    const std::string session = "session-of-run-" + std::to_string(++runs_);
    inventory_.fleet = "payments";
    inventory_.group_id = "g1";
    return Apply(
        {target, "g1"}, inventory_, {fleet.Clients(), fleet, fleet.clock(), threads_}, {session, "alice", ""},
        [this](const Event& event) { said_.push_back(event.text); }, stop_);
  }

  fleet::Inventory inventory_;
  fleet::StopFlag stop_ = false;
  fleet::Threads threads_;
  std::vector<std::string> said_;
  int runs_ = 0;
};

std::vector<std::optional<Mode>> Modes(SimulatedFleet& fleet) {
  std::vector<std::optional<Mode>> modes;
  for (const auto& worker : fleet.Observe().workers) modes.push_back(worker.running.mode);
  return modes;
}

TEST_F(Executor, BringsAFleetForwardAndBack) {
  for (const int workers : {1, 3, 8}) {
    SimulatedFleet fleet(workers);
    EXPECT_EQ(Run(fleet, Mode::kEnabled).code, ExitCode::kDone);
    EXPECT_THAT(Modes(fleet), Each(std::optional(Mode::kEnabled)));
    EXPECT_THAT(fleet.operations(), SizeIs(2 * workers));
    EXPECT_EQ(Run(fleet, Mode::kDisabled).code, ExitCode::kDone);
    EXPECT_THAT(Modes(fleet), Each(std::optional(Mode::kDisabled)));
    EXPECT_THAT(fleet.operations(), SizeIs(4 * workers));
    EXPECT_THAT(fleet.violations(), IsEmpty());
    for (int i = 1; i <= workers; ++i) EXPECT_FALSE(fleet.Worker(i).temporary_delay) << "S8, worker " << i;
  }
}

TEST_F(Executor, SecondRunRestartsNobody) {
  SimulatedFleet fleet(3);
  Run(fleet, Mode::kEnabled);
  const size_t before = fleet.operations().size();
  EXPECT_EQ(Run(fleet, Mode::kEnabled).code, ExitCode::kDone);
  EXPECT_THAT(fleet.operations(), SizeIs(before));
}

TEST_F(Executor, GivesTheLeaseBack) {
  SimulatedFleet fleet(3);
  Run(fleet, Mode::kEnabled);
  EXPECT_EQ(fleet.lease_holder(), "");
}

TEST_F(Executor, LastEventStillShowsTheFleet) {
  SimulatedFleet fleet(3);
  size_t workers = 0;
  inventory_.fleet = "payments";
  Apply(
      {Mode::kPreparing, "g1"}, inventory_, {fleet.Clients(), fleet, fleet.clock(), threads_},
      {"session-a", "alice", ""}, [&](const Event& event) { workers = event.view->workers.size(); }, stop_);
  EXPECT_EQ(workers, 3U);
}

TEST_F(Executor, SecondControllerIsRefusedWithTheHolderNamed) {
  SimulatedFleet fleet(3);
  fleet.HoldLeaseAs("session-b");
  const Outcome outcome = Run(fleet, Mode::kEnabled);
  EXPECT_EQ(outcome.code, ExitCode::kRefused);
  EXPECT_THAT(outcome.problem->message, HasSubstr("session-b"));
  EXPECT_THAT(fleet.operations(), IsEmpty());
  EXPECT_EQ(fleet.lease_holder(), "session-b");
}

TEST_F(Executor, UnreachableAgentMeansNothingIsChanged) {
  SimulatedFleet fleet(3);
  fleet.seen().agents[2].facts.reset();
  fleet.seen().agents[2].unreached = Problem{Reason::kUnreachable, "cannot reach agent \"c3\"", ""};
  const Outcome outcome = Run(fleet, Mode::kEnabled);
  EXPECT_EQ(outcome.code, ExitCode::kUnreachable);
  EXPECT_THAT(outcome.problem->message, HasSubstr("c3"));
  EXPECT_THAT(fleet.operations(), IsEmpty());
}

TEST_F(Executor, RejectedConfigurationStopsAtOnceInASafeMix) {
  SimulatedFleet fleet(3);
  fleet.on_operation = [&](const OperationRequest& request) -> std::optional<Problem> {
    if (request.worker != "w2") return std::nullopt;
    return Problem{Reason::kConfigRejected, "worker \"w2\" rejects its configuration; old bytes are back",
                   "see its log"};
  };
  const Outcome outcome = Run(fleet, Mode::kEnabled);
  EXPECT_EQ(outcome.code, ExitCode::kStopped);
  EXPECT_EQ(outcome.problem->reason, Reason::kConfigRejected);
  EXPECT_THAT(outcome.problem->message,
              AllOf(HasSubstr("stopped in mid-rollout"), HasSubstr("Kafka allows this")));
  EXPECT_EQ(fleet.operations().back().worker, "w2");
  EXPECT_EQ(fleet.lease_holder(), "");

  fleet.on_operation = nullptr;  // the cause is cleared; the same command again
  const size_t before = fleet.operations().size();
  EXPECT_EQ(Run(fleet, Mode::kEnabled).code, ExitCode::kDone);
  EXPECT_THAT(fleet.operations(), SizeIs(before + 2 + 3)) << "w1 runs preparing already";
  EXPECT_THAT(fleet.violations(), IsEmpty());
}

TEST_F(Executor, FencedTaskIsRevivedBeforeTheNextRestart) {
  SimulatedFleet fleet(3);
  fleet.on_operation = [&](const OperationRequest& request) -> std::optional<Problem> {
    if (request.worker == "w2" && request.mode == Mode::kEnabled) {
      auto& task = fleet.seen().connectors->at(0).tasks[0];
      task.state = TaskState::kFailed;
      task.failure = FailureKind::kFencing;
    }
    return std::nullopt;
  };
  EXPECT_EQ(Run(fleet, Mode::kEnabled).code, ExitCode::kDone);
  EXPECT_THAT(fleet.repairs(), testing::ElementsAre("orders1"));
}

TEST_F(Executor, InterruptStartsNothingNewAndSaysWhereThingsStand) {
  SimulatedFleet fleet(3);
  fleet.on_operation = [&](const OperationRequest&) -> std::optional<Problem> {
    stop_ = true;
    return std::nullopt;
  };
  const Outcome outcome = Run(fleet, Mode::kEnabled);
  EXPECT_EQ(outcome.code, ExitCode::kInterrupted);
  EXPECT_THAT(fleet.operations(), SizeIs(1));
  EXPECT_THAT(outcome.problem->message, HasSubstr("of 3 workers"));
  EXPECT_EQ(fleet.lease_holder(), "");
}

TEST_F(Executor, WaitsOutAPendingRebalanceDelay) {
  SimulatedFleet fleet(3);
  fleet.seen().group->members[0].delay = Millis{300'000};
  int waits = 0;
  fleet.on_await = [&] {
    if (++waits == 20) fleet.seen().group->members[0].delay = Millis{0};
    if (waits < 20) {
      EXPECT_THAT(fleet.operations(), IsEmpty());
    }
  };
  EXPECT_EQ(Run(fleet, Mode::kPreparing).code, ExitCode::kDone);
  EXPECT_THAT(said_, Contains(HasSubstr("rebalance delay is pending")));
}

TEST_F(Executor, MixOfSomebodyElsesDoingIsLedThroughPreparing) {
  SimulatedFleet fleet(3);
  fleet.seen().workers[1].second = fakes::HealthyWorker(2, Mode::kEnabled);
  fleet.mix_allowed = true;
  EXPECT_EQ(Run(fleet, Mode::kEnabled).code, ExitCode::kDone);
  ASSERT_THAT(fleet.operations(), SizeIs(6));
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(fleet.operations()[i].mode, Mode::kPreparing);
}

TEST_F(Executor, MaxUnavailableStillRestartsEachOncePerPhase) {
  SimulatedFleet fleet(8);
  inventory_.policy.max_unavailable = 3;
  EXPECT_EQ(Run(fleet, Mode::kEnabled).code, ExitCode::kDone);
  EXPECT_THAT(fleet.operations(), SizeIs(16));
  EXPECT_THAT(Modes(fleet), Each(std::optional(Mode::kEnabled)));
  EXPECT_THAT(fleet.violations(), IsEmpty());
}

TEST_F(Executor, FailureInABatchIsToldWhenAllOfTheBatchHaveEnded) {
  SimulatedFleet fleet(6);
  inventory_.policy.max_unavailable = 3;
  fleet.on_operation = [&](const OperationRequest& request) -> std::optional<Problem> {
    if (request.worker != "w3" || request.mode != Mode::kEnabled) return std::nullopt;
    return Problem{Reason::kConfigRejected, "worker \"w3\" rejects its configuration", ""};
  };
  const Outcome outcome = Run(fleet, Mode::kEnabled);
  EXPECT_EQ(outcome.code, ExitCode::kStopped);
  EXPECT_EQ(fleet.operations().back().worker, "w3") << "S6: who was not begun yet is not begun any more";
  EXPECT_NE(outcome.problem->fix, "") << "S6: what to do";
  EXPECT_THAT(outcome.history.under_way, IsEmpty());
}

TEST_F(Executor, LostAnswerIsAskedForAgainUnderTheSameIdAndNothingIsDoneTwice) {
  SimulatedFleet fleet(3);
  fleet.lost_answers = 4;
  EXPECT_EQ(Run(fleet, Mode::kEnabled).code, ExitCode::kDone);
  EXPECT_THAT(fleet.operations(), SizeIs(6));
}

TEST_F(Executor, AgentThatNeverAnswersAboutItsOperationEndsTheRun) {
  SimulatedFleet fleet(3);
  fleet.lost_answers = 1'000'000;
  const Outcome outcome = Run(fleet, Mode::kEnabled);
  EXPECT_EQ(outcome.code, ExitCode::kStopped);
  EXPECT_EQ(outcome.problem->reason, Reason::kUnreachable);
  EXPECT_THAT(fleet.operations(), SizeIs(1));
}

TEST_F(Executor, StopThatHangsEndsTheRunAtOnceWithWhatTheAgentSaidOfIt) {
  SimulatedFleet fleet(3);
  fleet.hangs = "w2";
  const Outcome outcome = Run(fleet, Mode::kEnabled);
  EXPECT_EQ(outcome.code, ExitCode::kStopped);
  EXPECT_EQ(outcome.problem->reason, Reason::kStopTimeout);
  EXPECT_THAT(fleet.operations(), SizeIs(2));
  EXPECT_EQ(fleet.lease_holder(), "");
}

TEST_F(Executor, OperationThatNeverEndsEndsTheRunAfterItsLimits) {
  SimulatedFleet fleet(3);
  fleet.hangs = "w2";
  fleet.says_that_it_hangs = false;
  const Outcome outcome = Run(fleet, Mode::kEnabled);
  EXPECT_EQ(outcome.code, ExitCode::kStopped);
  EXPECT_EQ(outcome.problem->reason, Reason::kTimeout);
  EXPECT_THAT(fleet.operations(), SizeIs(2));
}

TEST_F(Executor, PausesWithAnExitCodeOfItsOwnAndGoesOnLater) {
  SimulatedFleet fleet(3);
  inventory_.fleet = "payments";
  Goal goal{Mode::kEnabled, "g1"};
  goal.pause_between_phases = true;
  const auto apply = [&] {
    return Apply(
        goal, inventory_, {fleet.Clients(), fleet, fleet.clock(), threads_}, {"session-a", "alice", ""},
        [](const Event&) {}, stop_);
  };
  const Outcome outcome = apply();
  EXPECT_EQ(outcome.code, ExitCode::kPaused);
  EXPECT_EQ(outcome.problem->reason, Reason::kPaused);
  EXPECT_THAT(outcome.problem->fix, HasSubstr("eosctl apply --to enabled"));
  EXPECT_THAT(Modes(fleet), Each(std::optional(Mode::kPreparing)));
  EXPECT_EQ(fleet.lease_holder(), "");
  EXPECT_EQ(apply().code, ExitCode::kPaused) << "the same command again changes nothing";
  EXPECT_THAT(fleet.operations(), SizeIs(3));
  EXPECT_EQ(Run(fleet, Mode::kEnabled).code, ExitCode::kDone);
  EXPECT_THAT(fleet.operations(), SizeIs(6));
}

}  // namespace
}  // namespace eos::rollout
