#include "agent/rpc/authorizer.h"

#include <grpc/grpc_security_constants.h>
#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "common/base/words.h"
#include "common/wire/grpc_edge.h"

namespace eos::rpc {
namespace {

constexpr std::string_view kDns = "dns:";

bool Matches(std::string_view pattern, std::string_view uri) {
  if (!pattern.ends_with("/*")) return pattern == uri;
  pattern.remove_suffix(1);
  return uri.size() > pattern.size() && uri.starts_with(pattern);
}

std::vector<std::string> Values(const grpc::AuthContext& context, const char* property) {
  std::vector<std::string> values;
  for (const auto& value : context.FindPropertyValues(property))
    values.emplace_back(value.data(), value.size());
  return values;
}

}  // namespace

bool Allowed(const std::vector<std::string>& callers, const PeerNames& peer) {
  return std::any_of(callers.begin(), callers.end(), [&](const std::string& caller) {
    if (caller.starts_with(kDns)) {
      const std::string name = caller.substr(kDns.size());
      return peer.uris.empty() && std::any_of(peer.dns.begin(), peer.dns.end(), [&](const std::string& dns) {
               return EqualsIgnoreCase(dns, name);
             });
    }
    return std::any_of(peer.uris.begin(), peer.uris.end(),
                       [&](const std::string& uri) { return Matches(caller, uri); });
  });
}

std::string NameOf(const PeerNames& peer) {
  if (!peer.uris.empty()) return peer.uris.front();
  return peer.dns.empty() ? "nobody" : std::string(kDns) + peer.dns.front();
}

PeerNames NamesOf(const grpc::AuthContext& context) {
  return {Values(context, GRPC_PEER_URI_PROPERTY_NAME), Values(context, GRPC_PEER_DNS_PROPERTY_NAME)};
}

grpc::Status Authorizer::Process(const InputMetadata& metadata, grpc::AuthContext* context, OutputMetadata*,
                                 OutputMetadata*) {
  const auto path = metadata.find(":path");
  const std::string method =
      path == metadata.end() ? "" : std::string(path->second.data(), path->second.size());
  if (method.starts_with("/grpc.health.v1.Health/")) return grpc::Status::OK;
  const PeerNames peer = NamesOf(*context);
  if (context->IsPeerAuthenticated() && Allowed(callers_, peer)) return grpc::Status::OK;
  const std::string name = Printable(NameOf(peer));
  spdlog::warn("refused {} to {}: not on the list of callers", Printable(method), name);
  return wire::ToGrpc(
      Err(Reason::kPermissionDenied,
          fmt::format("calling this agent: \"{}\" is not on its list of callers", name),
          "add that name to \"callers\" in the agent's configuration and restart it, or use the "
          "certificate of one that is"));
}

}  // namespace eos::rpc
