// The bytes that Connect's workers exchange through the group (ConnectProtocol,
// IncrementalCooperativeConnectProtocol of Kafka Connect): big-endian, strings and arrays with a length in
// front.
#include <algorithm>
#include <cstdint>

#include "controller/kafka/bytes.h"
#include "controller/kafka/group.h"

namespace eos::kafka {
namespace {

Status NotConnect(const char* what) {
  return Err(Reason::kGroupUnreadable, std::string("reading the ") + what +
                                           " of a group member: the bytes are not those of Kafka Connect");
}

// "connector" for -1, which stands for the connector itself, "connector-0" for a task.
std::vector<std::string> Assignments(Reader& reader) {
  std::vector<std::string> names;
  const int32_t connectors = reader.Count(6);
  for (int32_t i = 0; i < connectors && reader.ok(); ++i) {
    const std::string connector = reader.String();
    const int32_t tasks = reader.Count(4);
    for (int32_t j = 0; j < tasks && reader.ok(); ++j) {
      const auto task = reader.Int<int32_t>();
      names.push_back(task < 0 ? connector : connector + "-" + std::to_string(task));
    }
  }
  return names;
}

}  // namespace

StatusOr<DecodedAssignment> DecodeAssignment(std::string_view bytes) {
  Reader reader(bytes);
  DecodedAssignment decoded;
  decoded.version = reader.Int<int16_t>();
  decoded.error = reader.Int<int16_t>();
  decoded.leader_id = reader.String();
  decoded.leader_url = reader.String();
  decoded.config_offset = reader.Int<int64_t>();
  decoded.assigned = Assignments(reader);
  if (decoded.version >= 1) {
    decoded.revoked = Assignments(reader);
    decoded.delay = Millis{std::max(0, reader.Int<int32_t>())};
  }
  if (!reader.ok() || decoded.version < 0) return NotConnect("assignment");
  return decoded;
}

StatusOr<DecodedMetadata> DecodeMetadata(std::string_view bytes) {
  Reader reader(bytes);
  DecodedMetadata decoded;
  decoded.version = reader.Int<int16_t>();
  decoded.url = reader.String();
  decoded.config_offset = reader.Int<int64_t>();
  if (decoded.version >= 1 && !reader.AtEnd()) {
    const std::string allocation = reader.NullableBytes();
    if (!allocation.empty()) {
      const auto held = DecodeAssignment(allocation);
      if (held.ok()) decoded.held = held->assigned;
    }
  }
  if (!reader.ok() || decoded.version < 0) return NotConnect("metadata");
  return decoded;
}

std::vector<std::string> HeldNow(const DecodedMetadata& metadata, const DecodedAssignment& assignment) {
  if (assignment.version < 1) return assignment.assigned;  // eager: the whole of it
  std::vector<std::string> held = metadata.held;
  held.insert(held.end(), assignment.assigned.begin(), assignment.assigned.end());
  std::sort(held.begin(), held.end());
  held.erase(std::unique(held.begin(), held.end()), held.end());
  std::erase_if(held, [&](const std::string& name) {
    return std::find(assignment.revoked.begin(), assignment.revoked.end(), name) != assignment.revoked.end();
  });
  return held;
}

}  // namespace eos::kafka
