#include <gmock/gmock.h>

#include "agent/worker/log_source.h"
#include "agent/worker/log_sources.h"
#include "tests/fakes/temp_dir.h"

namespace eos::worker {
namespace {

// UTC is written with a Z, so that the tests do not depend on this host's zone.
constexpr Time kStart{Millis{1'796'112'000'000}};  // 2026-12-01T08:00:00Z

std::vector<std::string> Block(const std::string& time, const std::string& mode) {
  return {"[" + time + "] INFO DistributedConfig values: ",
          "\taccess.control.allow.methods = ",
          "\texactly.once.source.support = " + mode,
          "\tscheduled.rebalance.max.delay.ms = 300000",
          "\tssl.key.password = [hidden]",
          " (org.apache.kafka.connect.runtime.distributed.DistributedConfig:372)"};
}

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(ParsedConfiguration, IsTheLastBlockSinceTheStart) {
  const auto lines =
      Block("2026-12-01T07:00:00.000Z", "disabled") + Block("2026-12-01T08:00:01.000Z", "preparing");
  const auto parsed = ParsedConfiguration(lines, kStart);
  ASSERT_TRUE(parsed);
  const auto* const facts = &parsed->facts;
  EXPECT_EQ(facts->mode, Mode::kPreparing);
  EXPECT_EQ(facts->delay, Millis{300'000});
  EXPECT_EQ(facts->at, kStart + Millis{1'000});
}

TEST(ParsedConfiguration, TellsWhichClusterItIs) {
  const auto lines = std::vector<std::string>{"[2026-12-01T08:00:01.000Z] INFO DistributedConfig values: ",
                                              "\tconnect.protocol = sessioned",
                                              "\tgroup.id = payments",
                                              "\tconfig.storage.topic = c",
                                              "\toffset.storage.topic = o",
                                              "\tstatus.storage.topic = s"};
  EXPECT_EQ(ParsedConfiguration(lines, kStart)->facts.cluster,
            (ClusterSettings{"payments", "sessioned", "c", "o", "s"}));
}

TEST(ParsedConfiguration, ABlockOfAnEarlierProcessDoesNotCount) {
  EXPECT_FALSE(ParsedConfiguration(Block("2026-12-01T07:59:59.000Z", "enabled"), kStart));
}

TEST(ParsedConfiguration, LinesWithoutATimeDoNotCount) {
  auto lines = Block("2026-12-01T08:00:01.000Z", "enabled");
  lines.erase(lines.begin());
  EXPECT_FALSE(ParsedConfiguration(lines, kStart));
}

TEST(ParsedConfiguration, ValuesBehindTheNextMessageAreNotItsOwn) {
  auto lines = Block("2026-12-01T08:00:01.000Z", "enabled");
  lines.erase(lines.begin() + 2);
  lines.push_back("[2026-12-01T08:00:02.000Z] INFO something");
  lines.push_back("\texactly.once.source.support = disabled");
  EXPECT_EQ(ParsedConfiguration(lines, kStart)->facts.mode, std::nullopt);
}

TEST(CauseOfDeath, T44a_ConfigExceptionIsARejection) {
  EXPECT_EQ(
      CauseOfDeath({"[2026-12-01T08:00:03.000Z] ERROR Stopping due to error (AbstractConnectCli:100)",
                    "org.apache.kafka.common.config.ConfigException: Invalid value \"x\" for configuration "
                    "exactly.once.source.support"},
                   kStart),
      Death::kConfigRejected);
}

TEST(CauseOfDeath, KafkaThatIsNotThereIsNoRejection) {
  EXPECT_EQ(CauseOfDeath(
                {"[2026-12-01T08:00:03.000Z] ERROR Stopping due to error (AbstractConnectCli:100)",
                 "org.apache.kafka.connect.errors.ConnectException: Failed to connect to and describe Kafka "
                 "cluster. Check worker's broker connection and security properties.",
                 "Caused by: org.apache.kafka.common.config.ConfigException: x"},
                kStart),
            Death::kKafkaUnreachable);
}

TEST(CauseOfDeath, WordsOfAnEarlierLifeDoNotCount) {
  EXPECT_EQ(CauseOfDeath({"[2026-12-01T07:00:03.000Z] ERROR Stopping due to error",
                          "org.apache.kafka.common.config.ConfigException: x",
                          "[2026-12-01T08:00:03.000Z] INFO Kafka Connect started"},
                         kStart),
            Death::kUnknown);
}

TEST(LogFile, GivesTheTailInWholeLines) {
  const fakes::TempDir dir;
  const auto log = NewLogFile(dir.Write("w.log", "first line\nsecond line\nthird line\n"));
  EXPECT_THAT(*log->Tail({}, 20), testing::ElementsAre("third line"));
  EXPECT_THAT(*log->Tail({}, 1000), testing::SizeIs(3));
}

TEST(LogFile, RotationAndTruncationNeedNothing) {
  const fakes::TempDir dir;
  const auto log = NewLogFile(dir.Write("w.log", "old\n"));
  std::filesystem::rename(dir / "w.log", dir / "w.log.1");
  dir.Write("w.log", "new\n");
  EXPECT_THAT(*log->Tail({}, 1000), testing::ElementsAre("new"));
  std::filesystem::remove(dir / "w.log");
  EXPECT_EQ(ReasonOf(log->Tail({}, 1000).status()), Reason::kFileUnreadable);
}

}  // namespace
}  // namespace eos::worker
