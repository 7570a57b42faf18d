#include "controller/fleet/observer.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "tests/fakes/await.h"
#include "tests/fakes/fake_agent_client.h"
#include "tests/fakes/healthy_fleet.h"

namespace eos::fleet {
namespace {

class FakeGroup final : public kafka::GroupReader {
 public:
  StatusOr<kafka::GroupView> view = kafka::GroupView{};
  StatusOr<kafka::GroupView> Read(Millis) override { return view; }
};

class ObserverTest : public testing::Test {
 protected:
  ObserverTest() {
    const auto healthy = fakes::HealthyObservations(2);
    for (size_t i = 0; i < 2; ++i) {
      agents[i].report = HostReport{*healthy.agents[i].facts, {healthy.workers[i].second}};
      agents[i].connectors = *healthy.connectors;
    }
    group.view = *healthy.group;
    observer = NewFleetObserver(inventory, {&agents[0], &agents[1]}, group, clock);
  }

  Inventory inventory;
  fakes::FakeClock clock;
  fakes::FakeAgentClient agents[2]{fakes::FakeAgentClient("c1"), fakes::FakeAgentClient("c2")};
  FakeGroup group;
  std::unique_ptr<FleetObserver> observer;
};

TEST_F(ObserverTest, JoinsAllThatAnswered) {
  const FleetView view = observer->Observe();
  EXPECT_EQ(view.workers.size(), 2U);
  EXPECT_EQ(view.connectors->size(), 2U);
  EXPECT_TRUE(view.workers[0].leader);
}

TEST_F(ObserverTest, WhatDidNotAnswerIsAbsentWithTheReason) {
  agents[0].report = Err(Reason::kCertificateExpired, "its certificate ended");
  group.view = Err(Reason::kGroupUnreadable, "no broker");
  const FleetView view = observer->Observe();
  EXPECT_FALSE(view.agents[0].facts);
  EXPECT_EQ(view.agents[0].unreached->reason, Reason::kCertificateExpired);
  EXPECT_FALSE(view.group);
  EXPECT_EQ(view.group_problem->reason, Reason::kGroupUnreadable);
  EXPECT_TRUE(view.connectors) << "the other worker told";
}

TEST_F(ObserverTest, NextWorkerIsAskedForConnectorsIfOneFails) {
  agents[0].connectors = Err(Reason::kRestUnavailable, "HTTP 409");
  EXPECT_TRUE(observer->Observe().connectors);
  agents[1].connectors = Err(Reason::kRestUnavailable, "HTTP 409");
  const FleetView view = observer->Observe();
  EXPECT_FALSE(view.connectors);
  EXPECT_TRUE(view.connectors_problem);
}

TEST_F(ObserverTest, ReportWakesAWaitEarly) {
  const StopFlag stop = false;
  std::atomic<bool> woken = false;
  observer->AwaitChange(Millis{1}, stop);  // begins to watch
  ASSERT_TRUE(fakes::Await([&] { return agents[0].watchers() == 1 && agents[1].watchers() == 1; }));
  std::thread waiter([&] {
    observer->AwaitChange(Millis{600'000}, stop);
    woken = true;
  });
  EXPECT_TRUE(fakes::Await([&] {
    agents[1].Push();
    return woken.load();
  }));
  waiter.join();
}

TEST_F(ObserverTest, StopEndsAWait) {
  const StopFlag stop = true;
  observer->AwaitChange(Millis{600'000}, stop);
  SUCCEED();
}

}  // namespace
}  // namespace eos::fleet
