// Bytes in Kafka's serialisation, for tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "controller/kafka/transaction_log.h"

namespace eos::fakes {

// Writes as Kafka writes: big-endian.
class Bytes {
 public:
  template <typename T>
  Bytes& Int(T value) {
    for (size_t i = sizeof(T); i-- > 0;)
      text += static_cast<char>((static_cast<uint64_t>(value) >> (8 * i)) & 0xFFU);
    return *this;
  }
  Bytes& String(const std::string& s) {
    Int(static_cast<int16_t>(s.size()));
    text += s;
    return *this;
  }
  Bytes& Varint(uint32_t value) {
    for (; value >= 0x80U; value >>= 7U) text += static_cast<char>((value & 0x7FU) | 0x80U);
    text += static_cast<char>(value);
    return *this;
  }
  Bytes& CompactString(const std::string& s) {
    Varint(static_cast<uint32_t>(s.size()) + 1);
    text += s;
    return *this;
  }
  Bytes& Blob(const std::string& s) {
    Int(static_cast<int32_t>(s.size()));
    text += s;
    return *this;
  }
  Bytes& Tasks(const std::string& connector, const std::vector<int32_t>& tasks) {
    String(connector);
    Int(static_cast<int32_t>(tasks.size()));
    for (const int32_t task : tasks) Int(task);
    return *this;
  }
  std::string text;
};

inline std::string LogKey(const std::string& id) { return Bytes().Int(int16_t{0}).String(id).text; }

// A value of __transaction_state, version 0 or 1.
inline std::string LogValue(const kafka::Transaction& transaction, int16_t version = 1) {
  Bytes bytes;
  bytes.Int(version).Int(transaction.producer_id).Int(transaction.epoch);
  bytes.Int(static_cast<int32_t>(transaction.timeout.count())).Int(static_cast<int8_t>(transaction.state));
  const auto topics = static_cast<uint32_t>(transaction.partitions.size());
  version == 0 ? bytes.Int(static_cast<int32_t>(topics)) : bytes.Varint(topics + 1);
  for (const auto& [topic, partitions] : transaction.partitions) {
    const auto count = static_cast<uint32_t>(partitions.size());
    version == 0 ? bytes.String(topic).Int(static_cast<int32_t>(count))
                 : bytes.CompactString(topic).Varint(count + 1);
    for (const int32_t partition : partitions) bytes.Int(partition);
    if (version == 1) bytes.Varint(0);
  }
  bytes.Int(static_cast<int64_t>(transaction.updated.time_since_epoch().count()));
  bytes.Int(transaction.started ? static_cast<int64_t>(transaction.started->time_since_epoch().count())
                                : int64_t{-1});
  if (version == 1)
    bytes.Varint(1).Varint(0).Varint(3).Int(int8_t{1}).Int(int8_t{2}).Int(int8_t{3});  // a field of later
  return bytes.text;
}

}  // namespace eos::fakes
