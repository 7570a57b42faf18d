// A host: its clocks, its disk, its workers, and the agent, made of the product's own desk, leases and
// ledger.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "agent/operations/desk.h"
#include "common/model/connectors.h"
#include "common/model/host_report.h"
#include "tests/simulation/worker.h"

namespace eos::simulation {

class Host {
 public:
  // `skew`: of its wall clock.
  Host(World& world, Connect& group, Witness& witness, std::string name, Millis skew);

  const std::string name;
  std::vector<std::unique_ptr<Worker>> workers;
  mutable fakes::FaultyFileSystem disk;   // mutable: a ledger that only reads takes it so, too
  std::function<void()> on_news = [] {};  // its agent has something to report

  void Add(int worker, Habits habits, std::string file);
  bool powered() const { return powered_; }
  bool agent_runs() const { return agent_ != nullptr; }
  bool agent_busy() const;
  const operations::Ledger* ledger() const { return agent_ ? &agent_->ledger : nullptr; }
  bool UnderWay(const std::string& operation) const;  // it goes on, now or when the agent is back
  Worker* Find(const std::string& worker);

  // Faults.
  void StartAgent();
  void KillAgent();  // kill -9; its service manager starts it again
  void KillAgentAtStep(int steps, fakes::FaultyFileSystem::Fault how);  // of its writing, from now on
  void PowerOff(Millis time);
  void FillDisk(Millis time);
  void Heal();

  // What an agent answers; where it dies of it: kUnreachable.
  StatusOr<HostReport> Observe();
  StatusOr<std::optional<Lease>> GetLease(const std::string& fleet);
  StatusOr<Lease> AcquireLease(const operations::LeaseRequest& request);
  Status ReleaseLease(const std::string& fleet, const std::string& session);
  StatusOr<OperationRecord> StartOperation(const OperationRequest& request);
  StatusOr<OperationRecord> GetOperation(const std::string& id);
  StatusOr<std::vector<ConnectorStatus>> ListConnectors(const std::string& worker);
  Status RestartFailedTasks(const std::string& worker, const std::string& connector,
                            const std::string& session, uint64_t epoch);

 private:
  static constexpr char kState[] = "/var/lib/eos-agent";

  class HostClock final : public Clock {
   public:
    HostClock(const World& world, Millis skew) : world_(world), skew_(skew) {}
    Time Now() const override { return world_.wall() + skew_; }
    Millis SinceBoot() const override { return world_.now() - booted + Millis{60'000}; }
    Millis booted{};

   private:
    const World& world_;
    const Millis skew_;
  };
  struct Agent {
    Agent(FileSystem& files, const Clock& clock, const std::string& boot_id)
        : ledger(files, kState), leases(ledger, clock, boot_id) {}
    operations::Ledger ledger;
    operations::LeaseBook leases;
    std::unique_ptr<operations::Desk> desk;
    std::map<std::string, operations::Job> jobs;
    std::vector<Problem> problems;
  };

  void BeginAgent();
  void AgentDied();
  void Tick(Worker& worker);
  operations::Next Advance(Worker& worker, operations::Job& job, bool& told);
  fakes::FaultyFileSystem::Fault NextFault();
  template <typename T>
  T Answer(
      const std::function<T(Agent&)>& how, const std::function<void(Agent&)>& on_death = [](Agent&) {});

  World& world_;
  Connect& group_;
  Witness& witness_;
  HostClock clock_;
  int boots_ = 1;
  std::string boot_id_;
  bool powered_ = true;
  Millis full_until_{};
  int dies_in_ = 0;  // steps of writing; 0: it does not
  fakes::FaultyFileSystem::Fault dies_how_{};
  uint64_t agent_life_ = 0;
  std::unique_ptr<Agent> agent_;
};

}  // namespace eos::simulation
