// fleet.yaml: which agents, who we are, which Kafka, which policy.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/time.h"

namespace eos::fleet {

struct AgentAddress {
  std::string name;      // of the host, for people; unique
  std::string address;   // "c1.example:7443"
  std::string tls_name;  // name to look for in the agent's certificate; empty: the host part of `address`
};

struct TlsFiles {
  std::string certificate;
  std::string key;
  std::string ca;
};

enum class RebalancePolicy {
  kFast,      // a temporary short delay travels with the first phase and is put back in the second
  kKeepUser,  // kDelayKey is never touched
};

struct Policy {
  RebalancePolicy rebalance = RebalancePolicy::kFast;
  Millis temporary_delay{1'000};  // 0 … 60 s; raised to 1 s where a worker is older than 3.7 (KAFKA-15693)
  int max_unavailable = 1;        // workers restarted at the same time; 1 … 100. A leader always goes alone
  int good_observations = 3;      // in a row before the gate is open; 1 … 100
  Millis observe_every{500};      // at most; a report by an agent wakes earlier; 100 ms … 1 min
  Millis worker_limit{600'000};   // for one worker's gate, a pending rebalance delay not counted
  Millis whole_limit{14'400'000};
  int task_restarts = 3;        // of a connector whose tasks failed by fencing, a run
  Millis start_limit{600'000};  // see OperationRequest
  Millis stop_limit{180'000};
  Millis connect_limit{5'000};  // to reach an agent
  Millis lease_ttl{60'000};
  Millis clock_skew{30'000};  // an agent's clock may differ so much before it is a finding
};

struct Inventory {
  std::string fleet;     // name of the fleet: the agents' workers carry it, and the lease is on it
  std::string group_id;  // group.id of the Connect cluster
  TlsFiles tls;
  std::vector<AgentAddress> agents;
  std::map<std::string, std::string> kafka;  // librdkafka properties, bootstrap.servers among them
  Policy policy;
};

// kUsage with "FILE:LINE: …" and, for an unknown key, the nearest known one. Relative paths in it are
// relative to the file's folder. Two agents with one name or one address are refused.
StatusOr<Inventory> LoadInventory(const std::string& path);
StatusOr<Inventory> ParseInventory(const std::string& text, const std::string& name_for_messages,
                                   const std::string& folder);

}  // namespace eos::fleet
