// Makes a FleetView: all agents and Kafka at the same time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "controller/fleet/agent_client.h"
#include "controller/fleet/background.h"
#include "controller/fleet/fleet_view.h"
#include "controller/kafka/group.h"

namespace eos::fleet {

class FleetObserver {
 public:
  virtual ~FleetObserver() = default;
  // Never fails as a whole. Every part that did not answer within its limit is absent.
  virtual FleetView Observe() = 0;
  // Returns when an agent reported a change since the last Observe, or after `limit`, or when `stop` is set.
  virtual void AwaitChange(Millis limit, const StopFlag& stop) = 0;
};

// One look: all `clients`, in the inventory's order, and Kafka at the same time; then the connectors at one
// worker that can tell.
FleetView LookAt(const Inventory& inventory, const std::vector<AgentClient*>& clients,
                 kafka::GroupReader& group, const Clock& clock, Background& background);

// Looks with threads. `clients` in the inventory's order; not owned. Watches their reports on a thread each
// from the first AwaitChange on.
std::unique_ptr<FleetObserver> NewFleetObserver(const Inventory& inventory, std::vector<AgentClient*> clients,
                                                kafka::GroupReader& group, const Clock& clock);

}  // namespace eos::fleet
