// Who may call: by the subject alternative names of the client's certificate, never by its common name.
#pragma once

#include <grpcpp/security/auth_context.h>
#include <grpcpp/security/auth_metadata_processor.h>

#include <string>
#include <vector>

namespace eos::rpc {

struct PeerNames {
  std::vector<std::string> uris;
  std::vector<std::string> dns;
};

// Pure. `callers` as in config::AgentConfig. A DNS name counts only for a certificate without any URI.
bool Allowed(const std::vector<std::string>& callers, const PeerNames& peer);

// The name that is recorded: the first URI, else the first DNS name.
std::string NameOf(const PeerNames& peer);

PeerNames NamesOf(const grpc::AuthContext& context);

// Judges every call before any handler sees it; gRPC's health service is open to whoever holds a certificate
// of the CA.
class Authorizer final : public grpc::AuthMetadataProcessor {
 public:
  explicit Authorizer(std::vector<std::string> callers) : callers_(std::move(callers)) {}
  bool IsBlocking() const override { return false; }
  grpc::Status Process(const InputMetadata& metadata, grpc::AuthContext* context, OutputMetadata* consumed,
                       OutputMetadata* response) override;

 private:
  const std::vector<std::string> callers_;
};

}  // namespace eos::rpc
