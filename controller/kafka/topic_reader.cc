#include "controller/kafka/topic_reader.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>

#include "common/base/words.h"
#include "controller/kafka/client.h"

namespace eos::kafka {
namespace {

using Topic = Owned<rd_kafka_topic_t, rd_kafka_topic_destroy>;
using Queue = Owned<rd_kafka_queue_t, rd_kafka_queue_destroy>;
using Partitions = Owned<rd_kafka_topic_partition_list_t, rd_kafka_topic_partition_list_destroy>;

struct DestroyMetadata {
  void operator()(const rd_kafka_metadata_t* metadata) const { rd_kafka_metadata_destroy(metadata); }
};

constexpr size_t kBatch = 10'000;

int Ms(Millis limit) { return static_cast<int>(limit.count()); }

bool NoBrokerAnswers(rd_kafka_resp_err_t error) {
  return error == RD_KAFKA_RESP_ERR__TRANSPORT || error == RD_KAFKA_RESP_ERR__TIMED_OUT ||
         error == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN || error == RD_KAFKA_RESP_ERR__RESOLVE ||
         error == RD_KAFKA_RESP_ERR__AUTHENTICATION || error == RD_KAFKA_RESP_ERR__SSL;
}

Status Failed(const std::string& topic, rd_kafka_resp_err_t error) {
  const std::string name = Printable(topic);
  const std::string what = fmt::format("reading topic \"{}\": {}", name, rd_kafka_err2str(error));
  if (NoBrokerAnswers(error)) {
    return Err(
        Reason::kUnreachable, what,
        "see that bootstrap.servers and the security properties under \"kafka\" in fleet.yaml are right: "
        "kcat -L with the same properties");
  }
  if (error == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED) {
    return Err(Reason::kTopicUnreadable, what,
               fmt::format("grant our principal Read on it: kafka-acls --add --topic {} --operation Read "
                           "--allow-principal …",
                           name));
  }
  return Err(Reason::kTopicUnreadable, what);
}

StatusOr<std::vector<int32_t>> PartitionsOf(rd_kafka_t* client, rd_kafka_topic_t* topic,
                                            const std::string& name, Millis limit) {
  const rd_kafka_metadata_t* raw = nullptr;
  const auto error = rd_kafka_metadata(client, 0, topic, &raw, Ms(limit));
  const std::unique_ptr<const rd_kafka_metadata_t, DestroyMetadata> metadata(raw);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return Failed(name, error);
  if (metadata->topic_cnt != 1) return Failed(name, RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  const rd_kafka_metadata_topic& found = metadata->topics[0];
  if (found.err != RD_KAFKA_RESP_ERR_NO_ERROR) return Failed(name, found.err);
  std::vector<int32_t> partitions;
  for (int i = 0; i < found.partition_cnt; ++i) partitions.push_back(found.partitions[i].id);
  return partitions;
}

class RdkafkaTopicReader final : public TopicReader {
 public:
  RdkafkaTopicReader(Client client, std::string name)
      : client_(std::move(client)),
        name_(std::move(name)),
        topic_(rd_kafka_topic_new(client_.get(), name_.c_str(), nullptr)),
        queue_(rd_kafka_queue_new(client_.get())) {}

  RdkafkaTopicReader(const RdkafkaTopicReader&) = delete;
  RdkafkaTopicReader& operator=(const RdkafkaTopicReader&) = delete;
  ~RdkafkaTopicReader() override {
    for (const int32_t partition : consumed_) rd_kafka_consume_stop(topic_.get(), partition);
  }

  Status Begin(std::optional<Time> since, Millis limit) {
    EOS_ASSIGN_OR_RETURN(const auto partitions, PartitionsOf(client_.get(), topic_.get(), name_, limit));
    std::map<int32_t, int64_t> first;
    if (since) {
      EOS_ASSIGN_OR_RETURN(first, OffsetsAt(partitions, *since, limit));
    }
    for (const int32_t partition : partitions) {
      int64_t low = 0;
      int64_t high = 0;
      const auto error =
          rd_kafka_query_watermark_offsets(client_.get(), name_.c_str(), partition, &low, &high, Ms(limit));
      if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return Failed(name_, error);
      int64_t from = low;
      if (const auto found = first.find(partition); found != first.end())
        from = found->second < 0 ? high : found->second;  // below zero: nothing so young
      positions_[partition] = {from, high, 0, false};
    }
    for (const auto& [partition, position] : positions_) {
      if (rd_kafka_consume_start_queue(topic_.get(), partition, position.next, queue_.get()) != 0)
        return Failed(name_, rd_kafka_last_error());
      consumed_.push_back(partition);
    }
    return OkStatus();
  }

  StatusOr<size_t> Poll(Millis limit, const std::function<void(const Record&)>& on_record) override {
    std::array<rd_kafka_message_t*, kBatch> messages{};
    // A batch that may wait would wait until it is full.
    ssize_t count = rd_kafka_consume_batch_queue(queue_.get(), 0, messages.data(), messages.size());
    if (count == 0) count = rd_kafka_consume_batch_queue(queue_.get(), Ms(limit), messages.data(), 1);
    if (count < 0) return Failed(name_, rd_kafka_last_error());
    size_t records = 0;
    Status status;
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      const Owned<rd_kafka_message_t, rd_kafka_message_destroy> message(messages.at(i));
      if (!status.ok()) continue;  // the rest is only freed
      if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
        Hand(*message, on_record);
        ++records;
      } else {
        status = Told(*message);
      }
    }
    if (!status.ok()) return status;
    return records;
  }

  const std::map<int32_t, Position>& positions() const override { return positions_; }

 private:
  StatusOr<std::map<int32_t, int64_t>> OffsetsAt(const std::vector<int32_t>& partitions, Time since,
                                                 Millis limit) {
    const Partitions list(rd_kafka_topic_partition_list_new(static_cast<int>(partitions.size())));
    for (const int32_t partition : partitions) {
      rd_kafka_topic_partition_list_add(list.get(), name_.c_str(), partition)->offset =
          since.time_since_epoch().count();
    }
    const auto error = rd_kafka_offsets_for_times(client_.get(), list.get(), Ms(limit));
    if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return Failed(name_, error);
    std::map<int32_t, int64_t> offsets;
    for (int i = 0; i < list->cnt; ++i) {
      const rd_kafka_topic_partition_t& one = list->elems[i];
      if (one.err != RD_KAFKA_RESP_ERR_NO_ERROR) return Failed(name_, one.err);
      offsets[one.partition] = one.offset;
    }
    return offsets;
  }

  void Hand(const rd_kafka_message_t& message, const std::function<void(const Record&)>& on_record) {
    Record record;
    record.partition = message.partition;
    record.offset = message.offset;
    rd_kafka_timestamp_type_t type{};
    const int64_t at = rd_kafka_message_timestamp(&message, &type);
    if (type != RD_KAFKA_TIMESTAMP_NOT_AVAILABLE && at > 0) record.at = Time{Millis{at}};
    if (message.key) record.key.emplace(static_cast<const char*>(message.key), message.key_len);
    if (message.payload) record.value.emplace(static_cast<const char*>(message.payload), message.len);
    Position& position = positions_[message.partition];
    position.hidden += message.offset - position.next;
    position.next = message.offset + 1;
    position.held_back = false;
    on_record(record);
  }

  // What librdkafka says in the place of a record.
  Status Told(const rd_kafka_message_t& message) {
    if (message.err != RD_KAFKA_RESP_ERR__PARTITION_EOF) {
      // Brokers come and go; a reader waits, and its caller has a limit.
      return NoBrokerAnswers(message.err) ? OkStatus() : Failed(name_, message.err);
    }
    // Behind the last marker, or before an open transaction: its offset is where fetching stands.
    Position& position = positions_[message.partition];
    position.hidden += std::max<int64_t>(message.offset - position.next, 0);
    position.next = std::max(position.next, message.offset);
    position.held_back = !position.reached();
    return OkStatus();
  }

  Client client_;
  const std::string name_;
  Topic topic_;
  Queue queue_;
  std::vector<int32_t> consumed_;
  std::map<int32_t, Position> positions_;
};

}  // namespace

bool TopicReader::AtEnd() const {
  return std::all_of(positions().begin(), positions().end(),
                     [](const auto& one) { return one.second.reached(); });
}

StatusOr<std::unique_ptr<TopicReader>> OpenTopic(const std::map<std::string, std::string>& properties,
                                                 const std::string& topic, Isolation isolation,
                                                 std::optional<Time> since, Millis limit) {
  const bool committed = isolation == Isolation::kReadCommitted;
  EOS_ASSIGN_OR_RETURN(Client client,
                       NewClient(RD_KAFKA_CONSUMER, properties,
                                 {{"isolation.level", committed ? "read_committed" : "read_uncommitted"},
                                  {"enable.partition.eof", "true"},
                                  {"auto.offset.reset", "earliest"},
                                  {"enable.auto.commit", "false"},
                                  {"allow.auto.create.topics", "false"},
                                  {"queued.max.messages.kbytes", "65536"}}));
  auto reader = std::make_unique<RdkafkaTopicReader>(std::move(client), topic);
  EOS_RETURN_IF_ERROR(reader->Begin(since, limit));
  return reader;
}

}  // namespace eos::kafka
