// The transaction coordinator's log, __transaction_state: what became of each transactional id, as any
// consumer with Read on that topic can see it. Nothing here ever speaks to the coordinator: an InitProducerId
// with an id of the cluster would fence its live owner.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/base/time.h"

namespace eos::kafka {

inline constexpr char kTransactionLogTopic[] = "__transaction_state";

// As numbered in Kafka's TransactionState.
enum class TransactionState : int8_t {
  kEmpty = 0,
  kOngoing = 1,
  kPrepareCommit = 2,
  kPrepareAbort = 3,
  kCompleteCommit = 4,
  kCompleteAbort = 5,
  kDead = 6,
  kPrepareEpochFence = 7,
};
std::string_view ToString(TransactionState state);

// One record of the log: a transactional id as it was at that moment.
struct Transaction {
  std::string id;
  int64_t producer_id = -1;
  int16_t epoch = -1;  // under transaction.version=2 it rises with every transaction
  Millis timeout{};
  TransactionState state = TransactionState::kEmpty;
  // "topic" and its partitions, sorted; empty again once a transaction is complete.
  std::vector<std::pair<std::string, std::vector<int32_t>>> partitions;
  Time updated;
  std::optional<Time> started;  // absent: none is open

  bool Spans(const std::string& topic) const;
  bool operator==(const Transaction&) const = default;
};

// Key version 0, value version 0 or 1 (TransactionLogKey, TransactionLogValue in Kafka's source). A null
// value: the id has been forgotten; `forgotten` is set and nothing but the id is known. kTopicUnreadable for
// anything else.
struct LogEntry {
  Transaction transaction;
  bool forgotten = false;
};
StatusOr<LogEntry> DecodeLogEntry(std::string_view key, std::optional<std::string_view> value);

}  // namespace eos::kafka
