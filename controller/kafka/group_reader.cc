#include <librdkafka/rdkafka.h>
#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include "common/base/words.h"
#include "controller/kafka/group.h"

namespace eos::kafka {
namespace {

template <typename T, void (*Destroy)(T*)>
struct Deleter {
  void operator()(T* object) const { Destroy(object); }
};

struct DestroyGroupList {
  void operator()(const rd_kafka_group_list* list) const { rd_kafka_group_list_destroy(list); }
};

void Log(const rd_kafka_t*, int, const char* facility, const char* text) {
  spdlog::debug("librdkafka {}: {}", facility, Printable(text, 1000));
}

std::string_view View(const void* bytes, int size) {
  return size <= 0 ? std::string_view()
                   : std::string_view(static_cast<const char*>(bytes), static_cast<size_t>(size));
}

std::string Text(const char* text) { return text ? text : ""; }

Member MemberOf(const rd_kafka_group_member_info& info, GroupView& view) {
  Member member;
  member.member_id = Text(info.member_id);
  member.client_id = Text(info.client_id);
  member.client_host = Text(info.client_host);
  DecodedMetadata metadata;
  if (auto decoded = DecodeMetadata(View(info.member_metadata, info.member_metadata_size)); decoded.ok()) {
    metadata = *std::move(decoded);
    member.url = metadata.url;
    member.config_offset = metadata.config_offset;
  }
  const auto assignment = DecodeAssignment(View(info.member_assignment, info.member_assignment_size));
  if (assignment.ok()) {
    member.assigned = HeldNow(metadata, *assignment);
    member.delay = assignment->delay;
    member.error = assignment->error;
    if (view.leader_id.empty()) {
      view.leader_id = assignment->leader_id;
      view.leader_url = assignment->leader_url;
    }
  }
  return member;
}

// Assignments of two generations may name two leaders, or one that has gone: then it is not known.
void CheckLeader(GroupView& view, const rd_kafka_group_info& group) {
  bool present = false;
  bool agreed = true;
  for (int i = 0; i < group.member_cnt; ++i) {
    const auto& info = group.members[i];
    const auto assignment = DecodeAssignment(View(info.member_assignment, info.member_assignment_size));
    if (assignment.ok() && assignment->leader_id != view.leader_id) agreed = false;
    if (view.leader_id == Text(info.member_id)) present = true;
  }
  if (agreed && present) return;
  view.leader_id.clear();
  view.leader_url.clear();
}

class RdkafkaReader final : public GroupReader {
 public:
  RdkafkaReader(rd_kafka_t* client, std::string group_id) : client_(client), group_id_(std::move(group_id)) {}

  StatusOr<GroupView> Read(Millis limit) override {
    const rd_kafka_group_list* raw = nullptr;
    const auto error =
        rd_kafka_list_groups(client_.get(), group_id_.c_str(), &raw, static_cast<int>(limit.count()));
    const std::unique_ptr<const rd_kafka_group_list, DestroyGroupList> list(raw);
    if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return Failed(error);
    GroupView view;
    view.state = "Dead";  // a group that Kafka does not know has no members
    if (!list || list->group_cnt == 0) return view;
    const rd_kafka_group_info& group = list->groups[0];
    if (group.err != RD_KAFKA_RESP_ERR_NO_ERROR) return Failed(group.err);
    view.state = Text(group.state);
    view.protocol_type = Text(group.protocol_type);
    view.protocol = Text(group.protocol);
    if (view.protocol_type != "connect") return view;
    for (int i = 0; i < group.member_cnt; ++i) view.members.push_back(MemberOf(group.members[i], view));
    CheckLeader(view, group);
    return view;
  }

 private:
  Status Failed(rd_kafka_resp_err_t error) const {
    std::string fix =
        "see that bootstrap.servers and the security properties under \"kafka\" in fleet.yaml are right: "
        "kcat -L with the same properties";
    if (error == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED) {
      fix = fmt::format(
          "grant our principal Describe on group \"{}\": kafka-acls --add --operation Describe --group {} "
          "--allow-principal …",
          group_id_, group_id_);
    }
    return Err(
        Reason::kGroupUnreadable,
        fmt::format("asking Kafka for the group \"{}\": {}", Printable(group_id_), rd_kafka_err2str(error)),
        fix);
  }

  std::unique_ptr<rd_kafka_t, Deleter<rd_kafka_t, rd_kafka_destroy>> client_;
  const std::string group_id_;
};

}  // namespace

StatusOr<std::unique_ptr<GroupReader>> NewGroupReader(const std::map<std::string, std::string>& properties,
                                                      const std::string& group_id) {
  std::unique_ptr<rd_kafka_conf_t, Deleter<rd_kafka_conf_t, rd_kafka_conf_destroy>> conf(rd_kafka_conf_new());
  rd_kafka_conf_set_log_cb(conf.get(), Log);
  char why[512];
  for (const auto& [name, value] : properties) {
    // librdkafka's own text may quote the value, which may be a password.
    if (rd_kafka_conf_set(conf.get(), name.c_str(), value.c_str(), why, sizeof(why)) != RD_KAFKA_CONF_OK) {
      return Err(Reason::kUsage,
                 fmt::format("reading \"kafka\" of fleet.yaml: librdkafka refuses the property \"{}\" or "
                             "its value",
                             Printable(name)),
                 "use librdkafka's names (its CONFIGURATION.md), not the Java client's");
    }
  }
  rd_kafka_t* client = rd_kafka_new(RD_KAFKA_PRODUCER, conf.get(), why, sizeof(why));
  if (!client) {
    return Err(Reason::kUsage, "making a Kafka client from \"kafka\" of fleet.yaml: librdkafka refuses it: " +
                                   Printable(why));
  }
  static_cast<void>(conf.release());  // the client owns it now
  return std::make_unique<RdkafkaReader>(client, group_id);
}

}  // namespace eos::kafka
