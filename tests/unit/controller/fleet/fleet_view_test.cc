#include "controller/fleet/fleet_view.h"

#include <gmock/gmock.h>

#include "tests/fakes/healthy_fleet.h"

namespace eos::fleet {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

TEST(Join, MarksMembersAndTheLeader) {
  const FleetView view = fakes::HealthyFleet(3);
  EXPECT_THAT(view.strangers, IsEmpty());
  EXPECT_TRUE(view.workers[0].leader);
  EXPECT_FALSE(view.workers[1].leader);
  for (const WorkerView& worker : view.workers) EXPECT_TRUE(worker.member);
  EXPECT_EQ(view.Find("w2")->agent, "c2");
  EXPECT_EQ(view.Find("w9"), nullptr);
}

TEST(Join, UrlsAreComparedWithoutCaseAndSlash) {
  auto seen = fakes::HealthyObservations(1);
  seen.workers[0].second.advertised_url = "HTTP://C1:8083";
  EXPECT_TRUE(Join(seen).workers[0].member);
  EXPECT_THAT(Join(seen).strangers, IsEmpty());
}

TEST(Join, T33_MemberOfNoInventoryIsAStranger) {
  auto seen = fakes::HealthyObservations(2);
  seen.group->members.push_back(fakes::HealthyMember(9));
  ASSERT_THAT(Join(seen).strangers, SizeIs(1));
  EXPECT_EQ(Join(seen).strangers[0].url, "http://c9:8083/");
}

TEST(Join, InMidRebalanceNobodyIsAStrangerAndNobodyAMember) {
  auto seen = fakes::HealthyObservations(2);
  seen.group->state = "PreparingRebalance";
  for (auto& member : seen.group->members) member.url.clear();
  seen.group->leader_url.clear();
  const FleetView view = Join(seen);
  EXPECT_THAT(view.strangers, IsEmpty());
  EXPECT_FALSE(view.workers[0].member);
  EXPECT_FALSE(view.workers[0].leader);
}

TEST(WorkerId, IsHostAndPort) {
  EXPECT_EQ(WorkerIdOf("https://C1.example:8443/"), "c1.example:8443");
  EXPECT_EQ(WorkerIdOf("http://[::1]:8083"), "[::1]:8083");
}

}  // namespace
}  // namespace eos::fleet
