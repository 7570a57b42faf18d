// All that is known of a fleet at one moment: a plain value. What could not be learned is absent, with a
// problem.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/time.h"
#include "common/model/connectors.h"
#include "common/model/host_report.h"
#include "common/model/running_mode.h"
#include "controller/kafka/group.h"

namespace eos::fleet {

struct AgentView {
  std::string name;
  std::optional<AgentFacts> facts;   // absent: not reached
  std::optional<Problem> unreached;  // why
};

struct WorkerView {
  std::string agent;
  WorkerFacts facts;
  RunningMode running;
  std::optional<Millis> running_delay;
  bool member = false;  // its advertised URL is in the group now
  bool leader = false;
};

struct FleetView {
  Time at;
  std::vector<AgentView> agents;    // in the inventory's order
  std::vector<WorkerView> workers;  // in the order of agents, then of their configuration
  std::optional<kafka::GroupView> group;
  std::optional<Problem> group_problem;
  std::vector<kafka::Member> strangers;                    // members with a URL that no worker advertises
  std::optional<std::vector<ConnectorStatus>> connectors;  // absent: no worker told
  std::optional<Problem> connectors_problem;

  const WorkerView* Find(const std::string& worker) const;
};

// "http://C1:8083" and "http://c1:8083/" are one: scheme and host in lower case, no trailing slash.
std::string NormalUrl(const std::string& url);
// "host:port" of a URL, which is what Connect uses as worker id.
std::string WorkerIdOf(const std::string& url);

// Pure: joins what was learned.
struct Observations {
  Time at;
  std::vector<AgentView> agents;
  std::vector<std::pair<std::string, WorkerFacts>> workers;  // agent's name, facts
  std::optional<kafka::GroupView> group;
  std::optional<Problem> group_problem;
  std::optional<std::vector<ConnectorStatus>> connectors;
  std::optional<Problem> connectors_problem;
};
FleetView Join(Observations observations);

}  // namespace eos::fleet
