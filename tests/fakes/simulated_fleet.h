// A whole fleet in memory: agents, workers, the Connect group and its leader, driven by the executor like the
// real thing. Operations end at once; the group's consequences (a new member id, a new leader, a pending
// delay) follow. It checks what must never happen while it is driven: forbidden modes side by side, two
// workers down, a fence missed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "controller/fleet/agent_client.h"
#include "controller/fleet/observer.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/healthy_fleet.h"

namespace eos::fakes {

class SimulatedFleet final : public fleet::FleetObserver {
 public:
  explicit SimulatedFleet(int workers, Mode mode = Mode::kDisabled, FakeClock* clock = nullptr)
      : clock_(clock ? *clock : own_clock_), seen_(HealthyObservations(workers, mode)) {
    for (const auto& agent : seen_.agents) clients_.push_back(std::make_unique<Client>(*this, agent.name));
  }

  // The parts that the executor is given.
  std::map<std::string, fleet::AgentClient*> Clients() {
    std::map<std::string, fleet::AgentClient*> clients;
    for (const auto& client : clients_) clients[client->name()] = client.get();
    return clients;
  }
  FakeClock& clock() { return clock_; }

  // To spoil, before or while it is driven.
  fleet::Observations& seen() { return seen_; }
  WorkerFacts& Worker(int number) { return seen_.workers.at(static_cast<size_t>(number) - 1).second; }
  std::function<std::optional<Problem>(const OperationRequest&)>
      on_operation;                // a problem: rolled back with it
  std::function<void()> on_await;  // called at each wait of the executor
  int lost_answers = 0;            // so many answers to a started operation do not arrive
  std::string hangs;               // this worker's old process never goes: its operations never end
  bool says_that_it_hangs = true;

  // What happened.
  const std::vector<OperationRequest>& operations() const { return operations_; }
  const std::vector<std::string>& repairs() const { return repairs_; }
  const std::vector<std::string>& violations() const { return violations_; }
  const std::string& lease_holder() const { return lease_session_; }
  void HoldLeaseAs(std::string session) { lease_session_ = std::move(session); }

  fleet::FleetView Observe() override {
    seen_.at = clock_.Now();
    for (auto& agent : seen_.agents) {
      if (agent.facts) agent.facts->clock = seen_.at;
    }
    return fleet::Join(seen_);
  }
  void AwaitChange(Millis limit, const fleet::StopFlag&) override {
    clock_.Advance(limit);
    if (on_await) on_await();
  }

 private:
  class Client final : public fleet::AgentClient {
   public:
    Client(SimulatedFleet& fleet, std::string name) : fleet_(fleet), name_(std::move(name)) {}
    const std::string& name() const override { return name_; }
    StatusOr<HostReport> Observe(const std::string&) override { return Unused(); }
    Status WatchReports(const std::string&, Millis, const std::function<void(const HostReport&)>&,
                        const fleet::StopFlag&) override {
      return Unused();
    }
    StatusOr<std::optional<Lease>> GetLease(const std::string&) override { return Unused(); }
    StatusOr<Lease> AcquireLease(const std::string& fleet, const std::string& session,
                                 const std::string& holder, Millis ttl,
                                 const std::string& take_over) override {
      if (!fleet_.lease_session_.empty() && fleet_.lease_session_ != session &&
          fleet_.lease_session_ != take_over) {
        return Err(Reason::kLeaseHeld, "the lease is held by session \"" + fleet_.lease_session_ + "\"");
      }
      fleet_.lease_session_ = session;
      return Lease{fleet, session, holder, "", 7, fleet_.clock_.Now(), ttl};
    }
    Status ReleaseLease(const std::string&, const std::string& session) override {
      if (fleet_.lease_session_ == session) fleet_.lease_session_.clear();
      return OkStatus();
    }
    StatusOr<OperationRecord> StartOperation(const OperationRequest& request) override {
      const auto known = fleet_.records_.find(request.id);
      const auto record = known == fleet_.records_.end() ? fleet_.Operate(request) : known->second;
      fleet_.records_[request.id] = record;
      if (fleet_.lost_answers == 0) return record;
      --fleet_.lost_answers;
      return Err(Reason::kUnreachable, "the connection broke");
    }
    StatusOr<OperationRecord> GetOperation(const std::string& id) override {
      const auto found = fleet_.records_.find(id);
      if (found == fleet_.records_.end()) return Err(Reason::kNotFound, "no operation " + id);
      return found->second;
    }
    StatusOr<OperationRecord> WatchOperation(const std::string&, Millis,
                                             const std::function<void(const OperationRecord&)>&,
                                             const fleet::StopFlag&) override {
      return Unused();
    }
    StatusOr<std::vector<ConnectorStatus>> ListConnectors(const std::string&) override { return Unused(); }
    StatusOr<fleet::ProbeAnswer> ProbeExactlyOnce(const std::string&, const std::string&) override {
      return Unused();
    }
    StatusOr<ConnectorSettings> DescribeConnector(const std::string&, const std::string&) override {
      return Unused();
    }
    Status RestartFailedTasks(const std::string&, const std::string& connector, const std::string&,
                              uint64_t) override {
      fleet_.repairs_.push_back(connector);
      for (auto& known : *fleet_.seen_.connectors) {
        if (known.name != connector) continue;
        for (auto& task : known.tasks) {
          if (task.state == TaskState::kFailed) {
            task = {task.id, TaskState::kRunning, task.worker_id, FailureKind::kNone, {}};
          }
        }
      }
      return OkStatus();
    }
    StatusOr<std::vector<Reachability>> CheckReachability(const std::string&,
                                                          const std::vector<std::string>&) override {
      return Unused();
    }

   private:
    static Status Unused() { return Err(Reason::kInternal, "the executor does not ask this"); }
    SimulatedFleet& fleet_;
    std::string name_;
  };

  OperationRecord Operate(const OperationRequest& request) {
    operations_.push_back(request);
    if (request.lease_session != lease_session_ || request.lease_epoch != 7)
      violations_.push_back("acted without lease");
    OperationRecord record;
    record.request = request;
    record.step = OperationStep::kFinished;
    record.outcome = OperationOutcome::kDone;
    record.starts = request.restart ? 1 : 0;
    if (request.worker == hangs) {
      record.step = OperationStep::kStopping;
      record.outcome = OperationOutcome::kPending;
      if (says_that_it_hangs)
        record.problem =
            Problem{Reason::kStopTimeout, "the process of worker \"" + hangs + "\" is still there", ""};
      return record;
    }
    if (on_operation) {
      if (auto problem = on_operation(request)) {
        record.outcome = OperationOutcome::kRolledBack;
        record.problem = std::move(problem);
        return record;
      }
    }
    for (size_t i = 0; i < seen_.workers.size(); ++i) {
      WorkerFacts& facts = seen_.workers[i].second;
      if (facts.name != request.worker) {
        if (request.restart && !facts.process)
          violations_.push_back("restarted while another worker was down");
        continue;
      }
      if (facts.file->sha256 != request.expected_sha256) violations_.push_back("planned for other bytes");
      Edit(facts, request);
      if (request.restart) Restart(i);
      record.new_sha256 = facts.file->sha256;
    }
    CheckMix();
    return record;
  }

  void Edit(WorkerFacts& facts, const OperationRequest& request) {
    FileFacts& file = *facts.file;
    file.sha256 = fmt::format("{:064x}", 0xabc000 + ++edits_);
    file.changed = clock_.Now();
    if (request.mode) file.mode = request.mode;
    file.mode_present = true;
    if (request.delay == DelayChange::kSetTemporary) {
      if (!facts.temporary_delay) facts.temporary_delay = TemporaryDelay{{}, std::nullopt, clock_.Now()};
      facts.temporary_delay->value = request.temporary_delay;
      file.delay = request.temporary_delay;
      file.delay_present = true;
    } else if (request.delay == DelayChange::kPutBack) {
      facts.temporary_delay.reset();
      file.delay.reset();
      file.delay_present = false;
    }
  }

  void Restart(size_t index) {
    WorkerFacts& facts = seen_.workers[index].second;
    clock_.Advance(Millis{8'000});
    facts.process->pid += 100;
    facts.process->start_ticks += 1000;
    facts.process->started = clock_.Now();
    facts.log = LogFacts{facts.file->mode, facts.file->delay.value_or(Millis{kDefaultDelayMs}), clock_.Now()};
    kafka::GroupView& group = *seen_.group;
    kafka::Member& member = group.members[index];
    const bool led = group.leader_id == member.member_id;
    member.member_id += "'";
    if (!led) return;
    const kafka::Member& heir = group.members[(index + 1) % group.members.size()];
    group.leader_id = heir.member_id;
    group.leader_url = heir.url;
  }

  void CheckMix() {
    bool enabled = false;
    bool disabled = false;
    for (const auto& [agent, facts] : seen_.workers) {
      const auto mode = ConcludeRunningMode(facts).mode;
      enabled |= mode == Mode::kEnabled;
      disabled |= mode == Mode::kDisabled;
    }
    if (enabled && disabled && !mix_allowed) violations_.push_back("enabled beside disabled");
  }

 public:
  bool mix_allowed = false;  // the test itself began with one

 private:
  FakeClock own_clock_{kNoon};
  FakeClock& clock_;
  fleet::Observations seen_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::string lease_session_;
  std::vector<OperationRequest> operations_;
  std::map<std::string, OperationRecord> records_;  // by id
  std::vector<std::string> repairs_;
  std::vector<std::string> violations_;
  int edits_ = 0;
};

}  // namespace eos::fakes
