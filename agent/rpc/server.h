// Serves the agent's parts over mutual TLS.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agent/rpc/parts.h"
#include "common/tls/certificates.h"

namespace eos::rpc {

struct ServeOptions {
  std::string listen;  // "0.0.0.0:7443"; port 0: any free one
  tls::Files tls;
  std::string runtime_directory;  // private; copies of certificates in use are kept there
  Millis tls_refresh{10'000};     // how often certificate files are looked at
  std::vector<std::string> callers;
  Millis report_every{1'000};
};

class AgentServer {
 public:
  // kCertificate… (see tls::Check), kUsage (the address cannot be listened on).
  static StatusOr<std::unique_ptr<AgentServer>> Start(Parts parts, ServeOptions options);
  // Takes no new calls, gives the running ones two seconds.
  ~AgentServer();

  int port() const;

 private:
  class Impl;
  explicit AgentServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace eos::rpc
