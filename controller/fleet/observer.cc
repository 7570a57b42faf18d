#include "controller/fleet/observer.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace eos::fleet {
namespace {

constexpr Millis kHeartbeat{10'000};
constexpr Millis kLookAtStop{200};
constexpr Millis kWatchAgain{2'000};
constexpr Millis kGroupLimit{10'000};

void AskKafka(kafka::GroupReader& group, Observations& seen) {
  auto view = group.Read(kGroupLimit);
  if (view.ok()) {
    seen.group = *std::move(view);
  } else {
    seen.group_problem = ProblemOf(view.status());
  }
}

// Any worker whose herder answers tells the whole cluster's connectors; the next one is asked only if it
// fails.
void AskForConnectors(const std::vector<AgentClient*>& clients, Observations& seen) {
  seen.connectors_problem = Problem{
      Reason::kRestUnavailable, "no worker's REST answers, so the state of the connectors is not known", {}};
  for (const auto& [agent, facts] : seen.workers) {
    if (!facts.rest || !facts.rest->herder_answers) continue;
    const auto client =
        std::find_if(clients.begin(), clients.end(), [&](AgentClient* c) { return c->name() == agent; });
    auto connectors = (*client)->ListConnectors(facts.name);
    if (connectors.ok()) {
      seen.connectors = *std::move(connectors);
      seen.connectors_problem.reset();
      return;
    }
    seen.connectors_problem = ProblemOf(connectors.status());
  }
}

class Observer final : public FleetObserver {
 public:
  Observer(const Inventory& inventory, std::vector<AgentClient*> clients, kafka::GroupReader& group,
           const Clock& clock)
      : inventory_(inventory), clients_(std::move(clients)), group_(group), clock_(clock) {}

  ~Observer() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    end_ = true;
    changed_.notify_all();
    for (std::thread& watcher : watchers_) watcher.join();
  }

  FleetView Observe() override { return LookAt(inventory_, clients_, group_, clock_, threads_); }

  void AwaitChange(Millis limit, const StopFlag& stop) override {
    StartWatching();
    const auto end = std::chrono::steady_clock::now() + limit;
    std::unique_lock lock(mutex_);
    while (!reported_ && !stop && std::chrono::steady_clock::now() < end) {
      changed_.wait_until(lock, std::min(end, std::chrono::steady_clock::now() + kLookAtStop));
    }
    reported_ = false;
  }

 private:
  void StartWatching() {
    if (!watchers_.empty()) return;
    for (AgentClient* client : clients_) watchers_.emplace_back([this, client] { Watch(*client); });
  }

  void Watch(AgentClient& client) {
    while (!end_) {
      bool first = true;
      const Status broken = client.WatchReports(
          inventory_.fleet, kHeartbeat,
          [&](const HostReport&) {
            if (!std::exchange(first, false)) Wake();  // the first one says nothing new
          },
          end_);
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, kWatchAgain, [this] { return ending_; });
    }
  }

  void Wake() {
    {
      const std::lock_guard lock(mutex_);
      reported_ = true;
    }
    changed_.notify_all();
  }

  const Inventory& inventory_;
  const std::vector<AgentClient*> clients_;
  kafka::GroupReader& group_;
  const Clock& clock_;
  Threads threads_;
  StopFlag end_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool reported_ = false;
  bool ending_ = false;
  std::vector<std::thread> watchers_;
};

}  // namespace

FleetView LookAt(const Inventory& inventory, const std::vector<AgentClient*>& clients,
                 kafka::GroupReader& group, const Clock& clock, Background& background) {
  Observations seen;
  std::vector<StatusOr<HostReport>> reports(clients.size(), Err(Reason::kInternal, "not asked"));
  background.ForEach(clients.size() + 1, [&](size_t i) {
    if (i == 0) {
      AskKafka(group, seen);
    } else {
      reports[i - 1] = clients[i - 1]->Observe(inventory.fleet);
    }
  });
  seen.at = clock.Now();
  for (size_t i = 0; i < clients.size(); ++i) {
    AgentView agent;
    agent.name = clients[i]->name();
    if (reports[i].ok()) {
      agent.facts = std::move(reports[i]->agent);
      for (WorkerFacts& facts : reports[i]->workers) seen.workers.emplace_back(agent.name, std::move(facts));
    } else {
      agent.unreached = ProblemOf(reports[i].status());
    }
    seen.agents.push_back(std::move(agent));
  }
  AskForConnectors(clients, seen);
  return Join(std::move(seen));
}

std::unique_ptr<FleetObserver> NewFleetObserver(const Inventory& inventory, std::vector<AgentClient*> clients,
                                                kafka::GroupReader& group, const Clock& clock) {
  return std::make_unique<Observer>(inventory, std::move(clients), group, clock);
}

}  // namespace eos::fleet
