#include "controller/rollout/decide.h"

#include <gmock/gmock.h>

#include "tests/fakes/healthy_fleet.h"

namespace eos::rollout {
namespace {

using fakes::HealthyObservations;
using fakes::kNoon;
using fleet::Observations;
using fleet::Policy;
using testing::AllOf;
using testing::HasSubstr;

const Goal kEnable{Mode::kEnabled, "g1"};

// After enough good observations of `before`, what is decided on `now`.
Decision DecideAfter(const Observations& before, const Observations& now, History history = {},
                     Time at = kNoon + Millis{10'000}) {
  const Policy policy;
  for (int i = 0; i < policy.good_observations; ++i) {
    history = Note(history, fleet::Join(before), policy, kNoon + i * policy.observe_every);
  }
  history = Note(history, fleet::Join(now), policy, at);
  return Decide(fleet::Join(now), kEnable, policy, history, at);
}

Observations Failed(FailureKind kind) {
  Observations seen = HealthyObservations(3);
  (*seen.connectors)[0].name = "orders";
  auto& task = (*seen.connectors)[0].tasks[0];
  seen.group->members[0].assigned = {"orders", "orders-0"};
  task.state = TaskState::kFailed;
  task.failure = kind;
  task.exceptions = {"org.apache.kafka.common.errors.TransactionalIdAuthorizationException"};
  return seen;
}

Observations Running() {
  Observations seen = Failed(FailureKind::kNone);
  (*seen.connectors)[0].tasks[0] = {0, TaskState::kRunning, "c1:8083", FailureKind::kNone, {}};
  return seen;
}

TEST(Decide, WaitsForGoodObservationsInARowThenActs) {
  const Policy policy;
  const auto view = fakes::HealthyFleet(3);
  History history;
  Time now = kNoon;
  for (int i = 1; i < policy.good_observations; ++i, now += policy.observe_every) {
    history = Note(history, view, policy, now);
    EXPECT_EQ(Decide(view, kEnable, policy, history, now).kind, DecisionKind::kWait);
  }
  history = Note(history, view, policy, now);
  const Decision decision = Decide(view, kEnable, policy, history, now);
  ASSERT_EQ(decision.kind, DecisionKind::kAct);
  EXPECT_EQ(decision.steps.at(0).worker, "w1");
  EXPECT_EQ(decision.steps.at(0).file_sha256, view.workers[0].facts.file->sha256);
}

TEST(Decide, RefusesBeforeAnythingIsChanged) {
  Observations seen = HealthyObservations(3);
  seen.group->members.push_back(fakes::HealthyMember(9));
  const Decision decision = Decide(fleet::Join(seen), kEnable, Policy{}, {}, kNoon);
  ASSERT_EQ(decision.kind, DecisionKind::kStop);
  EXPECT_EQ(decision.problem->reason, Reason::kStrangerInGroup);
  EXPECT_THAT(decision.problem->message, HasSubstr("c9:8083"));
}

TEST(Decide, StrangerInMidRolloutShutsTheBarrier) {
  Observations seen = HealthyObservations(3, Mode::kPreparing);
  Observations joined = seen;
  joined.group->members.push_back(fakes::HealthyMember(9));
  History history;
  history.acted = true;
  EXPECT_EQ(DecideAfter(seen, joined, history).problem->reason, Reason::kStrangerInGroup);
}

TEST(Decide, AgentThatGoesAwayInMidRolloutIsWaitedForWithinTheLimit) {
  const Observations seen = HealthyObservations(3);
  Observations gone = seen;
  gone.agents[1].facts.reset();
  gone.agents[1].unreached = Problem{Reason::kUnreachable, "connection refused", ""};
  gone.workers.erase(gone.workers.begin() + 1);
  EXPECT_EQ(DecideAfter(seen, gone).kind, DecisionKind::kStop) << "nothing was changed yet: refused";
  History acted;
  acted.acted = true;
  // Without its agent the worker itself looks like a stranger.
  const Decision decision = DecideAfter(seen, gone, acted);
  EXPECT_EQ(decision.kind, DecisionKind::kWait);
  EXPECT_THAT(decision.unmet, testing::Contains(HasSubstr("agent \"c2\" does not answer")));
}

TEST(Decide, GateThatDoesNotOpenNamesTheLimitAndWhatIsMissing) {
  const Observations seen = HealthyObservations(3);
  Observations unassigned = seen;
  (*unassigned.connectors)[1].tasks[0].state = TaskState::kUnassigned;
  const Policy policy;
  History history = Note({}, fleet::Join(seen), policy, kNoon);
  history = Note(history, fleet::Join(unassigned), policy, kNoon + Millis{1'000});
  const Time late = kNoon + policy.worker_limit + Millis{2'000};
  const Decision decision = Decide(fleet::Join(unassigned), kEnable, policy, history, late);
  ASSERT_EQ(decision.kind, DecisionKind::kStop);
  EXPECT_EQ(decision.problem->reason, Reason::kGateTimeout);
  EXPECT_THAT(decision.problem->message, AllOf(HasSubstr("worker_limit"), HasSubstr("orders2-0")));
  EXPECT_FALSE(decision.problem->fix.empty());
}

TEST(Decide, WholeLimitFiresByItsOwnName) {
  const Policy policy;
  History history;
  history.began = kNoon;
  const Decision decision =
      Decide(fakes::HealthyFleet(2), kEnable, policy, history, kNoon + policy.whole_limit + Millis{1});
  EXPECT_EQ(decision.problem->reason, Reason::kGateTimeout);
  EXPECT_THAT(decision.problem->message, HasSubstr("whole_limit"));
}

TEST(Decide, FencedTaskIsRestartedBoundedly) {
  const Decision first = DecideAfter(Running(), Failed(FailureKind::kFencing));
  ASSERT_EQ(first.kind, DecisionKind::kRepair);
  EXPECT_EQ(first.repair_connector, "orders");

  History tried;
  tried.task_restarts["orders"] = Policy{}.task_restarts;
  const Decision last = DecideAfter(Running(), Failed(FailureKind::kFencing), tried);
  ASSERT_EQ(last.kind, DecisionKind::kStop);
  EXPECT_EQ(last.problem->reason, Reason::kTaskFailed);
}

TEST(Decide, FencedTaskIsLeftAloneWhileTheGroupMoves) {
  Observations moving = Failed(FailureKind::kFencing);
  moving.group->state = "PreparingRebalance";
  EXPECT_EQ(DecideAfter(Running(), moving).kind, DecisionKind::kWait);
}

TEST(Decide, FencedTaskOfAnEarlierRunIsRevivedToo) {
  EXPECT_EQ(DecideAfter(Failed(FailureKind::kFencing), Failed(FailureKind::kFencing)).kind,
            DecisionKind::kRepair);
}

TEST(Decide, T30_AuthorizationIsNeverRestartedAndNamesTheTransactionalId) {
  const Decision decision = DecideAfter(Running(), Failed(FailureKind::kAuthorization));
  ASSERT_EQ(decision.kind, DecisionKind::kStop);
  EXPECT_EQ(decision.problem->reason, Reason::kTaskFailed);
  EXPECT_THAT(decision.problem->message, HasSubstr("TransactionalIdAuthorizationException"));
  EXPECT_THAT(decision.problem->fix, AllOf(HasSubstr("g1-orders-0"), HasSubstr("Write"),
                                           HasSubstr("Describe"), HasSubstr("rolled back")));
}

TEST(Decide, FailedForCauseBeforeTheRunDoesNotStopIt) {
  EXPECT_EQ(DecideAfter(Failed(FailureKind::kConnector), Failed(FailureKind::kConnector)).kind,
            DecisionKind::kAct);
}

TEST(Decide, FileChangedBySomebodyAfterUsStopsTheRollout) {
  Observations seen = HealthyObservations(3, Mode::kPreparing);
  auto& facts = seen.workers[0].second;
  facts.log = LogFacts{Mode::kPreparing, std::nullopt, kNoon};
  facts.file->mode = Mode::kDisabled;
  facts.file->changed = kNoon;
  History history;
  history.acted = true;
  history.written["w1"] = "what we wrote";
  const Decision decision = DecideAfter(seen, seen, history);
  ASSERT_EQ(decision.kind, DecisionKind::kStop);
  EXPECT_EQ(decision.problem->reason, Reason::kForeignChange);
}

TEST(Decide, IsDoneOnlyWhenTheGateIsOpenToo) {
  Observations seen = HealthyObservations(3, Mode::kEnabled);
  EXPECT_EQ(DecideAfter(seen, seen).kind, DecisionKind::kDone);
  Observations moving = seen;
  moving.group->members[0].delay = Millis{1'000};
  EXPECT_EQ(DecideAfter(seen, moving).kind, DecisionKind::kWait);
}

TEST(Decide, DeadlineLeavesOutAStepThatWouldEndTooLate) {
  const Observations seen = HealthyObservations(3);
  const Policy policy;
  History history;
  history.good_in_a_row = policy.good_observations;
  Goal goal = kEnable;
  goal.deadline = kNoon + Millis{60'000};
  EXPECT_EQ(Decide(fleet::Join(seen), goal, policy, history, kNoon).kind, DecisionKind::kAct);
  history.timings.steps = {Millis{20'000}, Millis{70'000}};
  const Decision late = Decide(fleet::Join(seen), goal, policy, history, kNoon);
  ASSERT_EQ(late.kind, DecisionKind::kPause);
  EXPECT_EQ(late.problem->reason, Reason::kPaused);
  EXPECT_THAT(late.problem->message, HasSubstr("1 min 10 s"));
  const Observations done = HealthyObservations(3, Mode::kEnabled);
  EXPECT_EQ(Decide(fleet::Join(done), goal, policy, history, kNoon).kind, DecisionKind::kDone);
}

TEST(Decide, LimitThatNamesNobodyIsRefused) {
  Goal goal = kEnable;
  goal.limit = {"w1", "w77"};
  const Decision decision = Decide(fakes::HealthyFleet(3), goal, Policy{}, {}, kNoon);
  ASSERT_EQ(decision.kind, DecisionKind::kStop);
  EXPECT_THAT(decision.problem->message, HasSubstr("w77"));
}

// A rebalance takes seconds, and Kafka tells no assignment in it; what is not revoked goes on running.
TEST(Timings, RebalanceAloneIsNoOutage) {
  const Observations seen = HealthyObservations(3);
  Observations rebalancing = seen;
  rebalancing.group->state = "PreparingRebalance";
  for (kafka::Member& member : rebalancing.group->members) {
    member.url.clear();
    member.assigned.clear();
  }
  rebalancing.workers[1].second.process->pid += 1;  // restarted: what the status topic says of it is stale
  History history = Note({}, fleet::Join(seen), Policy{}, kNoon);
  for (const int second : {1, 2, 3})
    history = Note(history, fleet::Join(rebalancing), Policy{}, kNoon + Millis{second * 1'000});
  EXPECT_EQ(history.timings.task_time_lost, Millis{2'000}) << "of the restarted worker's task alone";
  rebalancing.group.reset();  // nor while Kafka does not answer
  history = Note(history, fleet::Join(rebalancing), Policy{}, kNoon + Millis{4'000});
  EXPECT_EQ(history.timings.task_time_lost, Millis{3'000});
}

TEST(Timings, OutagesAreSummedOverTasksAndStepsMeasured) {
  const Policy policy;
  const Observations seen = HealthyObservations(3);
  Observations down = seen;
  for (const size_t i : {0U, 1U}) (*down.connectors)[i].tasks[0].state = TaskState::kUnassigned;
  History history = Note({}, fleet::Join(seen), policy, kNoon);
  history.timings.acted_at = kNoon;
  history.good_in_a_row = 0;
  history = Note(history, fleet::Join(down), policy, kNoon + Millis{1'000});
  history = Note(history, fleet::Join(down), policy, kNoon + Millis{2'000});
  for (int i = 0; i < policy.good_observations; ++i)
    history = Note(history, fleet::Join(seen), policy, kNoon + Millis{3'000} + i * policy.observe_every);
  EXPECT_EQ(history.timings.task_time_lost, Millis{4'000}) << "two tasks, two seconds each";
  EXPECT_EQ(history.timings.longest_outage, Millis{2'000});
  ASSERT_EQ(history.timings.steps.size(), 1U);
  EXPECT_EQ(history.timings.steps[0], Millis{4'000});

  const auto left = ForecastOf(MakePlan(fleet::Join(seen), kEnable, policy), history);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->restarts, 6);
  EXPECT_EQ(left->time, Millis{24'000});
  EXPECT_EQ(left->task_time, Millis{24'000});
  EXPECT_FALSE(ForecastOf(MakePlan(fleet::Join(seen), kEnable, policy), {}));
}

}  // namespace
}  // namespace eos::rollout
