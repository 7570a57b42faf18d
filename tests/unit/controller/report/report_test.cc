#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "controller/report/events.h"
#include "controller/report/json.h"
#include "controller/report/live.h"
#include "controller/report/tables.h"
#include "tests/fakes/healthy_fleet.h"

namespace eos::report {
namespace {

using fakes::HealthyFleet;
using fakes::HealthyObservations;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

TEST(Table, ColumnsAlignByWidthNotByBytes) {
  EXPECT_EQ(Table({"A", "B"}, {{"é", "x"}, {"yyy", "z"}}, false), "A    B\né    x\nyyy  z\n");
}

TEST(Table, ColourOnlyWhereWanted) {
  EXPECT_THAT(Table({"A"}, {{{"x", Colour::kBad}}}, false), Not(HasSubstr("\x1b")));
  EXPECT_THAT(Table({"A"}, {{{"x", Colour::kBad}}}, true), HasSubstr("\x1b[31mx"));
}

TEST(Guarantee, HoldsFromTheStartOfTheLastWorker) {
  auto seen = HealthyObservations(3, Mode::kEnabled);
  seen.workers[1].second.process->started += Millis{60'000};
  const Guarantee guarantee = GuaranteeOf(fleet::Join(seen));
  EXPECT_TRUE(guarantee.in_force);
  EXPECT_EQ(guarantee.since, seen.workers[1].second.process->started);
}

TEST(Guarantee, OneWhoIsNotEnabledOrNotKnownVoidsIt) {
  const auto why = [](auto spoil) {
    auto seen = HealthyObservations(3, Mode::kEnabled);
    spoil(seen);
    const Guarantee guarantee = GuaranteeOf(fleet::Join(seen));
    EXPECT_FALSE(guarantee.in_force);
    return guarantee.why;
  };
  EXPECT_THAT(why([](auto& s) { s.workers[2].second = fakes::HealthyWorker(3, Mode::kPreparing); }),
              HasSubstr("w3"));
  EXPECT_THAT(why([](auto& s) { s.group->members.push_back(fakes::HealthyMember(9)); }),
              HasSubstr("c9:8083"));
  EXPECT_THAT(why([](auto& s) { s.agents[0].facts.reset(); }), HasSubstr("c1"));
  EXPECT_THAT(why([](auto& s) { s.group->state = "PreparingRebalance"; }),
              HasSubstr("not known for certain"));
  EXPECT_THAT(why([](auto& s) {
                s.workers.clear();
                s.group->members.clear();
              }),
              HasSubstr("no worker"));
}

TEST(Status, SaysWhoRunsWhatAndWhatIsWrong) {
  auto seen = HealthyObservations(2);
  seen.connectors->at(0).tasks[0].state = TaskState::kFailed;
  seen.connectors->at(0).tasks[0].failure = FailureKind::kFencing;
  seen.agents[0].facts->leases = {{"f", "session", "alice@jump1", "", 1, fakes::kNoon, Millis{1}}};
  const std::string text = StatusText(fleet::Join(seen), "payments", {}, false);
  EXPECT_THAT(text, HasSubstr("of 2 workers 2 run disabled"));
  EXPECT_THAT(text, HasSubstr("orders1-0 is FAILED for fencing"));
  EXPECT_THAT(text, HasSubstr("alice@jump1"));
  EXPECT_THAT(text, HasSubstr("leader"));
}

TEST(Status, HostileTextIsMadePrintable) {
  auto seen = HealthyObservations(1);
  seen.workers[0].second.name = "w\x1b[2J\n1";
  seen.connectors->at(0).name = "x\x07";
  seen.connectors->at(0).tasks[0].state = TaskState::kFailed;
  const std::string text = StatusText(fleet::Join(seen), "payments", {}, false);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\x07")));
}

TEST(StatusJson, HoldsTheSame) {
  const json status = StatusJson(HealthyFleet(2, Mode::kEnabled), "payments", {});
  EXPECT_EQ(status["format"], "connect-eos/status/1");
  EXPECT_EQ(status["guarantee"]["in_force"], true);
  EXPECT_EQ(status["workers"][0]["running_mode"], "enabled");
  EXPECT_EQ(status["workers"][0]["evidence"], "file-older-than-process");
  EXPECT_EQ(status["workers"][0]["leader"], true);
  EXPECT_EQ(status["connectors"][0]["tasks"][0]["state"], "RUNNING");
}

TEST(Json, BytesThatAreNoUtf8DoNotStopIt) { EXPECT_THAT(Dump(json{{"x", "caf\xE9"}}), HasSubstr("caf")); }

TEST(Plan, SaysEveryStepAndNothingToDo) {
  const rollout::Plan plan = rollout::MakePlan(HealthyFleet(2), {Mode::kEnabled, "g"}, {});
  EXPECT_THAT(PlanText(plan, Mode::kEnabled, true, false),
              testing::AllOf(HasSubstr("preparing"), HasSubstr("WHY")));
  EXPECT_EQ(PlanJson(plan, Mode::kEnabled)["steps"].size(), 4U);
  const rollout::Plan none = rollout::MakePlan(HealthyFleet(2, Mode::kEnabled), {Mode::kEnabled, "g"}, {});
  EXPECT_THAT(PlanText(none, Mode::kEnabled, false, false), HasSubstr("nothing to do"));
}

TEST(Findings, HaveTheirFix) {
  const std::string text = FindingsText(
      {{rollout::Finding::Severity::kError, "w1", {Reason::kWorkerDown, "it is down", "start it"}, false}},
      false);
  EXPECT_EQ(text, "ERROR w1: it is down\n      To fix: start it\n");
}

TEST(Events, AreOneParsableLineEach) {
  const auto view = HealthyFleet(1);
  rollout::Decision decision;
  decision.kind = rollout::DecisionKind::kWait;
  decision.unmet = {"line\nbreak"};
  rollout::Event event;
  event.kind = rollout::Event::Kind::kDecided;
  event.at = fakes::kNoon;
  event.view = &view;
  event.decision = &decision;
  const std::string line = EventLine(event);
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  const json parsed = json::parse(line);
  EXPECT_EQ(parsed["kind"], "decided");
  EXPECT_EQ(parsed["decision"]["unmet"][0], "line\nbreak");
}

TEST(Live, LogGetsALineOnlyForNews) {
  LiveView live(Mode::kEnabled, false);
  rollout::Decision decision;
  decision.kind = rollout::DecisionKind::kWait;
  rollout::Event event;
  event.kind = rollout::Event::Kind::kDecided;
  event.decision = &decision;
  event.text = "waiting: at most 300 s left";
  EXPECT_NE(live.Line(event), "");
  event.text = "waiting: at most 299 s left";
  EXPECT_EQ(live.Line(event), "");
  event.text = "waiting: a task";
  EXPECT_NE(live.Line(event), "");
}

TEST(Live, PictureShowsProgress) {
  const auto view = HealthyFleet(2, Mode::kEnabled);
  LiveView live(Mode::kEnabled, false);
  rollout::Event event;
  event.view = &view;
  event.at = fakes::kNoon;
  EXPECT_THAT(live.Picture(event), HasSubstr("2 of 2 run enabled"));
}

}  // namespace
}  // namespace eos::report
