#include "agent/operations/runner.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "agent/operations/machine.h"

namespace eos::operations {
namespace {

constexpr Millis kLookAgain{200};
constexpr size_t kKeep = 100;

}  // namespace

class Runner::Impl {
 public:
  Impl(Ledger& ledger, LeaseBook& leases, const Clock& clock, std::vector<RunnerWorker> workers)
      : ledger_(ledger), leases_(leases), clock_(clock) {
    for (RunnerWorker& worker : workers) {
      const std::string name = worker.name;
      lanes_[name].worker = std::move(worker);
    }
    for (auto& [name, lane] : lanes_) lane.thread = std::thread([this, &lane = lane] { Work(lane); });
  }

  ~Impl() {
    {
      const std::lock_guard lock(mutex_);
      end_ = true;
    }
    wake_.notify_all();
    for (auto& [name, lane] : lanes_) lane.thread.join();
  }

  Status Recover() {
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
    wake_.notify_all();
    return ledger_.Prune(kKeep);
  }

  StatusOr<OperationRecord> Start(const OperationRequest& request, const std::string& caller) {
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
    if (!lane.busy.empty() || !lane.waiting.empty()) {
      return Err(
          Reason::kConflict,
          fmt::format("starting operation \"{}\": worker \"{}\" is BUSY with operation \"{}\"", request.id,
                      request.worker, lane.busy.empty() ? lane.waiting.front().request.id : lane.busy));
    }
    EOS_RETURN_IF_ERROR(leases_.Check(lane.worker.fleet, request.lease_session, request.lease_epoch));
    OperationRecord record;
    record.request = request;
    record.caller = caller;
    record.accepted = record.updated = clock_.Now();
    EOS_RETURN_IF_ERROR(ledger_.WriteOperation(record));
    lane.waiting.push_back(record);
    current_[request.id] = record;
    wake_.notify_all();
    return record;
  }

  StatusOr<OperationRecord> Get(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    return GetLocked(id);
  }

  std::string RunningOn(const std::string& worker) const {
    const std::lock_guard lock(mutex_);
    const auto lane = lanes_.find(worker);
    if (lane == lanes_.end()) return {};
    if (lane->second.busy.empty() && !lane->second.waiting.empty())
      return lane->second.waiting.front().request.id;
    return lane->second.busy;
  }

  int Subscribe(std::function<void(const OperationRecord&)> listener) {
    const std::lock_guard lock(listeners_mutex_);
    listeners_[++last_token_] = std::move(listener);
    return last_token_;
  }

  void Unsubscribe(int token) {
    const std::lock_guard lock(listeners_mutex_);
    listeners_.erase(token);
  }

 private:
  struct Lane {
    RunnerWorker worker;
    std::vector<OperationRecord> waiting;  // at most one but after a recovery
    std::string busy;
    std::thread thread;
  };

  StatusOr<OperationRecord> GetLocked(const std::string& id) const {
    const auto found = current_.find(id);
    if (found != current_.end()) return found->second;
    return ledger_.ReadOperation(id);
  }

  void Work(Lane& lane) {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return end_ || !lane.waiting.empty(); });
      if (end_) return;
      OperationRecord record = lane.waiting.front();
      lane.waiting.erase(lane.waiting.begin());
      lane.busy = record.request.id;
      lock.unlock();
      const bool finished = Carry(lane, record);
      lock.lock();
      if (finished) current_.erase(record.request.id);
      lane.busy.clear();
      lock.unlock();
      if (finished) Tell(record);  // once more, now that the worker is free
      lock.lock();
    }
  }

  // False: this program ends first, the rest is for the next one.
  bool Carry(Lane& lane, OperationRecord& record) {
    const OperationRequest& request = record.request;
    World world{*lane.worker.host, ledger_, clock_,
                [&] { return leases_.Check(lane.worker.fleet, request.lease_session, request.lease_epoch); }};
    Resume(record, world);
    while (true) {
      const auto before = std::pair(record.step, record.problem);
      const Next next = Advance(record, world);
      if (before != std::pair(record.step, record.problem)) Publish(record);
      if (next == Next::kFinished) return true;
      if (Ends()) return false;
      if (next == Next::kWait) lane.worker.host->AwaitEvent(kLookAgain);
    }
  }

  bool Ends() const {
    const std::lock_guard lock(mutex_);
    return end_;
  }

  void Publish(const OperationRecord& record) {
    spdlog::info("operation {} on worker {}: {}{}", record.request.id, record.request.worker,
                 ToString(record.step),
                 record.finished() ? fmt::format(", {}", ToString(record.outcome)) : "");
    {
      const std::lock_guard lock(mutex_);
      current_[record.request.id] = record;
    }
    Tell(record);
  }

  void Tell(const OperationRecord& record) {
    const std::lock_guard lock(listeners_mutex_);
    for (const auto& [token, listener] : listeners_) listener(record);
  }

  Ledger& ledger_;
  LeaseBook& leases_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool end_ = false;
  std::map<std::string, Lane> lanes_;
  std::map<std::string, OperationRecord> current_;  // unfinished ones; the ledger has the others
  std::mutex listeners_mutex_;
  std::map<int, std::function<void(const OperationRecord&)>> listeners_;
  int last_token_ = 0;
};

Runner::Runner(Ledger& ledger, LeaseBook& leases, const Clock& clock, std::vector<RunnerWorker> workers)
    : impl_(std::make_unique<Impl>(ledger, leases, clock, std::move(workers))) {}
Runner::~Runner() = default;
Status Runner::Recover() { return impl_->Recover(); }
StatusOr<OperationRecord> Runner::Start(const OperationRequest& request, const std::string& caller) {
  return impl_->Start(request, caller);
}
StatusOr<OperationRecord> Runner::Get(const std::string& id) const { return impl_->Get(id); }
std::string Runner::RunningOn(const std::string& worker) const { return impl_->RunningOn(worker); }
int Runner::Subscribe(std::function<void(const OperationRecord&)> listener) {
  return impl_->Subscribe(std::move(listener));
}
void Runner::Unsubscribe(int token) { impl_->Unsubscribe(token); }

}  // namespace eos::operations
