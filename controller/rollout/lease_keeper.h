// Holds the fleet's lease at all its agents for as long as a rollout runs (S4).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "controller/fleet/agent_client.h"
#include "controller/fleet/background.h"

namespace eos::rollout {

struct LeaseTerms {
  std::string fleet;
  std::string session;
  std::string holder;
  Millis ttl{};
  std::string take_over;  // session to take it from; empty: nobody's
};

// The agents' clients and `background` outlive it. Public calls by one thread; renews in the background.
class LeaseKeeper {
 public:
  LeaseKeeper(LeaseTerms terms, std::vector<fleet::AgentClient*> agents, fleet::Background& background);
  ~LeaseKeeper();  // as Release

  // At the agent whose name sorts first before all others, so that of two controllers that start at once one
  // gets none. On any refusal what was got is given back. Errors as AgentClient::AcquireLease.
  Status Acquire();
  // Epoch at this agent.
  uint64_t EpochAt(const std::string& agent) const;
  // Set once an agent said that somebody else holds the lease. An agent that only does not answer is asked
  // again.
  std::optional<Problem> Lost() const;
  void Release();

 private:
  Status AcquireAt(fleet::AgentClient& agent);
  bool Renew();  // false: it was lost

  const LeaseTerms terms_;
  std::vector<fleet::AgentClient*> agents_;  // in order of their names
  fleet::Background& background_;
  mutable std::mutex mutex_;
  std::map<std::string, uint64_t> epochs_;
  std::optional<Problem> lost_;
  std::unique_ptr<fleet::Background::Repeated> renewer_;
};

}  // namespace eos::rollout
