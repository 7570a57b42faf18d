#include "controller/kafka/transaction_log.h"

#include <gmock/gmock.h>

#include "tests/fakes/healthy_fleet.h"
#include "tests/fakes/kafka_bytes.h"

namespace eos::kafka {
namespace {

using fakes::LogKey;
using fakes::LogValue;

Transaction Committing() {
  Transaction transaction;
  transaction.id = "connect-orders-0";
  transaction.producer_id = 7;
  transaction.epoch = 12;
  transaction.timeout = Millis{60'000};
  transaction.state = TransactionState::kPrepareCommit;
  transaction.partitions = {{"connect-offsets", {3, 17}}, {"orders", {0}}};
  transaction.updated = fakes::kNoon;
  transaction.started = fakes::kNoon - Millis{250};
  return transaction;
}

TEST(TransactionLog, BothVersionsOfAValueAreRead) {
  for (const int16_t version : {0, 1}) {
    const auto entry = DecodeLogEntry(LogKey("connect-orders-0"), LogValue(Committing(), version));
    ASSERT_TRUE(entry.ok()) << version;
    EXPECT_EQ(entry->transaction, Committing()) << version;
    EXPECT_FALSE(entry->forgotten);
  }
  EXPECT_TRUE(Committing().Spans("orders"));
  EXPECT_FALSE(Committing().Spans("order"));
}

TEST(TransactionLog, ATombstoneForgetsTheId) {
  const auto entry = DecodeLogEntry(LogKey("connect-orders-0"), std::nullopt);
  ASSERT_TRUE(entry.ok());
  EXPECT_TRUE(entry->forgotten);
  EXPECT_EQ(entry->transaction.id, "connect-orders-0");
}

TEST(TransactionLog, NothingOpenHasNoStart) {
  Transaction complete = Committing();
  complete.state = TransactionState::kCompleteCommit;
  complete.partitions.clear();
  complete.started.reset();
  EXPECT_EQ(DecodeLogEntry(LogKey(complete.id), LogValue(complete))->transaction, complete);
}

TEST(TransactionLog, EveryTruncationIsRefused) {
  const std::string key = LogKey("connect-orders-0");
  for (const int16_t version : {0, 1}) {
    const std::string whole = LogValue(Committing(), version);
    for (size_t i = 0; i < whole.size(); ++i) {
      EXPECT_EQ(ReasonOf(DecodeLogEntry(key, whole.substr(0, i)).status()), Reason::kTopicUnreadable)
          << version << " " << i;
    }
  }
  for (size_t i = 0; i < key.size(); ++i)
    EXPECT_FALSE(DecodeLogEntry(key.substr(0, i), LogValue(Committing())).ok()) << i;
}

TEST(TransactionLog, AnotherVersionOrStateIsRefusedAndNotGuessed) {
  std::string value = LogValue(Committing());
  value[1] = 2;
  EXPECT_FALSE(DecodeLogEntry(LogKey("x"), value).ok());
  value = LogValue(Committing());
  value[2 + 8 + 2 + 4] = 8;
  EXPECT_FALSE(DecodeLogEntry(LogKey("x"), value).ok());
  std::string key = LogKey("x");
  key[1] = 1;
  EXPECT_FALSE(DecodeLogEntry(key, LogValue(Committing())).ok());
}

TEST(TransactionLog, CountsThatCannotBeTrueReserveNothing) {
  fakes::Bytes bytes;
  bytes.Int(int16_t{1}).Int(int64_t{1}).Int(int16_t{0}).Int(int32_t{0}).Int(int8_t{1});
  bytes.Varint(0xFFFFFFFFU);
  EXPECT_FALSE(DecodeLogEntry(LogKey("x"), bytes.text).ok());
}

}  // namespace
}  // namespace eos::kafka
