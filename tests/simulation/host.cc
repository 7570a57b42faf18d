#include "tests/simulation/host.h"

#include <algorithm>

#include "common/files/atomic_replace.h"

namespace eos::simulation {
namespace {

using Fault = fakes::FaultyFileSystem::Fault;

constexpr Millis kLookAgain{200};

}  // namespace

Host::Host(World& world, Connect& group, Witness& witness, std::string own_name, Millis skew)
    : name(std::move(own_name)),
      world_(world),
      group_(group),
      witness_(witness),
      clock_(world, skew),
      boot_id_(name + "-boot-1") {
  disk.now = [this] { return clock_.Now(); };
  disk.fault = [this](int) { return NextFault(); };
  disk.on_change = [this](const std::string& path) {
    for (const auto& worker : workers) {
      if (worker->path == path) worker->OnFile();
    }
  };
}

void Host::Add(int worker, Habits habits, std::string file) {
  workers.push_back(std::make_unique<Worker>(world_, group_, witness_, worker, habits, disk, clock_, boot_id_,
                                             std::move(file)));
}

Worker* Host::Find(const std::string& worker) {
  for (const auto& own : workers) {
    if (own->name == worker) return own.get();
  }
  return nullptr;
}

bool Host::agent_busy() const {
  if (!agent_) return true;
  return std::any_of(workers.begin(), workers.end(),
                     [&](const auto& w) { return !agent_->desk->RunningOn(w->name).empty(); });
}

bool Host::UnderWay(const std::string& operation) const {
  const auto record =
      agent_ ? agent_->desk->Get(operation) : operations::Ledger(disk, kState).ReadOperation(operation);
  return record.ok() && !record->finished();
}

Fault Host::NextFault() {
  if (dies_in_ > 0 && --dies_in_ == 0) return dies_how_;
  return world_.now() < full_until_ ? Fault::kFail : Fault::kNone;
}

void Host::StartAgent() {
  if (!powered_ || agent_) return;
  try {
    BeginAgent();
  } catch (const fakes::Crash&) {
    AgentDied();
  }
}

void Host::BeginAgent() {
  auto agent = std::make_unique<Agent>(disk, clock_, boot_id_);
  const auto opened = agent->ledger.Open();
  if (opened.ok()) agent->problems = *opened;
  std::vector<operations::DeskWorker> configured;
  for (const auto& worker : workers) configured.push_back({worker->name, "payments", worker.get()});
  agent->desk =
      std::make_unique<operations::Desk>(agent->ledger, agent->leases, clock_, std::move(configured));
  Status begun = opened.status();
  for (const auto& worker : workers) {
    if (begun.ok()) begun = RemoveLeftOver(disk, worker->path);
  }
  if (begun.ok()) begun = agent->desk->Recover();
  if (!begun.ok()) return AgentDied();
  agent_ = std::move(agent);
  ++agent_life_;
  for (const auto& worker : workers) Tick(*worker);
}

void Host::KillAgent() {
  if (agent_) AgentDied();
}

void Host::KillAgentAtStep(int steps, Fault how) {
  dies_in_ = steps;
  dies_how_ = how;
}

void Host::AgentDied() {
  world_.Tell("{}: its agent dies", name);
  agent_.reset();
  ++agent_life_;
  for (const auto& worker : workers) worker->acting.clear();
  world_.After(world_.rng.Between(Millis{100}, Millis{5'000}), [this, life = agent_life_] {
    if (life != agent_life_ || !powered_) return;
    world_.Tell("{}: its agent starts", name);
    StartAgent();
  });
}

void Host::PowerOff(Millis time) {
  if (!powered_) return;
  world_.Tell("{}: the host loses power for {} s", name, time.count() / 1000);
  powered_ = false;
  agent_.reset();
  ++agent_life_;
  for (const auto& worker : workers) {
    worker->acting.clear();
    worker->PowerOff();
  }
  world_.After(time, [this] {
    world_.Tell("{}: the host boots", name);
    powered_ = true;
    boot_id_ = fmt::format("{}-boot-{}", name, ++boots_);
    clock_.booted = world_.now();
    witness_.Booted(*this);
    for (const auto& worker : workers) worker->Boot();
    StartAgent();
  });
}

void Host::FillDisk(Millis time) {
  world_.Tell("{}: the disk takes nothing for {} s", name, time.count() / 1000);
  full_until_ = world_.now() + time;
}

void Host::Heal() {
  full_until_ = Millis{0};
  dies_in_ = 0;
}

// As operations::Runner's thread: one step, then the next when there is reason to.
void Host::Tick(Worker& worker) {
  if (!agent_) return;
  const auto again = [this, &worker, life = agent_life_](Millis delay) {
    world_.After(delay, [this, &worker, life] {
      if (life == agent_life_) Tick(worker);
    });
  };
  auto job = agent_->jobs.find(worker.name);
  if (job == agent_->jobs.end()) {
    auto taken = agent_->desk->Take(worker.name);
    if (!taken) return;
    job = agent_->jobs.emplace(worker.name, *std::move(taken)).first;
  }
  bool told = false;
  operations::Next next{};
  try {
    next = Advance(worker, job->second, told);
  } catch (const fakes::Crash&) {
    return AgentDied();
  }
  if (told) on_news();
  if (next == operations::Next::kFinished) {
    agent_->desk->Leave(job->second);
    agent_->jobs.erase(job);
    on_news();
    again(Millis{0});
  } else {
    again(next == operations::Next::kWait ? kLookAgain : world_.rng.Between(Millis{1}, Millis{5}));
  }
}

operations::Next Host::Advance(Worker& worker, operations::Job& job, bool& told) {
  worker.acting = job.record.request.id;
  const operations::Next next = agent_->desk->Advance(job, told);
  worker.acting.clear();
  if (told) {
    world_.Tell("{}: operation {}: {}{}", worker.name, job.record.request.id, ToString(job.record.step),
                job.record.finished() ? fmt::format(", {}", ToString(job.record.outcome)) : "");
  }
  return next;
}

template <typename T>
T Host::Answer(const std::function<T(Agent&)>& how, const std::function<void(Agent&)>& on_death) {
  if (!agent_) return Err(Reason::kUnreachable, "connection refused");
  try {
    return how(*agent_);
  } catch (const fakes::Crash&) {
    on_death(*agent_);
    AgentDied();
    return Err(Reason::kUnreachable, "the connection broke");
  }
}

// As rpc::Facts does it.
StatusOr<HostReport> Host::Observe() {
  return Answer<StatusOr<HostReport>>([this](Agent& agent) -> StatusOr<HostReport> {
    HostReport report;
    for (const auto& worker : workers) {
      WorkerFacts facts = worker->Facts();
      facts.running_operation = agent.desk->RunningOn(worker->name);
      auto delay = agent.ledger.ReadDelay(worker->name);
      if (delay.ok()) {
        facts.temporary_delay = *std::move(delay);
      } else {
        facts.problems.push_back(ProblemOf(delay.status()));
      }
      report.workers.push_back(std::move(facts));
    }
    report.agent.host = name;
    report.agent.protocol = kProtocolVersion;
    report.agent.boot_id = boot_id_;
    report.agent.clock = clock_.Now();
    report.agent.certificate_not_after = clock_.Now() + std::chrono::hours{24 * 365};
    report.agent.problems = agent.problems;
    auto lease = agent.leases.Current("payments");
    if (!lease.ok()) {
      report.agent.problems.push_back(ProblemOf(lease.status()));
    } else if (*lease) {
      report.agent.leases.push_back(**std::move(lease));
    }
    return report;
  });
}

StatusOr<std::optional<Lease>> Host::GetLease(const std::string& fleet) {
  return Answer<StatusOr<std::optional<Lease>>>([&](Agent& agent) { return agent.leases.Current(fleet); });
}

// What is on disk when the agent dies was granted or taken, whether or not anybody was told.

StatusOr<Lease> Host::AcquireLease(const operations::LeaseRequest& request) {
  return Answer<StatusOr<Lease>>(
      [&](Agent& agent) -> StatusOr<Lease> {
        auto granted = agent.leases.Acquire(request);
        if (granted.ok()) witness_.LeaseGranted(*this, request, *granted);
        return granted;
      },
      [&](Agent& agent) {
        const auto stored = agent.ledger.ReadLease(request.fleet);
        if (stored.ok() && *stored && (*stored)->lease.session == request.session) {
          witness_.LeaseGranted(*this, request, (*stored)->lease);
        }
      });
}

Status Host::ReleaseLease(const std::string& fleet, const std::string& session) {
  return Answer<Status>(
      [&](Agent& agent) {
        const Status released = agent.leases.Release(fleet, session);
        if (released.ok()) witness_.LeaseReleased(*this, session);
        return released;
      },
      [&](Agent& agent) {
        const auto stored = agent.ledger.ReadLease(fleet);
        if (stored.ok() && *stored && (*stored)->released) witness_.LeaseReleased(*this, session);
      });
}

StatusOr<OperationRecord> Host::StartOperation(const OperationRequest& request) {
  const bool known = agent_ && agent_->desk->Get(request.id).ok();
  return Answer<StatusOr<OperationRecord>>(
      [&](Agent& agent) -> StatusOr<OperationRecord> {
        auto started = agent.desk->Start(request, "URI:spiffe://test/operator/alice");
        if (!started.ok() || known) return started;
        witness_.Accepted(*this, request);
        world_.After(Millis{0}, [this, worker = Find(request.worker), life = agent_life_] {
          if (life == agent_life_ && !agent_->jobs.contains(worker->name)) Tick(*worker);
        });
        return started;
      },
      [&](Agent& agent) {
        if (!known && agent.ledger.ReadOperation(request.id).ok()) witness_.Accepted(*this, request);
      });
}

StatusOr<OperationRecord> Host::GetOperation(const std::string& id) {
  return Answer<StatusOr<OperationRecord>>([&](Agent& agent) { return agent.desk->Get(id); });
}

StatusOr<std::vector<ConnectorStatus>> Host::ListConnectors(const std::string& worker) {
  return Answer<StatusOr<std::vector<ConnectorStatus>>>(
      [&](Agent&) -> StatusOr<std::vector<ConnectorStatus>> {
        if (!Find(worker)->up()) return Err(Reason::kRestUnavailable, "its REST does not answer");
        return group_.Statuses();
      });
}

Status Host::RestartFailedTasks(const std::string& worker, const std::string& connector,
                                const std::string& session, uint64_t epoch) {
  return Answer<Status>([&](Agent& agent) -> Status {
    EOS_RETURN_IF_ERROR(agent.leases.Check("payments", session, epoch));
    if (!Find(worker)->up()) return Err(Reason::kRestUnavailable, "its REST does not answer");
    return group_.RestartFailedTasks(connector);
  });
}

}  // namespace eos::simulation
