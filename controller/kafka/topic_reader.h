// Reads a whole topic, record by record, as no member of any group: nothing is committed, nobody is
// disturbed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/base/time.h"

namespace eos::kafka {

struct Record {
  int32_t partition = 0;
  int64_t offset = 0;
  Time at;                                // the record's own time stamp; the epoch where it has none
  std::optional<std::string_view> key;    // valid during the call only
  std::optional<std::string_view> value;  // as `key`; absent: null
};

enum class Isolation { kReadCommitted, kReadUncommitted };

// Where reading stands in one partition. Offsets are not counts: commit markers use up offsets too.
struct Position {
  int64_t next = 0;  // every record before it has been handed out, or is hidden by Isolation
  int64_t end = 0;   // the high watermark when reading began
  int64_t hidden =
      0;  // offsets passed over: markers of transactions, what Isolation hides, what was compacted away
  bool held_back =
      false;  // stands before `end` with nothing to read: an open transaction (last stable offset)
  bool reached() const { return next >= end; }
};

// Not thread-safe.
class TopicReader {
 public:
  virtual ~TopicReader() = default;

  // Hands out what arrives within `limit`, and returns earlier when something has: the number of records.
  // Errors: kTopicUnreadable (right to read withdrawn, topic deleted), kUnreachable (no broker answers for
  // `limit`).
  virtual StatusOr<size_t> Poll(Millis limit, const std::function<void(const Record&)>& on_record) = 0;

  // By partition. All reached: everything that was there when reading began has been handed out.
  virtual const std::map<int32_t, Position>& positions() const = 0;
  bool AtEnd() const;
};

// As OpenTopic, with the properties and the limit of a fleet.
using TopicOpener = std::function<StatusOr<std::unique_ptr<TopicReader>>(const std::string& topic, Isolation,
                                                                         std::optional<Time> since)>;

// From the first record not older than `since`, in every partition; absent: from the beginning. `properties`:
// as for NewGroupReader. kTopicUnreadable: not there, or no right (Describe and Read on the topic);
// kUnreachable; kUsage.
StatusOr<std::unique_ptr<TopicReader>> OpenTopic(const std::map<std::string, std::string>& properties,
                                                 const std::string& topic, Isolation isolation,
                                                 std::optional<Time> since, Millis limit);

}  // namespace eos::kafka
