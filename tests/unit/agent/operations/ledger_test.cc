#include "agent/operations/ledger.h"

#include <gmock/gmock.h>

#include "tests/fakes/faulty_file_system.h"

namespace eos::operations {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

OperationRecord Record(const std::string& id) {
  OperationRecord record;
  record.request.id = id;
  record.request.worker = "w1";
  record.request.expected_sha256 = std::string(64, 'a');
  record.request.mode = Mode::kEnabled;
  record.request.delay = DelayChange::kSetTemporary;
  record.request.temporary_delay = Millis{1'000};
  record.step = OperationStep::kStarting;
  record.problem = Problem{Reason::kStopTimeout, "it hangs", "kill it"};
  record.caller = "spiffe://example/operator/alice";
  record.old_process = ProcessFacts{7, 9, "boot", Time{Millis{5}}, true, true};
  record.starts = 2;
  return record;
}

class LedgerTest : public testing::Test {
 protected:
  fakes::FaultyFileSystem disk;
  Ledger ledger{disk, "state"};
};

TEST_F(LedgerTest, GivesBackWhatItWasGiven) {
  const OperationRecord record = Record("op-00000001");
  ASSERT_TRUE(ledger.WriteOperation(record).ok());
  EXPECT_EQ(*ledger.ReadOperation("op-00000001"), record);
  const TemporaryDelay delay{Millis{1'000}, std::string("30\xE9\0\\\n 0", 8), Time{Millis{77}}};
  ASSERT_TRUE(ledger.WriteDelay("w1", delay).ok());
  EXPECT_EQ(**ledger.ReadDelay("w1"), delay);
  StoredLease lease{{"payments", "session-00000001", "al\xC3\xA9", "spiffe://x/y", 4, Time{Millis{9}}, {}},
                    "boot",
                    Millis{60'000},
                    Millis{30'000},
                    true};
  ASSERT_TRUE(ledger.WriteLease(lease).ok());
  const auto read = *ledger.ReadLease("payments");
  EXPECT_EQ(read->lease, lease.lease);
  EXPECT_TRUE(read->released);
}

TEST_F(LedgerTest, DamageIsReportedNeverGuessedAtAndOthersStayUsable) {
  ASSERT_TRUE(ledger.WriteOperation(Record("op-00000001")).ok());
  ASSERT_TRUE(ledger.WriteOperation(Record("op-00000002")).ok());
  const std::string path = "state/operations/op-00000001.json";
  const std::string good = disk.files[path];
  std::string altered = good;
  altered.replace(altered.find("\"starting\""), 10, "\"finished\"");
  std::string newer = good;
  newer.replace(newer.find("operation/1"), 11, "operation/2");
  for (const std::string& bytes :
       {good.substr(0, good.size() / 2), std::string(), std::string("{}"), std::string("[1]"), altered, newer,
        disk.files["state/operations/op-00000002.json"]}) {
    disk.files[path] = bytes;
    const auto record = ledger.ReadOperation("op-00000001");
    EXPECT_EQ(ReasonOf(record.status()), Reason::kLedgerDamaged) << bytes;
    EXPECT_THAT(std::string(record.status().message()), HasSubstr(path));
    const auto problems = ledger.Open();
    ASSERT_TRUE(problems.ok());
    EXPECT_THAT(*problems, SizeIs(1));
    EXPECT_TRUE(ledger.ReadOperation("op-00000002").ok());
  }
}

TEST_F(LedgerTest, EveryTruncationAndEveryFlippedByteIsNoticed) {
  ASSERT_TRUE(ledger.WriteDelay("w1", TemporaryDelay{Millis{1'000}, "300000", Time{}}).ok());
  const std::string path = "state/delays/w1.json";
  const std::string good = disk.files[path];
  const auto value = **ledger.ReadDelay("w1");
  for (size_t i = 0; i + 2 < good.size(); ++i) {
    disk.files[path] = good.substr(0, i);
    EXPECT_EQ(ReasonOf(ledger.ReadDelay("w1").status()), Reason::kLedgerDamaged) << i;
    disk.files[path] = good;
    disk.files[path][i] = static_cast<char>(disk.files[path][i] ^ 0x01);
    const auto read = ledger.ReadDelay("w1");
    // A changed space between tokens says the same.
    if (read.ok()) {
      EXPECT_EQ(**read, value) << i;
    }
  }
}

TEST_F(LedgerTest, NamesThatAreNoFileNamesAreRefused) {
  for (const std::string name : {"../../etc/passwd", "a/b", "", ".", "..", "a b", "a\nb", "\xC3\xA9"}) {
    EXPECT_EQ(ReasonOf(ledger.ReadOperation(name).status()), Reason::kInvalidArgument) << name;
    EXPECT_EQ(ReasonOf(ledger.ReadLease(name).status()), Reason::kInvalidArgument) << name;
    EXPECT_EQ(ReasonOf(ledger.WriteDelay(name, std::nullopt)), Reason::kInvalidArgument) << name;
  }
}

TEST_F(LedgerTest, PruneKeepsTheNewestAndAllUnfinished) {
  for (int i = 0; i < 6; ++i) {
    OperationRecord record = Record("op-0000000" + std::to_string(i));
    record.accepted = Time{Millis{i}};
    record.step = i == 0 ? OperationStep::kStarting : OperationStep::kFinished;
    ASSERT_TRUE(ledger.WriteOperation(record).ok());
    ASSERT_TRUE(ledger.KeepOldBytes(record.request.id, "password=secret\n").ok());
  }
  ASSERT_TRUE(ledger.Prune(2).ok());
  std::vector<Problem> problems;
  EXPECT_THAT(ledger.Operations(problems), SizeIs(3));
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_FALSE(disk.files.contains("state/operations/op-00000001.old")) << "old bytes hold secrets";
}

TEST_F(LedgerTest, LeftOverOfACrashIsRemovedAtTheStart) {
  disk.files["state/operations/.op-00000001.json.connect-eos-tmp"] = "half";
  ASSERT_TRUE(ledger.Open().ok());
  EXPECT_THAT(disk.files, IsEmpty());
}

}  // namespace
}  // namespace eos::operations
