// Holds the fleet's lease at all its agents for as long as a rollout runs (S4).
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "controller/fleet/agent_client.h"

namespace eos::rollout {

struct LeaseTerms {
  std::string fleet;
  std::string session;
  std::string holder;
  Millis ttl{};
  std::string take_over;  // session to take it from; empty: nobody's
};

// The agents' clients outlive it. Public calls by one thread; renews on a thread of its own.
class LeaseKeeper {
 public:
  LeaseKeeper(LeaseTerms terms, std::vector<fleet::AgentClient*> agents);
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
  void Renew();

  const LeaseTerms terms_;
  std::vector<fleet::AgentClient*> agents_;  // in order of their names
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool end_ = false;
  std::map<std::string, uint64_t> epochs_;
  std::optional<Problem> lost_;
  std::thread renewer_;
};

}  // namespace eos::rollout
