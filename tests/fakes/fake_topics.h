// Topics in memory: each reader hands out all records of its topic, a few at a time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "controller/kafka/topic_reader.h"

namespace eos::fakes {

struct FakeRecord {
  int32_t partition = 0;
  int64_t offset = 0;
  Time at;
  std::optional<std::string> key;
  std::optional<std::string> value;
};

class FakeTopics {
 public:
  std::map<std::string, std::vector<FakeRecord>> topics;
  std::map<std::string, Status> unreadable;                // by topic: what opening it says
  std::map<std::string, kafka::Position> position_at_end;  // by topic: of partition 0, once all is handed out
  std::optional<Status> breaks;                            // a second Poll of any reader says so

  const kafka::TopicOpener& Opener() const { return opener_; }

 private:
  class Reader final : public kafka::TopicReader {
   public:
    Reader(FakeTopics& own, std::vector<FakeRecord> records, kafka::Position at_end)
        : own_(own), records_(std::move(records)), at_end_(at_end) {
      positions_[0] = {0, at_end_.end, 0, false};
    }
    StatusOr<size_t> Poll(Millis, const std::function<void(const kafka::Record&)>& on_record) override {
      if (own_.breaks && polls_++ > 0) return *own_.breaks;
      const size_t batch = std::min<size_t>(records_.size() - next_, 3);
      for (size_t i = 0; i < batch; ++i, ++next_) {
        const FakeRecord& record = records_[next_];
        on_record({record.partition, record.offset, record.at, record.key, record.value});
      }
      if (next_ == records_.size()) positions_[0] = at_end_;
      return batch;
    }
    const std::map<int32_t, kafka::Position>& positions() const override { return positions_; }

   private:
    FakeTopics& own_;
    const std::vector<FakeRecord> records_;
    const kafka::Position at_end_;
    size_t next_ = 0;
    int polls_ = 0;
    std::map<int32_t, kafka::Position> positions_;
  };

  StatusOr<std::unique_ptr<kafka::TopicReader>> Open(const std::string& topic) {
    if (const auto bad = unreadable.find(topic); bad != unreadable.end()) return bad->second;
    const auto found = topics.find(topic);
    if (found == topics.end())
      return Err(Reason::kTopicUnreadable, "reading topic \"" + topic + "\": it is not there");
    kafka::Position end{1'000, 1'000, 0, false};
    if (const auto special = position_at_end.find(topic); special != position_at_end.end())
      end = special->second;
    return std::make_unique<Reader>(*this, found->second, end);
  }

  const kafka::TopicOpener opener_ = [this](const std::string& topic, kafka::Isolation, std::optional<Time>) {
    return Open(topic);
  };
};

}  // namespace eos::fakes
