#include <gmock/gmock.h>

#include "common/model/connectors.h"
#include "common/model/operation.h"
#include "common/model/running_mode.h"

namespace eos {
namespace {

constexpr Time kStart{Millis{1'000'000}};

WorkerFacts Running(Mode file, Time changed) {
  WorkerFacts facts;
  facts.process_known = true;
  facts.process = ProcessFacts{1, 1, "boot", kStart, true, true};
  facts.file = FileFacts{};
  facts.file->mode = file;
  facts.file->changed = changed;
  return facts;
}

TEST(ParseMode, AsKafkaReadsIt) {
  EXPECT_EQ(ParseMode(" PREPARING\t"), Mode::kPreparing);
  EXPECT_EQ(ParseMode("enabled"), Mode::kEnabled);
  for (const char* bad : {"", "\"enabled\"", "enabled # x", "true", "enable"})
    EXPECT_EQ(ParseMode(bad), std::nullopt);
}

TEST(RunningMode, FileOlderThanTheProcessTells) {
  const auto mode = ConcludeRunningMode(Running(Mode::kEnabled, kStart - Millis{1'000}));
  EXPECT_EQ(mode.mode, Mode::kEnabled);
  EXPECT_EQ(mode.evidence, ModeEvidence::kFileOlder);
}

TEST(RunningMode, FileChangedRightBeforeTheStartDoesNot) {
  EXPECT_EQ(ConcludeRunningMode(Running(Mode::kEnabled, kStart - Millis{49})).mode, std::nullopt);
  EXPECT_EQ(ConcludeRunningMode(Running(Mode::kEnabled, kStart - Millis{50})).mode, Mode::kEnabled);
  EXPECT_EQ(ConcludeRunningMode(Running(Mode::kEnabled, kStart + Millis{1})).mode, std::nullopt);
}

TEST(RunningMode, LogWinsOverANewerFileAndConflictIsUnknown) {
  WorkerFacts facts = Running(Mode::kEnabled, kStart + Millis{5'000});
  facts.log = LogFacts{Mode::kPreparing, Millis{1'000}, kStart};
  EXPECT_EQ(ConcludeRunningMode(facts).mode, Mode::kPreparing);
  EXPECT_EQ(ConcludeRunningDelay(facts), Millis{1'000});
  facts.file->changed = kStart - Millis{5'000};
  EXPECT_EQ(ConcludeRunningMode(facts).mode, std::nullopt);
  EXPECT_EQ(ConcludeRunningMode(facts).evidence, ModeEvidence::kConflict);
}

TEST(RunningMode, NoProcessAndUnseenProcessDiffer) {
  WorkerFacts facts = Running(Mode::kEnabled, kStart);
  facts.process.reset();
  EXPECT_EQ(ConcludeRunningMode(facts).evidence, ModeEvidence::kNotRunning);
  facts.process_known = false;
  EXPECT_EQ(ConcludeRunningMode(facts).evidence, ModeEvidence::kNone);
}

TEST(RunningDelay, AbsentKeyIsKafkasDefault) {
  EXPECT_EQ(ConcludeRunningDelay(Running(Mode::kEnabled, kStart - Millis{1'000})), Millis{300'000});
}

TEST(Forbidden, IsOneBesideTheOther) {
  EXPECT_TRUE(Forbidden(Mode::kEnabled, Mode::kDisabled));
  EXPECT_FALSE(Forbidden(Mode::kEnabled, Mode::kPreparing));
  EXPECT_FALSE(Forbidden(Mode::kDisabled, Mode::kPreparing));
}

TEST(Probe, T32_NoAnswerNeverCountsAsEnabled) {
  EXPECT_EQ(ProvesEnabled(Probe::kUnknown), std::nullopt);
  EXPECT_EQ(ProvesEnabled(Probe::kWorkerNotEnabled), false);
  for (const Probe probe : {Probe::kCapable, Probe::kConnectorNotCapable, Probe::kConnectorUndeclared}) {
    EXPECT_EQ(ProvesEnabled(probe), true);
  }
}

TEST(Validate, HoldsTheRequestToItsRanges) {
  OperationRequest good;
  good.id = "op-00000001";
  good.worker = "w1";
  good.expected_sha256 = std::string(64, 'f');
  EXPECT_TRUE(Validate(good).ok());
  const auto bad = [&](auto spoil) {
    OperationRequest request = good;
    spoil(request);
    EXPECT_EQ(ReasonOf(Validate(request)), Reason::kInvalidArgument);
  };
  bad([](auto& r) { r.id = "short"; });
  bad([](auto& r) { r.id = "OP-00000001"; });
  bad([](auto& r) { r.worker = ""; });
  bad([](auto& r) { r.expected_sha256 = std::string(64, 'F'); });
  bad([](auto& r) { r.stop_limit = Millis{999}; });
  bad([](auto& r) { r.start_limit = std::chrono::hours{2}; });
  bad([](auto& r) {
    r.delay = DelayChange::kSetTemporary;
    r.temporary_delay = Millis{-1};
  });
}

}  // namespace
}  // namespace eos
