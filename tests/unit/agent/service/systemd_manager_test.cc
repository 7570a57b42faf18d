// Against a real D-Bus, on which a scripted systemd answers.
#include "agent/service/systemd_manager.h"

#include <gmock/gmock.h>

#include "tests/fakes/fake_systemd.h"

namespace eos::service {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class SystemdTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_FALSE(bus.address().empty()) << "dbus-daemon is missing: apt-get install dbus-daemon";
    systemd = std::make_unique<fakes::FakeSystemd>(bus.address());
    ASSERT_TRUE(systemd->ready());
    manager = NewSystemdManager({"kafka-connect.service", bus.address()});
  }
  fakes::PrivateBus bus;
  std::unique_ptr<fakes::FakeSystemd> systemd;
  std::unique_ptr<ServiceManager> manager;
};

TEST_F(SystemdTest, ReadsTheUnit) {
  const auto facts = manager->Look();
  ASSERT_TRUE(facts.ok()) << facts.status();
  EXPECT_EQ(facts->state, ServiceState::kRunning);
  EXPECT_EQ(facts->detail, "active/running");
  EXPECT_EQ(facts->stop_limit, Millis{90'000});
  EXPECT_THAT(facts->warnings, testing::IsEmpty()) << "143 is read from (aiai)";
  EXPECT_EQ(**manager->MainPid(), 4711);
  EXPECT_TRUE(manager->Check().ok());
  EXPECT_TRUE(manager->RestartsByItself());
}

TEST_F(SystemdTest, RequestsAreJobsOfTheManager) {
  EXPECT_TRUE(manager->RequestStop().ok());
  EXPECT_TRUE(manager->RequestStart().ok());
  EXPECT_TRUE(manager->RequestRestart().ok());
  EXPECT_THAT(systemd->calls, ElementsAre("StopUnit", "StartUnit", "RestartUnit"));
}

TEST_F(SystemdTest, T51_PolkitsRefusalSaysWhichRuleToInstall) {
  systemd->denies = true;
  const Status denied = manager->RequestRestart();
  EXPECT_EQ(ReasonOf(denied), Reason::kServiceDenied);
  EXPECT_THAT(Render(denied),
              testing::AllOf(HasSubstr("Interactive authentication required"), HasSubstr("polkit")));
}

TEST_F(SystemdTest, T47_StartLimitIsResetOnceThenStarted) {
  systemd->result = "start-limit-hit";
  systemd->active_state = "failed";
  EXPECT_TRUE(manager->RequestStart().ok());
  EXPECT_THAT(systemd->calls, ElementsAre("ResetFailedUnit", "StartUnit"));
}

TEST_F(SystemdTest, MissingUnitIsToldByTheCheck) {
  systemd->load_state = "not-found";
  const Status missing = manager->Check();
  EXPECT_EQ(ReasonOf(missing), Reason::kServiceNotFound);
  EXPECT_THAT(Render(missing), HasSubstr("systemctl status kafka-connect.service"));
}

TEST_F(SystemdTest, ExitStatusOfARejectedConfigurationIsTold) {
  systemd->active_state = "activating";
  systemd->sub_state = "auto-restart";
  systemd->result = "exit-code";
  systemd->exec_main_code = 1;
  systemd->exec_main_status = 2;
  systemd->main_pid = 0;
  const auto facts = manager->Look();
  EXPECT_EQ(facts->state, ServiceState::kStarting);
  EXPECT_EQ(facts->exit_status, 2);
}

TEST_F(SystemdTest, BusThatGoesAwayIsAnErrorNotACrash) {
  ASSERT_TRUE(manager->Look().ok());
  systemd.reset();
  bus.End();
  EXPECT_EQ(ReasonOf(manager->Look().status()), Reason::kServiceFailed);
  EXPECT_EQ(ReasonOf(manager->RequestStart()), Reason::kServiceFailed);
}

}  // namespace
}  // namespace eos::service
