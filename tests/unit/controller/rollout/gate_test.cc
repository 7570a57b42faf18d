#include "controller/rollout/gate.h"

#include <gmock/gmock.h>

#include "tests/fakes/healthy_fleet.h"

namespace eos::rollout {
namespace {

using fakes::HealthyObservations;
using fakes::kNoon;
using fleet::Observations;
using fleet::Policy;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

struct Spoiled {
  const char* name;
  std::function<void(Observations&)> spoil;
  const char* says;
};

// gtest prints a parameter of a failed case.
void PrintTo(const Spoiled& spoiled, std::ostream* out) { *out << spoiled.name; }

class Gate : public testing::TestWithParam<Spoiled> {};

History After(const Observations& seen) { return Note({}, fleet::Join(seen), Policy{}, kNoon); }

TEST_P(Gate, IsShutAndSaysWhy) {
  Observations seen = HealthyObservations(3);
  const History history = After(seen);
  GetParam().spoil(seen);
  EXPECT_THAT(UnmetConditions(fleet::Join(seen), history), Contains(HasSubstr(GetParam().says)));
}

INSTANTIATE_TEST_SUITE_P(
    Conditions, Gate,
    testing::Values(
        Spoiled{"operation", [](auto& s) { s.workers[1].second.running_operation = "op-1"; },
                "op-1 is under way"},
        Spoiled{"down", [](auto& s) { s.workers[1].second.process.reset(); }, "its process is not there"},
        Spoiled{"rest", [](auto& s) { s.workers[1].second.rest.reset(); }, "its REST does not answer"},
        Spoiled{"herder", [](auto& s) { s.workers[1].second.rest->herder_answers = false; },
                "its herder does not yet"},
        Spoiled{"unhealthy", [](auto& s) { s.workers[1].second.rest->health = Health::kUnhealthy; },
                "unhealthy"},
        Spoiled{"not_a_member", [](auto& s) { s.group->members.pop_back(); }, "has not joined the group"},
        Spoiled{"two_members_one_url", [](auto& s) { s.group->members.push_back(s.group->members[0]); },
                "two members under its URL"},
        Spoiled{"stranger", [](auto& s) { s.group->members.push_back(fakes::HealthyMember(9)); },
                "no inventory"},
        Spoiled{"rebalance", [](auto& s) { s.group->state = "PreparingRebalance"; },
                "PreparingRebalance, not Stable"},
        Spoiled{"delay", [](auto& s) { s.group->members[0].delay = Millis{300'000}; },
                "rebalance delay is pending"},
        Spoiled{"group_unknown", [](auto& s) { s.group.reset(); }, "does not tell the group"},
        Spoiled{"agent_gone", [](auto& s) { s.agents[2].facts.reset(); }, "agent \"c3\" does not answer"},
        Spoiled{"no_status", [](auto& s) { s.connectors.reset(); }, "no worker tells"},
        Spoiled{"T26_unassigned", [](auto& s) { (*s.connectors)[1].tasks[0].state = TaskState::kUnassigned; },
                "task \"orders2-0\" is UNASSIGNED"},
        Spoiled{"fenced",
                [](auto& s) {
                  (*s.connectors)[1].tasks[0].state = TaskState::kFailed;
                  (*s.connectors)[1].tasks[0].failure = FailureKind::kFencing;
                },
                "FAILED by fencing"},
        Spoiled{"stale_running_on_a_dead_worker",
                [](auto& s) { (*s.connectors)[1].tasks[0].worker_id = "c7:8083"; },
                "which is no live member"},
        Spoiled{"stale_running_after_a_restart",
                [](auto& s) {
                  s.group->members[1].assigned.clear();
                  s.group->members[0].assigned.push_back("orders2-0");
                },
                "gave it to another member"},
        Spoiled{"task_not_reported", [](auto& s) { (*s.connectors)[1].tasks.clear(); }, "is not reported"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(GateOpen, WhenAllIsWell) {
  const Observations seen = HealthyObservations(3);
  EXPECT_THAT(UnmetConditions(fleet::Join(seen), After(seen)), IsEmpty());
}

TEST(GateOpen, WhatWasFailedPausedOrDeletedDoesNotBlock) {
  Observations seen = HealthyObservations(3);
  (*seen.connectors)[0].tasks[0].state = TaskState::kFailed;
  (*seen.connectors)[0].tasks[0].failure = FailureKind::kConnector;
  (*seen.connectors)[1].state = TaskState::kPaused;
  (*seen.connectors)[1].tasks[0].state = TaskState::kPaused;
  const History history = After(seen);
  seen.connectors->pop_back();
  EXPECT_THAT(UnmetConditions(fleet::Join(seen), history), IsEmpty());
}

TEST(GateOpen, NotWhileSomethingStartsThatDidNotRunBefore) {
  Observations seen = HealthyObservations(3);
  TaskStatus& task = (*seen.connectors)[0].tasks[0];
  task.state = TaskState::kFailed;
  const History history = After(seen);
  for (const TaskState starts : {TaskState::kUnassigned, TaskState::kRestarting}) {
    task.state = starts;
    EXPECT_THAT(UnmetConditions(fleet::Join(seen), history),
                testing::ElementsAre(HasSubstr("\"orders1-0\" is about to start")));
  }
}

TEST(GateOpen, NotWhileTheGroupStillHoldsTheStoppedMember) {
  Observations seen = HealthyObservations(3);
  History history = After(seen);
  history.old_member["w2"] = seen.group->members[1].member_id;
  EXPECT_THAT(UnmetConditions(fleet::Join(seen), history), Contains(HasSubstr("member that was stopped")));
  seen.group->members[1].member_id += "-new";
  EXPECT_THAT(UnmetConditions(fleet::Join(seen), history), IsEmpty());
}

TEST(Note, CountsGoodObservationsOnlyAsFarApartAsThePolicySays) {
  const auto view = fakes::HealthyFleet(2);
  const Policy policy;
  History history = Note({}, view, policy, kNoon);
  history = Note(history, view, policy, kNoon + Millis{10});  // woken by a report
  EXPECT_EQ(history.good_in_a_row, 1);
  history = Note(history, view, policy, kNoon + policy.observe_every);
  EXPECT_EQ(history.good_in_a_row, 2);
}

TEST(Note, OneBadObservationStartsTheCountAnew) {
  Observations seen = HealthyObservations(2);
  const Policy policy;
  History history = Note({}, fleet::Join(seen), policy, kNoon);
  seen.group->state = "PreparingRebalance";
  history = Note(history, fleet::Join(seen), policy, kNoon + Millis{600});
  EXPECT_EQ(history.good_in_a_row, 0);
  EXPECT_EQ(history.waiting_since, kNoon + Millis{600});
}

TEST(Note, PendingDelayIsNotCountedAgainstTheLimit) {
  Observations seen = HealthyObservations(2);
  seen.group->members[0].delay = Millis{300'000};
  History history = Note({}, fleet::Join(seen), Policy{}, kNoon);
  history = Note(history, fleet::Join(seen), Policy{}, kNoon + Millis{200'000});
  EXPECT_EQ(history.waiting_since, kNoon + Millis{200'000});
}

TEST(Note, UnassignedAtTheBeginningMustRunToo) {
  Observations seen = HealthyObservations(2);
  (*seen.connectors)[1].tasks[0].state = TaskState::kUnassigned;
  const History history = Note({}, fleet::Join(seen), Policy{}, kNoon);
  EXPECT_THAT(*history.ran_before, Contains(TaskKey{"orders2", 0}));
}

}  // namespace
}  // namespace eos::rollout
