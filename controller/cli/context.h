// What a command works with.
#pragma once

#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "controller/cli/options.h"
#include "controller/cli/terminal.h"
#include "controller/fleet/observer.h"
#include "controller/kafka/topic_reader.h"

namespace eos::cli {

// The real ones are made by Connect; tests bring their own. Nothing in it is owned.
struct Context {
  const fleet::Inventory& inventory;
  std::map<std::string, fleet::AgentClient*> agents;
  fleet::FleetObserver& observer;
  const kafka::TopicOpener& topics;
  const Clock& clock;
  std::ostream& out;
  std::ostream& err;
  Terminal terminal;
  const fleet::StopFlag& stop;
};

// Owns the connections of one run.
class Connections {
 public:
  static StatusOr<std::unique_ptr<Connections>> Open(const std::string& fleet_file, const Clock& clock);

  const fleet::Inventory& inventory() const { return inventory_; }
  std::map<std::string, fleet::AgentClient*> Agents() const;
  fleet::FleetObserver& observer() { return *observer_; }
  const kafka::TopicOpener& topics() const { return topics_; }

 private:
  fleet::Inventory inventory_;
  std::vector<std::unique_ptr<fleet::AgentClient>> clients_;
  std::unique_ptr<kafka::GroupReader> group_;
  std::unique_ptr<fleet::FleetObserver> observer_;
  kafka::TopicOpener topics_;
};

}  // namespace eos::cli
