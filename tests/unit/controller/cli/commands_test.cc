#include "controller/cli/commands.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/fakes/fake_agent_client.h"
#include "tests/fakes/fake_topics.h"
#include "tests/fakes/simulated_fleet.h"
#include "tests/fakes/temp_dir.h"

namespace eos::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class CommandsTest : public testing::Test {
 protected:
  CommandsTest() { inventory.fleet = "payments"; }

  template <typename Command>
  ExitCode Run(Command command, bool as_json = false) {
    Options options = wanted;
    options.json = as_json;
    out.str("");
    err.str("");
    Context context{inventory, fleet.Clients(), fleet, topics.Opener(), fleet.clock(), out, err, {}, stop};
    if (!fakes.empty()) {
      for (auto& fake : fakes) context.agents[fake->name()] = fake.get();
    }
    return command(options, context);
  }
  void FakeAgents() {
    for (int i = 1; i <= 3; ++i)
      fakes.push_back(std::make_unique<fakes::FakeAgentClient>("c" + std::to_string(i)));
  }

  fleet::Inventory inventory;
  fakes::SimulatedFleet fleet{3};
  fakes::FakeTopics topics;
  std::vector<std::unique_ptr<fakes::FakeAgentClient>> fakes;
  fleet::StopFlag stop = false;
  Options wanted;
  std::ostringstream out;
  std::ostringstream err;
};

TEST_F(CommandsTest, StatusAndWorkersAnswerAndTellWhoDidNot) {
  EXPECT_EQ(Run(Status), ExitCode::kDone);
  EXPECT_THAT(out.str(), HasSubstr("3 run disabled"));
  EXPECT_EQ(Run(Workers, true), ExitCode::kDone);
  EXPECT_EQ(json::parse(out.str())["workers"].size(), 3U);
  fleet.seen().agents[1].facts.reset();
  EXPECT_EQ(Run(Status), ExitCode::kUnreachable);
  EXPECT_THAT(out.str(), HasSubstr("agent does not answer"));
}

TEST_F(CommandsTest, PlanSaysByItsExitCodeWhetherThereIsSomethingToDo) {
  EXPECT_EQ(Run(Plan), ExitCode::kChangesPending);
  EXPECT_EQ(Run(Plan, true), ExitCode::kChangesPending);
  EXPECT_EQ(json::parse(out.str())["steps"].size(), 6U);
  wanted.to = Mode::kDisabled;
  EXPECT_EQ(Run(Plan), ExitCode::kDone);
  fleet.seen().group->members.push_back(fakes::HealthyMember(9));
  EXPECT_EQ(Run(Plan), ExitCode::kRefused);
  EXPECT_THAT(err.str(), HasSubstr("no inventory"));
}

TEST_F(CommandsTest, PreflightChecksThatEveryWorkerReachesEveryOther) {
  FakeAgents();
  EXPECT_EQ(Run(Preflight), ExitCode::kDone);
  EXPECT_THAT(out.str(), HasSubstr("nothing stands in the way of 3 workers"));
  fakes[1]->reach = {{"http://c1:8083/", ReachStep::kConnect, "refused"}};
  EXPECT_NE(Run(Preflight), ExitCode::kDone);
  EXPECT_THAT(out.str(),
              testing::AllOf(HasSubstr("w2"), HasSubstr("cannot be reached"), HasSubstr("To fix:")));
}

TEST_F(CommandsTest, PreflightTellsWhichConnectorsCannotOnceAWorkerRunsEnabled) {
  FakeAgents();
  fakes[0]->probe = {Probe::kConnectorNotCapable, "org.example.Source", ""};
  EXPECT_EQ(Run(Preflight), ExitCode::kDone);
  EXPECT_THAT(out.str(), testing::Not(HasSubstr("capable"))) << "a worker that is not enabled does not tell";
  for (int i = 1; i <= 3; ++i) fleet.Worker(i) = fakes::HealthyWorker(i, Mode::kEnabled);
  EXPECT_EQ(Run(Preflight), ExitCode::kDone) << "a warning";
  EXPECT_THAT(out.str(), HasSubstr("connector \"orders1\" (org.example.Source): it is not capable"));
  fakes[0]->probe.result = Probe::kWorkerNotEnabled;
  EXPECT_EQ(Run(Preflight), ExitCode::kRefused);
}

TEST_F(CommandsTest, ApplyDoesItAndWritesEvents) {
  const fakes::TempDir dir;
  wanted.events = dir / "events.ndjson";
  EXPECT_EQ(Run(Apply), ExitCode::kDone);
  EXPECT_THAT(out.str(), HasSubstr("done in"));
  std::istringstream lines(dir.Read("events.ndjson"));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_EQ(json::parse(line)["format"], "connect-eos/event/1");
  EXPECT_GT(count, 20);
  EXPECT_EQ(Run(Apply, true), ExitCode::kDone);
  EXPECT_EQ(json::parse(out.str())["exit_code"], 0);
}

TEST_F(CommandsTest, ApplyThatIsRefusedSaysWhyAndWhatToDo) {
  fleet.HoldLeaseAs("somebody");
  EXPECT_EQ(Run(Apply), ExitCode::kRefused);
  EXPECT_THAT(err.str(), HasSubstr("somebody"));
  EXPECT_EQ(Run(Apply, true), ExitCode::kRefused);
  EXPECT_EQ(json::parse(out.str())["error"]["reason"], "LEASE_HELD");
}

TEST_F(CommandsTest, EventsFileThatCannotBeWrittenIsAUsageErrorBeforeAnything) {
  wanted.events = "/nonexistent/x";
  EXPECT_EQ(Run(Apply), ExitCode::kUsage);
  EXPECT_TRUE(fleet.operations().empty());
}

TEST_F(CommandsTest, InterruptedApplySaysWhereThingsStand) {
  stop = true;
  EXPECT_EQ(Run(Apply), ExitCode::kInterrupted);
  EXPECT_THAT(err.str(), HasSubstr("run the same apply again"));
}

TEST_F(CommandsTest, UnlockExplainsAndEndsOnlyWhenTold) {
  FakeAgents();
  EXPECT_EQ(Run(Unlock), ExitCode::kDone);
  for (auto& fake : fakes)
    fake->lease = Lease{"payments", "session-1", "alice@jump1", "", 4, fakes::kNoon, Millis{1'000}};
  wanted.take_over = "session-1";
  EXPECT_EQ(Run(Unlock), ExitCode::kRefused) << "without --yes it only tells";
  EXPECT_THAT(out.str(), testing::AllOf(HasSubstr("alice@jump1"), HasSubstr("--take-over session-1 --yes")));
  wanted.yes = true;
  EXPECT_EQ(Run(Unlock), ExitCode::kDone);
  EXPECT_FALSE(fakes[0]->lease);
}

}  // namespace
}  // namespace eos::cli
