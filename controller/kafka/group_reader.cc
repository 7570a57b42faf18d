#include <spdlog/fmt/fmt.h>

#include "common/base/words.h"
#include "controller/kafka/client.h"
#include "controller/kafka/group.h"

namespace eos::kafka {
namespace {

struct DestroyGroupList {
  void operator()(const rd_kafka_group_list* list) const { rd_kafka_group_list_destroy(list); }
};

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
  RdkafkaReader(Client client, std::string group_id)
      : client_(std::move(client)), group_id_(std::move(group_id)) {}

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

  Client client_;
  const std::string group_id_;
};

}  // namespace

StatusOr<std::unique_ptr<GroupReader>> NewGroupReader(const std::map<std::string, std::string>& properties,
                                                      const std::string& group_id) {
  EOS_ASSIGN_OR_RETURN(Client client, NewClient(RD_KAFKA_PRODUCER, properties));
  return std::make_unique<RdkafkaReader>(std::move(client), group_id);
}

}  // namespace eos::kafka
