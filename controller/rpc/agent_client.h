// The client that speaks gRPC: the controller's side of agent/rpc.
#pragma once

#include <memory>

#include "controller/fleet/agent_client.h"

namespace eos::rpc {

// eosctl's own certificate, looked at before anybody is dialled: one message instead of one an agent.
// kCertificate…
Status CheckOwnCertificate(const fleet::TlsFiles& tls, Time now);

// gRPC over mutual TLS. Certificate files are read now. `connect_limit`: how long connecting may take.
std::unique_ptr<fleet::AgentClient> NewAgentClient(const fleet::AgentAddress& address,
                                                   const fleet::TlsFiles& tls, Millis connect_limit);

}  // namespace eos::rpc
