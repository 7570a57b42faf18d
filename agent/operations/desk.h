// Takes operations in and hands each step out: the runner without its threads. The runner's threads drive it
// in the agent, a simulated clock in the simulation.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "agent/operations/lease_book.h"
#include "agent/operations/ledger.h"
#include "agent/operations/machine.h"
#include "agent/operations/worker_host.h"

namespace eos::operations {

struct DeskWorker {
  std::string name;
  std::string fleet;
  WorkerHost* host;  // not owned; outlives the desk
};

// An operation that is being carried out. By one thread at a time.
struct Job {
  OperationRecord record;
  World world;
};

// Thread-safe. Nothing here waits for the world.
class Desk {
 public:
  Desk(Ledger& ledger, LeaseBook& leases, const Clock& clock, std::vector<DeskWorker> workers);

  // Takes up every unfinished operation of the ledger. Call once, before Start.
  Status Recover();
  // See Runner.
  StatusOr<OperationRecord> Start(const OperationRequest& request, const std::string& caller);
  StatusOr<OperationRecord> Get(const std::string& id) const;
  std::string RunningOn(const std::string& worker) const;

  std::vector<std::string> Workers() const;
  bool Waits(const std::string& worker) const;         // there is something for Take
  std::optional<Job> Take(const std::string& worker);  // makes the worker busy until Leave
  // One step on. `told`: set where the record says something new.
  Next Advance(Job& job, bool& told);
  void Leave(const Job& job);

 private:
  struct Lane {
    DeskWorker worker;
    std::vector<OperationRecord> waiting;  // at most one but after a recovery
    std::string busy;
  };

  StatusOr<OperationRecord> GetLocked(const std::string& id) const;
  std::string RunningLocked(const Lane& lane) const;

  Ledger& ledger_;
  LeaseBook& leases_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::map<std::string, Lane> lanes_;
  std::map<std::string, OperationRecord> current_;  // unfinished ones, and those whose end is not recorded
};

}  // namespace eos::operations
