#include "agent/operations/runner.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace eos::operations {
namespace {

constexpr Millis kLookAgain{200};

}  // namespace

class Runner::Impl {
 public:
  Impl(Ledger& ledger, LeaseBook& leases, const Clock& clock, std::vector<DeskWorker> workers)
      : desk_(ledger, leases, clock, std::move(workers)) {
    for (const std::string& worker : desk_.Workers()) threads_.emplace_back([this, worker] { Work(worker); });
  }

  ~Impl() {
    {
      const std::lock_guard lock(mutex_);
      end_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  Status Recover() {
    const Status recovered = desk_.Recover();
    Wake();
    return recovered;
  }

  StatusOr<OperationRecord> Start(const OperationRequest& request, const std::string& caller) {
    auto started = desk_.Start(request, caller);
    Wake();
    return started;
  }

  const Desk& desk() const { return desk_; }

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
  void Work(const std::string& worker) {
    while (true) {
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return end_ || desk_.Waits(worker); });
        if (end_) return;
      }
      if (auto job = desk_.Take(worker)) Carry(*job);
    }
  }

  void Carry(Job& job) {
    Next next = Next::kAgain;
    while (next != Next::kFinished && !Ends()) {  // what this program does not finish, its successor does
      bool told = false;
      next = desk_.Advance(job, told);
      if (told) Tell(job.record);
      if (next == Next::kWait && !Ends()) job.world.host.AwaitEvent(kLookAgain);
    }
    desk_.Leave(job);
    if (next == Next::kFinished) Tell(job.record);  // once more, now that the worker is free
  }

  bool Ends() const {
    const std::lock_guard lock(mutex_);
    return end_;
  }

  // Under the lock, so that nobody who just found nothing to do misses it.
  void Wake() {
    { const std::lock_guard lock(mutex_); }
    wake_.notify_all();
  }

  void Tell(const OperationRecord& record) {
    const std::lock_guard lock(listeners_mutex_);
    for (const auto& [token, listener] : listeners_) listener(record);
  }

  Desk desk_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool end_ = false;
  std::mutex listeners_mutex_;
  std::map<int, std::function<void(const OperationRecord&)>> listeners_;
  int last_token_ = 0;
  std::vector<std::thread> threads_;  // last: they use the others
};

Runner::Runner(Ledger& ledger, LeaseBook& leases, const Clock& clock, std::vector<DeskWorker> workers)
    : impl_(std::make_unique<Impl>(ledger, leases, clock, std::move(workers))) {}
Runner::~Runner() = default;
Status Runner::Recover() { return impl_->Recover(); }
StatusOr<OperationRecord> Runner::Start(const OperationRequest& request, const std::string& caller) {
  return impl_->Start(request, caller);
}
StatusOr<OperationRecord> Runner::Get(const std::string& id) const { return impl_->desk().Get(id); }
std::string Runner::RunningOn(const std::string& worker) const { return impl_->desk().RunningOn(worker); }
int Runner::Subscribe(std::function<void(const OperationRecord&)> listener) {
  return impl_->Subscribe(std::move(listener));
}
void Runner::Unsubscribe(int token) { impl_->Unsubscribe(token); }

}  // namespace eos::operations
