// All facts on the host, for Observe and for reports.
#pragma once

#include <mutex>

#include "agent/rpc/parts.h"
#include "common/tls/certificates.h"

namespace eos::rpc {

// Thread-safe.
class Facts {
 public:
  explicit Facts(Parts& parts) : parts_(parts) {}

  // Looks now, at several workers at once. `fleet`: only its workers; empty: all. May take seconds.
  HostReport Look(const std::string& fleet);

  void SetCertificate(Time not_after, std::optional<Problem> problem);

 private:
  AgentFacts Agent(const std::string& fleet);

  Parts& parts_;
  std::mutex mutex_;
  Time certificate_not_after_{};
  std::optional<Problem> certificate_problem_;
};

// Did anything change that a person would call a change? The clock, a lease's remaining time and the like did
// not.
bool SameNews(const HostReport& a, const HostReport& b);

}  // namespace eos::rpc
