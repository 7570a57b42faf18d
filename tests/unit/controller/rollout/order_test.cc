#include <gmock/gmock.h>

#include <set>

#include "controller/rollout/decide.h"
#include "tests/fakes/healthy_fleet.h"

namespace eos::rollout {
namespace {

using fakes::HealthyFleet;
using fakes::HealthyObservations;
using fleet::FleetView;
using fleet::Policy;
using testing::ElementsAre;
using testing::IsEmpty;

Goal To(Mode mode) { return {mode, "connect-payments"}; }

std::vector<std::string> Story(const Plan& plan) {
  std::vector<std::string> story;
  for (const Step& step : plan.steps) {
    story.push_back(fmt::format("{}{} {} {}", step.worker, step.restart ? "" : " (file)", ToString(step.to),
                                ToString(step.delay)));
  }
  return story;
}

const std::string kSet{ToString(DelayChange::kSetTemporary)};
const std::string kBack{ToString(DelayChange::kPutBack)};
const std::string kKeep{ToString(DelayChange::kKeep)};

// Two workers run enabled; the file of w1 says disabled.
FleetView FileSaysAnotherMode() {
  auto seen = HealthyObservations(2, Mode::kEnabled);
  auto& facts = seen.workers[0].second;
  facts.log = LogFacts{Mode::kEnabled, std::nullopt, fakes::kNoon};
  facts.file->mode = Mode::kDisabled;
  facts.file->changed = fakes::kNoon;
  return fleet::Join(seen);
}

TEST(Order, TwoPhasesOneRestartEachLeaderFirstThenLeaderLast) {
  const Plan plan = MakePlan(HealthyFleet(3), To(Mode::kEnabled), Policy{});
  // w1 leads and goes first; w2 inherits without the short delay and goes next; w1 leads again with it.
  EXPECT_THAT(Story(plan), ElementsAre("w1 preparing " + kSet, "w2 preparing " + kSet, "w3 preparing " + kSet,
                                       "w2 enabled " + kBack, "w3 enabled " + kBack, "w1 enabled " + kBack));
}

TEST(Order, NobodyIsRestartedMoreOftenThanPhasesNeed) {
  for (const int workers : {1, 2, 3, 5, 17}) {
    const Plan plan = MakePlan(HealthyFleet(workers), To(Mode::kEnabled), Policy{});
    std::map<std::string, int> restarts;
    for (const Step& step : plan.steps) restarts[step.worker] += step.restart ? 1 : 0;
    EXPECT_EQ(plan.steps.size(), 2U * static_cast<size_t>(workers));
    for (const auto& [worker, count] : restarts) EXPECT_EQ(count, 2) << worker;
  }
}

TEST(Order, BarrierNobodyIsEnabledBeforeAllRunPreparing) {
  const Plan plan = MakePlan(HealthyFleet(5), To(Mode::kEnabled), Policy{});
  bool second = false;
  for (const Step& step : plan.steps) {
    second |= step.to == Mode::kEnabled;
    if (second) {
      EXPECT_EQ(step.to, Mode::kEnabled);
    }
  }
}

TEST(Order, WayBackGoesOverPreparing) {
  const Plan plan = MakePlan(HealthyFleet(2, Mode::kEnabled), To(Mode::kDisabled), Policy{});
  EXPECT_THAT(Story(plan), ElementsAre("w1 preparing " + kSet, "w2 preparing " + kSet, "w2 disabled " + kBack,
                                       "w1 disabled " + kBack));
}

TEST(Order, OnePhaseGivesTheShortDelayToWhoeverMayLeadAndPutsItBackInTheFileAlone) {
  const Plan plan = MakePlan(HealthyFleet(4), To(Mode::kPreparing), Policy{});
  // w1 leads; w2 inherits with the long delay; then w1 leads again, short, and the others go without.
  EXPECT_THAT(Story(plan), ElementsAre("w1 preparing " + kSet, "w2 preparing " + kSet,
                                       "w3 preparing " + kKeep, "w4 preparing " + kKeep,
                                       "w1 (file) preparing " + kBack, "w2 (file) preparing " + kBack));
}

TEST(Order, ResumedLastPhaseNeedsNoLongDelayEither) {
  const Plan plan = MakePlan(HealthyFleet(3, Mode::kPreparing), To(Mode::kEnabled), Policy{});
  EXPECT_THAT(Story(plan), ElementsAre("w1 enabled " + kSet, "w2 enabled " + kSet, "w3 enabled " + kKeep,
                                       "w1 (file) enabled " + kBack, "w2 (file) enabled " + kBack));
  EXPECT_LT(plan.task_time, Millis{60'000});
}

TEST(Order, MaxUnavailableTakesNonLeadersTogetherAndTheLeaderAlone) {
  Policy policy;
  policy.max_unavailable = 3;
  const Plan plan = MakePlan(HealthyFleet(6), To(Mode::kEnabled), policy);
  std::map<int, std::vector<std::string>> batches;
  for (const Step& step : plan.steps) batches[step.batch].push_back(step.worker);
  using Workers = std::vector<std::string>;
  EXPECT_THAT(batches,
              ElementsAre(testing::Pair(1, Workers{"w1"}), testing::Pair(2, Workers{"w2"}),
                          testing::Pair(3, Workers{"w3", "w4", "w5"}), testing::Pair(4, Workers{"w6"}),
                          testing::Pair(5, Workers{"w2", "w3", "w4"}), testing::Pair(6, Workers{"w5", "w6"}),
                          testing::Pair(7, Workers{"w1"})));
}

TEST(Order, MaxUnavailableNeverTakesEverybody) {
  auto seen = HealthyObservations(3);
  seen.group->leader_url.clear();  // who leads is not known
  Policy policy;
  policy.max_unavailable = 100;
  EXPECT_EQ(NextTurn(fleet::Join(seen), To(Mode::kEnabled), policy).steps.size(), 2U);
}

TEST(Limits, LimitChangesNobodyElseAndTheBarrierStaysShut) {
  Goal goal = To(Mode::kEnabled);
  goal.limit = {"w2"};
  const Plan plan = MakePlan(HealthyFleet(3), goal, Policy{});
  EXPECT_THAT(Story(plan), ElementsAre("w2 preparing " + kSet));
  EXPECT_THAT(plan.pause,
              testing::AllOf(testing::HasSubstr("--limit"), testing::HasSubstr("\"w1\", \"w3\"")));
}

TEST(Limits, LeaderAloneInTheLimitStillCarriesTheShortDelayForThoseOutside) {
  Goal goal = To(Mode::kPreparing);
  goal.limit = {"w1"};
  EXPECT_THAT(Story(MakePlan(HealthyFleet(3), goal, Policy{})), ElementsAre("w1 preparing " + kSet));
}

TEST(Limits, NameThatNobodyHasIsAnErrorOfThePlanToo) {
  Goal goal = To(Mode::kEnabled);
  goal.limit = {"w77"};
  const Plan plan = MakePlan(HealthyFleet(3), goal, Policy{});
  EXPECT_THAT(plan.steps, IsEmpty());
  ASSERT_FALSE(plan.findings.empty());
  EXPECT_EQ(plan.findings.back().problem.reason, Reason::kNotFound);
}

TEST(Limits, FileOutsideTheLimitIsLeftAloneAndNamed) {
  const FleetView view = FileSaysAnotherMode();
  Goal goal = To(Mode::kPreparing);
  goal.limit = {"w2"};
  const Turn turn = NextTurn(view, goal, Policy{});
  EXPECT_THAT(turn.steps, IsEmpty());
  EXPECT_THAT(turn.pause, testing::HasSubstr("\"w1\" is outside --limit"));
}

TEST(Limits, CanaryStopsAfterSoManyOfAPhase) {
  Goal goal = To(Mode::kEnabled);
  goal.canary = 2;
  Policy policy;
  policy.max_unavailable = 5;
  const Plan first = MakePlan(HealthyFleet(5), goal, policy);
  EXPECT_THAT(first.steps, testing::SizeIs(2));
  EXPECT_THAT(first.pause, testing::HasSubstr("--canary 2"));
  const Plan second = MakePlan(HealthyFleet(5, Mode::kPreparing), goal, policy);
  EXPECT_THAT(second.steps, testing::SizeIs(2)) << "the next phase has canaries of its own";
}

TEST(Limits, PauseBetweenPhasesIsAState) {
  Goal goal = To(Mode::kEnabled);
  goal.pause_between_phases = true;
  const Plan plan = MakePlan(HealthyFleet(3), goal, Policy{});
  EXPECT_THAT(plan.steps, testing::SizeIs(3));
  EXPECT_THAT(plan.pause, testing::HasSubstr("--pause-between-phases"));
  EXPECT_THAT(NextTurn(HealthyFleet(3, Mode::kPreparing), goal, Policy{}).steps, IsEmpty())
      << "the same again";
  goal.pause_between_phases = false;
  EXPECT_FALSE(NextTurn(HealthyFleet(3, Mode::kPreparing), goal, Policy{}).steps.empty());
}

TEST(Order, KeepUserDelayNeverTouchesTheDelay) {
  Policy policy;
  policy.rebalance = fleet::RebalancePolicy::kKeepUser;
  for (const Step& step : MakePlan(HealthyFleet(3), To(Mode::kEnabled), policy).steps) {
    EXPECT_EQ(step.delay, DelayChange::kKeep);
  }
}

TEST(Order, UsersShortDelayIsLeftAlone) {
  auto seen = HealthyObservations(2);
  for (auto& [agent, facts] : seen.workers) {
    facts.file->delay = Millis{500};
    facts.file->delay_present = true;
  }
  for (const Step& step : MakePlan(fleet::Join(seen), To(Mode::kEnabled), Policy{}).steps) {
    EXPECT_EQ(step.delay, DelayChange::kKeep) << step.worker;
  }
}

TEST(Order, Below37TheTemporaryDelayIsNeverBelowOneSecond) {  // KAFKA-15693
  auto seen = HealthyObservations(2);
  seen.workers[1].second.rest->version = "3.6.1";
  Policy policy;
  policy.temporary_delay = Millis{0};
  const Turn turn = NextTurn(fleet::Join(seen), To(Mode::kEnabled), policy);
  ASSERT_EQ(turn.steps.size(), 1U);
  EXPECT_EQ(turn.steps[0].temporary_delay, Millis{1'000});
  seen.workers[1].second.rest->version = "3.7.0";
  EXPECT_EQ(NextTurn(fleet::Join(seen), To(Mode::kEnabled), policy).steps.at(0).temporary_delay, Millis{0});
}

TEST(Order, GoalReachedMeansNoStep) {
  for (const Mode mode : {Mode::kDisabled, Mode::kPreparing, Mode::kEnabled}) {
    EXPECT_THAT(Story(MakePlan(HealthyFleet(3, mode), To(mode), Policy{})), IsEmpty()) << ToString(mode);
  }
}

TEST(Order, ResumesWhereAnEarlierRunStopped) {
  auto seen = HealthyObservations(3, Mode::kPreparing);
  for (size_t i = 0; i < 3; ++i) {
    auto& facts = seen.workers[i].second;
    if (i == 2) facts = fakes::HealthyWorker(3, Mode::kEnabled);
    facts.log = LogFacts{facts.file->mode, Millis{i == 2 ? 300'000 : 1'000}, fakes::kNoon};
    if (i < 2) facts.temporary_delay = TemporaryDelay{Millis{1'000}, std::nullopt, fakes::kNoon};
  }
  EXPECT_THAT(Story(MakePlan(fleet::Join(seen), To(Mode::kEnabled), Policy{})),
              ElementsAre("w2 enabled " + kBack, "w1 enabled " + kBack));
}

TEST(Order, UnknownModeIsLedToPreparingAndShutsTheBarrier) {
  auto seen = HealthyObservations(3, Mode::kPreparing);
  seen.workers[1].second.file->changed = fakes::kNoon;  // after the start, and no log
  const FleetView view = fleet::Join(seen);
  ASSERT_FALSE(view.workers[1].running.mode);
  const Plan plan = MakePlan(view, To(Mode::kEnabled), Policy{});
  ASSERT_FALSE(plan.steps.empty());
  EXPECT_EQ(plan.steps[0].worker, "w2");
  EXPECT_EQ(plan.steps[0].to, Mode::kPreparing);
}

TEST(Order, ForbiddenMixLeadsEverybodyToPreparingFirst) {
  auto seen = HealthyObservations(3, Mode::kDisabled);
  seen.workers[1].second = fakes::HealthyWorker(2, Mode::kEnabled);
  for (const Mode target : {Mode::kEnabled, Mode::kDisabled}) {
    const Plan plan = MakePlan(fleet::Join(seen), To(target), Policy{});
    std::set<std::string> prepared;
    for (const Step& step : plan.steps) {
      if (step.to == Mode::kPreparing) {
        prepared.insert(step.worker);
      } else {
        EXPECT_EQ(prepared.size(), 3U) << "towards " << ToString(target);
      }
    }
    EXPECT_EQ(plan.steps.back().to, target);
  }
}

TEST(Order, FileThatSaysAnotherModeIsSetRightWithoutRestart) {
  const FleetView view = FileSaysAnotherMode();
  EXPECT_THAT(Story(MakePlan(view, To(Mode::kEnabled), Policy{})), ElementsAre("w1 (file) enabled " + kKeep));
}

TEST(Order, LeftOverTemporaryDelayIsPutBackWithoutARestart) {  // S8, S5
  auto seen = HealthyObservations(3, Mode::kEnabled);
  for (const size_t i : {0U, 2U}) {
    auto& facts = seen.workers[i].second;
    facts.temporary_delay = TemporaryDelay{Millis{1'000}, std::nullopt, fakes::kNoon};
    facts.log = LogFacts{Mode::kEnabled, Millis{1'000}, fakes::kNoon};
  }
  EXPECT_THAT(Story(MakePlan(fleet::Join(seen), To(Mode::kEnabled), Policy{})),
              ElementsAre("w1 (file) enabled " + kBack, "w3 (file) enabled " + kBack));
}

TEST(Order, EveryStepSaysWhy) {
  for (const Step& step : MakePlan(HealthyFleet(4), To(Mode::kEnabled), Policy{}).steps) {
    EXPECT_FALSE(step.why.empty()) << step.worker;
  }
}

}  // namespace
}  // namespace eos::rollout
