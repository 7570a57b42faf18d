// The Connect group as Kafka's coordinator knows it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/time.h"

namespace eos::kafka {

struct Member {
  std::string member_id;
  std::string client_id;
  std::string client_host;  // "/10.0.0.7"
  std::string url;          // advertised; empty while the group rebalances (metadata is empty then)
  std::optional<int64_t> config_offset;
  std::vector<std::string> assigned;  // "connector" or "connector-0", as newly assigned or held
  std::optional<Millis> delay;        // scheduled delay in its assignment
  std::optional<int16_t> error;       // of its assignment

  bool operator==(const Member&) const = default;
};

struct GroupView {
  std::string state;          // "Stable", "PreparingRebalance", "CompletingRebalance", "Empty", "Dead"
  std::string protocol_type;  // "connect"
  std::string protocol;       // "sessioned", "compatible", "default" (eager)
  std::vector<Member> members;
  std::string leader_id;   // empty: not known
  std::string leader_url;  // empty: not known

  bool stable() const { return state == "Stable"; }
  Millis pending_delay() const;  // the largest of the members'; 0: nothing is held back
  bool operator==(const GroupView&) const = default;
};

// Bytes of a member's metadata or assignment (ConnectProtocol, IncrementalCooperativeConnectProtocol:
// big-endian). kGroupUnreadable for anything that does not fit; never reads out of bounds.
struct DecodedMetadata {
  int16_t version = 0;
  std::string url;
  int64_t config_offset = 0;
  std::vector<std::string> held;  // what it held when it last joined (from version 1 on)
};
struct DecodedAssignment {
  int16_t version = 0;
  int16_t error = 0;
  std::string leader_id;
  std::string leader_url;
  int64_t config_offset = 0;
  std::vector<std::string> assigned;
  std::vector<std::string> revoked;
  Millis delay{};
};
StatusOr<DecodedMetadata> DecodeMetadata(std::string_view bytes);
StatusOr<DecodedAssignment> DecodeAssignment(std::string_view bytes);

// What a member holds once it has followed its assignment.
std::vector<std::string> HeldNow(const DecodedMetadata& metadata, const DecodedAssignment& assignment);

// Thread-safe.
class GroupReader {
 public:
  virtual ~GroupReader() = default;
  // kGroupUnreadable (with librdkafka's words); kStrangerInGroup is not its business. A group without members
  // is state "Empty" or "Dead", no error.
  virtual StatusOr<GroupView> Read(Millis limit) = 0;
};

// `properties` under librdkafka's names. kUsage for a property that librdkafka refuses. Secrets never get
// into a message or a log.
StatusOr<std::unique_ptr<GroupReader>> NewGroupReader(const std::map<std::string, std::string>& properties,
                                                      const std::string& group_id);

}  // namespace eos::kafka
