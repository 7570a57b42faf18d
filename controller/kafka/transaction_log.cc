#include "controller/kafka/transaction_log.h"

#include <algorithm>

#include "controller/kafka/bytes.h"

namespace eos::kafka {
namespace {

Status NotALogEntry(const char* what) {
  return Err(Reason::kTopicUnreadable,
             std::string("reading ") + kTransactionLogTopic + ": " + what + " is of no version known here",
             "this version of connect-eos does not know your brokers' format; look for a newer one");
}

std::vector<int32_t> Numbers(Reader& reader, int32_t count) {
  std::vector<int32_t> numbers;
  for (int32_t i = 0; i < count && reader.ok(); ++i) numbers.push_back(reader.Int<int32_t>());
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// Version 0: plain; version 1: compact, with tagged fields (KIP-890 adds producer ids there, which say
// nothing about what was committed).
void ReadPartitions(Reader& reader, bool compact, Transaction& transaction) {
  const int32_t topics = compact ? reader.CompactCount(3) : reader.Count(6);
  for (int32_t i = 0; i < topics && reader.ok(); ++i) {
    std::string topic = compact ? reader.CompactString() : reader.String();
    const int32_t count = compact ? reader.CompactCount(4) : reader.Count(4);
    transaction.partitions.emplace_back(std::move(topic), Numbers(reader, count));
    if (compact) reader.SkipTaggedFields();
  }
  std::sort(transaction.partitions.begin(), transaction.partitions.end());
}

}  // namespace

std::string_view ToString(TransactionState state) {
  switch (state) {
    case TransactionState::kEmpty:
      return "Empty";
    case TransactionState::kOngoing:
      return "Ongoing";
    case TransactionState::kPrepareCommit:
      return "PrepareCommit";
    case TransactionState::kPrepareAbort:
      return "PrepareAbort";
    case TransactionState::kCompleteCommit:
      return "CompleteCommit";
    case TransactionState::kCompleteAbort:
      return "CompleteAbort";
    case TransactionState::kDead:
      return "Dead";
    case TransactionState::kPrepareEpochFence:
      return "PrepareEpochFence";
  }
  return "unknown";
}

bool Transaction::Spans(const std::string& topic) const {
  return std::any_of(partitions.begin(), partitions.end(),
                     [&](const auto& one) { return one.first == topic; });
}

StatusOr<LogEntry> DecodeLogEntry(std::string_view key, std::optional<std::string_view> value) {
  LogEntry entry;
  Reader id(key);
  const auto key_version = id.Int<int16_t>();
  entry.transaction.id = id.String();
  if (!id.ok() || key_version != 0) return NotALogEntry("a key");
  if (!value) {
    entry.forgotten = true;
    return entry;
  }
  Reader reader(*value);
  const auto version = reader.Int<int16_t>();
  if (!reader.ok() || version < 0 || version > 1) return NotALogEntry("a value");
  Transaction& transaction = entry.transaction;
  transaction.producer_id = reader.Int<int64_t>();
  transaction.epoch = reader.Int<int16_t>();
  transaction.timeout = Millis{reader.Int<int32_t>()};
  const auto state = reader.Int<int8_t>();
  if (state < 0 || state > static_cast<int8_t>(TransactionState::kPrepareEpochFence))
    return NotALogEntry("a state");
  transaction.state = static_cast<TransactionState>(state);
  ReadPartitions(reader, version == 1, transaction);
  transaction.updated = Time{Millis{reader.Int<int64_t>()}};
  const auto started = reader.Int<int64_t>();
  if (started >= 0) transaction.started = Time{Millis{started}};
  if (version == 1) reader.SkipTaggedFields();
  if (!reader.ok()) return NotALogEntry("a value");
  return entry;
}

}  // namespace eos::kafka
