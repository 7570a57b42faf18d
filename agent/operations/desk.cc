#include "agent/operations/desk.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace eos::operations {
namespace {

constexpr size_t kKeep = 100;

}  // namespace

Desk::Desk(Ledger& ledger, LeaseBook& leases, const Clock& clock, std::vector<DeskWorker> workers)
    : ledger_(ledger), leases_(leases), clock_(clock) {
  for (DeskWorker& worker : workers) {
    const std::string name = worker.name;
    lanes_[name].worker = std::move(worker);
  }
}

Status Desk::Recover() {
  std::vector<Problem> damaged;  // told by Ledger::Open
  for (OperationRecord& record : ledger_.Operations(damaged)) {
    if (record.finished()) continue;
    const std::lock_guard lock(mutex_);
    const auto lane = lanes_.find(record.request.worker);
    if (lane == lanes_.end()) {
      spdlog::error("operation {}: worker \"{}\" is not configured any more", record.request.id,
                    record.request.worker);
      continue;
    }
    spdlog::info("operation {}: goes on from {}", record.request.id, ToString(record.step));
    lane->second.waiting.push_back(record);
    current_[record.request.id] = std::move(record);
  }
  return ledger_.Prune(kKeep);
}

StatusOr<OperationRecord> Desk::Start(const OperationRequest& request, const std::string& caller) {
  EOS_RETURN_IF_ERROR(Validate(request));
  const std::lock_guard lock(mutex_);
  auto known = GetLocked(request.id);
  if (known.ok()) {
    if (known->request == request) return known;
    return Err(Reason::kConflict,
               fmt::format("starting operation \"{}\": the id was used for another one", request.id));
  }
  if (ReasonOf(known.status()) != Reason::kNotFound) return known.status();
  const auto found = lanes_.find(request.worker);
  if (found == lanes_.end()) {
    return Err(Reason::kNotFound,
               fmt::format("starting an operation: no worker \"{}\" here", request.worker));
  }
  Lane& lane = found->second;
  if (const std::string running = RunningLocked(lane); !running.empty()) {
    return Err(Reason::kConflict,
               fmt::format("starting operation \"{}\": worker \"{}\" is BUSY with operation \"{}\"",
                           request.id, request.worker, running));
  }
  EOS_RETURN_IF_ERROR(leases_.Check(lane.worker.fleet, request.lease_session, request.lease_epoch));
  OperationRecord record;
  record.request = request;
  record.caller = caller;
  record.accepted = record.updated = clock_.Now();
  EOS_RETURN_IF_ERROR(ledger_.WriteOperation(record));
  lane.waiting.push_back(record);
  current_[request.id] = record;
  return record;
}

StatusOr<OperationRecord> Desk::Get(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  return GetLocked(id);
}

StatusOr<OperationRecord> Desk::GetLocked(const std::string& id) const {
  const auto found = current_.find(id);
  if (found != current_.end()) return found->second;
  return ledger_.ReadOperation(id);
}

std::string Desk::RunningOn(const std::string& worker) const {
  const std::lock_guard lock(mutex_);
  const auto lane = lanes_.find(worker);
  return lane == lanes_.end() ? std::string() : RunningLocked(lane->second);
}

std::string Desk::RunningLocked(const Lane& lane) const {
  if (lane.busy.empty() && !lane.waiting.empty()) return lane.waiting.front().request.id;
  return lane.busy;
}

std::vector<std::string> Desk::Workers() const {
  std::vector<std::string> names;
  for (const auto& [name, lane] : lanes_) names.push_back(name);  // fixed since the constructor
  return names;
}

bool Desk::Waits(const std::string& worker) const {
  const std::lock_guard lock(mutex_);
  return !lanes_.at(worker).waiting.empty();
}

std::optional<Job> Desk::Take(const std::string& worker) {
  const std::lock_guard lock(mutex_);
  Lane& lane = lanes_.at(worker);
  if (!lane.busy.empty() || lane.waiting.empty()) return std::nullopt;
  OperationRecord record = std::move(lane.waiting.front());
  lane.waiting.erase(lane.waiting.begin());
  lane.busy = record.request.id;
  const OperationRequest& request = record.request;
  World world{*lane.worker.host, ledger_, clock_,
              [this, fleet = lane.worker.fleet, session = request.lease_session,
               epoch = request.lease_epoch] { return leases_.Check(fleet, session, epoch); }};
  Resume(record, world);
  return Job{std::move(record), std::move(world)};
}

Next Desk::Advance(Job& job, bool& told) {
  const auto before = std::pair(job.record.step, job.record.problem);
  const Next next = operations::Advance(job.record, job.world);
  told = before != std::pair(job.record.step, job.record.problem);
  if (!told) return next;
  spdlog::info("operation {} on worker {}: {}{}", job.record.request.id, job.record.request.worker,
               ToString(job.record.step),
               job.record.finished() ? fmt::format(", {}", ToString(job.record.outcome)) : "");
  const std::lock_guard lock(mutex_);
  current_[job.record.request.id] = job.record;
  return next;
}

void Desk::Leave(const Job& job) {
  const std::lock_guard lock(mutex_);
  lanes_.at(job.record.request.worker).busy.clear();
  if (!job.record.finished()) return;
  const auto stored = ledger_.ReadOperation(job.record.request.id);
  if (stored.ok() && stored->finished()) current_.erase(job.record.request.id);
}

}  // namespace eos::operations
