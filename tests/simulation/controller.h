// One run of `eosctl apply`: the product's own executor, planner, lease keeper and look, in a program of its
// own, which reaches the agents over a network that loses, delays and doubles.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controller/rollout/executor.h"
#include "tests/simulation/host.h"
#include "tests/simulation/program.h"

namespace eos::simulation {

// Between all controllers and all hosts.
struct Network {
  std::map<const Host*, Millis> cut_until;
  Millis lossy_until{};
  Millis kafka_gone_until{};
  Millis deaf_until{};  // no report wakes anybody
};

struct Order {
  std::string session;
  rollout::Goal goal;
  fleet::Policy policy;
  std::string take_over;
  Millis skew{};  // of this jump host's wall clock
};

class Controller {
 public:
  Controller(World& world, std::vector<Host*> hosts, Connect& group, Network& network, Order order);

  const Order order;
  bool runs() const { return !program_.idle(); }
  const std::optional<rollout::Outcome>& outcome() const { return outcome_; }  // nothing: runs, or killed
  Millis looked_at() const { return looked_at_; }                              // when its last look began
  // When the look began on which this operation was decided.
  std::optional<Millis> DecidedOn(const std::string& operation) const;
  bool failure_told() const { return failure_told_; }  // it knows that an operation of its own failed
  // Was this operation first sent after that?
  bool SentAfterFailure(const std::string& operation) const { return too_late_.contains(operation); }

  void Interrupt();
  void Kill();
  void Stall(Millis time);
  void Report();  // an agent has news

 private:
  class Client;
  class Observer;
  class Background;
  class Group;
  class OwnClock;

  void Run();
  template <typename T>
  T Call(Host& host, const std::function<T(Host&)>& handle);
  template <typename T>
  void Send(Host& host, const std::function<T(Host&)>& handle, const std::function<void(T)>& answer);
  void OnEvent(const rollout::Event& event);

  World& world_;
  const std::vector<Host*> hosts_;
  Connect& group_;
  Network& network_;
  fleet::Inventory inventory_;
  fleet::StopFlag stop_ = false;
  std::optional<rollout::Outcome> outcome_;
  Millis looked_at_{};
  bool reported_ = false;
  std::map<std::string, Millis> decided_on_;  // by operation
  std::set<std::string> too_late_;
  bool failure_told_ = false;
  std::string last_line_;
  Program program_;  // last: it uses the others
};

}  // namespace eos::simulation
