// The agent dies at every single step of an operation, in turn: each write to its disk, each call to the
// host. Its successor finishes what the ledger holds.
#include <gmock/gmock.h>

#include "tests/unit/agent/operations/bench.h"

namespace eos::operations {
namespace {

using fakes::Crash;
using Fault = fakes::FaultyFileSystem::Fault;

struct Setting {
  const char* name;
  bool systemd;
  bool rejects;
  DelayChange delay;
};

void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name; }

class CrashAtEveryStep : public testing::TestWithParam<Setting> {
 protected:
  static constexpr char kOld[] = "group.id=g\nexactly.once.source.support=disabled\n";

  static void Prepare(Bench& bench) {
    bench.host.restarts_by_itself = GetParam().systemd;
    if (GetParam().rejects) {
      bench.host.judge = [](const std::string& bytes) {
        return bytes == kOld ? Death::kUnknown : Death::kConfigRejected;
      };
    }
  }

  // Runs until the end or a crash; true: crashed.
  static bool Crashes(Bench& bench, OperationRecord& record) {
    try {
      EXPECT_TRUE(bench.Carry(record));
      return false;
    } catch (const Crash&) {
      return true;
    }
  }

  static void Successor(Bench& bench, const std::string& where) {
    bench.disk.fault = [](int) { return Fault::kNone; };
    bench.host.before_call = nullptr;
    bench.host.Pass(Millis{20'000});  // the service manager goes on alone meanwhile
    const auto problems = bench.ledger.Open();
    ASSERT_TRUE(problems.ok()) << where;
    EXPECT_THAT(*problems, testing::IsEmpty()) << where << ": a crash damages no record";
    auto record = bench.ledger.ReadOperation("op-00000001");
    ASSERT_TRUE(record.ok()) << where;
    if (!record->finished()) {
      ASSERT_TRUE(bench.Carry(*record)) << where;
    }
    Judge(bench, *record, where);
  }

  static void Judge(Bench& bench, const OperationRecord& record, const std::string& where) {
    EXPECT_TRUE(bench.host.Runs()) << where << ": S7";
    const bool rolled_back = GetParam().rejects;
    EXPECT_EQ(record.outcome, rolled_back ? OperationOutcome::kRolledBack : OperationOutcome::kDone)
        << where << (record.problem ? ": " + record.problem->message : "");
    EXPECT_EQ(bench.host.file == kOld, rolled_back) << where;
    EXPECT_LE(bench.host.contents.size(), rolled_back ? 3U : 2U) << where << ": S3, old or new bytes only";
    if (!rolled_back) {
      EXPECT_EQ(bench.host.jvm_starts, 1) << where << ": restarted once";
    }
    for (const auto& [path, bytes] : bench.disk.files) {
      EXPECT_EQ(path.find("connect-eos-tmp"), std::string::npos) << where << ": left over " << path;
    }
    const bool temporary = GetParam().delay == DelayChange::kSetTemporary && !rolled_back;
    EXPECT_EQ((*bench.ledger.ReadDelay("w1")).has_value(), temporary) << where << ": S8";
  }
};

INSTANTIATE_TEST_SUITE_P(
    Settings, CrashAtEveryStep,
    testing::Values(Setting{"systemd", true, false, DelayChange::kKeep},
                    Setting{"commands", false, false, DelayChange::kKeep},
                    Setting{"systemd_temporary_delay", true, false, DelayChange::kSetTemporary},
                    Setting{"commands_temporary_delay", false, false, DelayChange::kSetTemporary},
                    Setting{"systemd_rejects", true, true, DelayChange::kKeep},
                    Setting{"commands_rejects", false, true, DelayChange::kSetTemporary}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(CrashAtEveryStep, OfTheDisk) {
  for (const Fault kind : {Fault::kCrashBefore, Fault::kCrashAfter, Fault::kTorn}) {
    for (int step = 1;; ++step) {
      Bench bench;
      Prepare(bench);
      OperationRecord record = bench.Begin(Mode::kPreparing, GetParam().delay);
      const int first = bench.disk.steps;
      bench.disk.fault = [&](int number) { return number == first + step ? kind : Fault::kNone; };
      if (!Crashes(bench, record)) {
        EXPECT_GT(step, 10) << "the operation has many steps";
        break;
      }
      Successor(bench, "disk step " + std::to_string(step));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(CrashAtEveryStep, OfTheHost) {
  for (int call = 1;; ++call) {
    Bench bench;
    Prepare(bench);
    OperationRecord record = bench.Begin(Mode::kPreparing, GetParam().delay);
    int calls = 0;
    bench.host.before_call = [&] {
      if (++calls == call) throw Crash();
    };
    if (!Crashes(bench, record)) {
      EXPECT_GT(call, 4);
      break;
    }
    Successor(bench, "host call " + std::to_string(call));
    if (HasFatalFailure()) return;
  }
}

TEST_P(CrashAtEveryStep, OrTheDiskIsFullFromThereOn) {
  for (int step = 1;; ++step) {
    Bench bench;
    Prepare(bench);
    OperationRecord record = bench.Begin(Mode::kPreparing, GetParam().delay);
    const int first = bench.disk.steps;
    bench.disk.fault = [&](int number) { return number >= first + step ? Fault::kFail : Fault::kNone; };
    const bool ended = bench.Carry(record, Millis{90'000});
    if (bench.disk.steps < first + step) break;  // it never came to that step
    EXPECT_TRUE(bench.host.Runs()) << step << ": S7";
    EXPECT_TRUE(bench.host.file == kOld || record.outcome == OperationOutcome::kDone || !ended) << step;
    // Once something shows it is not over until that is recorded: the agent's next start, maybe days later,
    // would go on from what the ledger says.
    bench.disk.fault = [](int) { return Fault::kNone; };
    ASSERT_TRUE(bench.Carry(record)) << step;
    const OperationStep recorded = bench.ledger.ReadOperation(record.request.id)->step;
    EXPECT_TRUE(recorded == OperationStep::kFinished || recorded <= OperationStep::kBackedUp) << step;
  }
}

}  // namespace
}  // namespace eos::operations
