#include "agent/service/unit_facts.h"

#include <gmock/gmock.h>

namespace eos::service {
namespace {

using testing::Contains;
using testing::HasSubstr;

UnitProperties Good() {
  UnitProperties unit;
  unit.load_state = "loaded";
  unit.active_state = "active";
  unit.sub_state = "running";
  unit.result = "success";
  unit.main_pid = 100;
  unit.timeout_stop_usec = 90'000'000;
  unit.restart = "on-failure";
  unit.success_has_143 = true;
  return unit;
}

TEST(UnitFacts, GoodUnitHasNoWarnings) {
  const ServiceFacts facts = FactsOf(Good());
  EXPECT_EQ(facts.state, ServiceState::kRunning);
  EXPECT_EQ(facts.detail, "active/running");
  EXPECT_EQ(facts.stop_limit, Millis{90'000});
  EXPECT_THAT(facts.warnings, testing::IsEmpty());
}

TEST(UnitFacts, StatesAreSystemdsOwn) {
  const auto state = [](const char* active) {
    UnitProperties unit = Good();
    unit.active_state = active;
    return FactsOf(unit).state;
  };
  EXPECT_EQ(state("activating"), ServiceState::kStarting);
  EXPECT_EQ(state("deactivating"), ServiceState::kStopping);
  EXPECT_EQ(state("inactive"), ServiceState::kStopped);
  EXPECT_EQ(state("failed"), ServiceState::kFailed);
  EXPECT_EQ(state("maintenance"), ServiceState::kUnknown);
}

TEST(UnitFacts, ExitStatusIsToldOnceTheProcessIsGone) {
  UnitProperties unit = Good();
  unit.exec_main_code = 1;
  unit.exec_main_status = 2;
  EXPECT_EQ(FactsOf(unit).exit_status, std::nullopt);
  unit.main_pid = 0;
  unit.active_state = "failed";
  unit.sub_state = "failed";
  unit.result = "exit-code";
  EXPECT_EQ(FactsOf(unit).exit_status, 2);
  EXPECT_EQ(FactsOf(unit).detail, "failed/failed (exit-code)");
  unit.exec_main_code = 2;  // killed by a signal: the number is no exit status
  EXPECT_EQ(FactsOf(unit).exit_status, std::nullopt);
}

TEST(UnitFacts, TroubleIsSaidBeforeItHappens) {
  UnitProperties unit = Good();
  unit.need_daemon_reload = true;
  unit.success_has_143 = false;
  unit.restart = "no";
  const auto warnings = FactsOf(unit).warnings;
  EXPECT_THAT(warnings, Contains(HasSubstr("daemon-reload")));
  EXPECT_THAT(warnings, Contains(HasSubstr("143")));
  EXPECT_THAT(warnings, Contains(HasSubstr("Restart=no")));
}

TEST(UnitFacts, EndlessStopTimeoutIsNoLimit) {
  UnitProperties unit = Good();
  unit.timeout_stop_usec = ~uint64_t{0};
  EXPECT_EQ(FactsOf(unit).stop_limit, std::nullopt);
}

}  // namespace
}  // namespace eos::service
