#include "agent/rpc/reporter.h"

#include <algorithm>

namespace eos::rpc {
namespace {

HostReport Of(const HostReport& report, const std::string& fleet) {
  if (fleet.empty()) return report;
  HostReport part = report;
  std::erase_if(part.workers, [&](const WorkerFacts& w) { return w.fleet != fleet; });
  std::erase_if(part.agent.leases, [&](const Lease& l) { return l.fleet != fleet; });
  return part;
}

}  // namespace

Reporter::Reporter(Facts& facts, Millis every) : facts_(facts), every_(every), thread_([this] { Work(); }) {}

Reporter::~Reporter() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

int Reporter::Subscribe(std::string fleet, Millis heartbeat, Listener listener) {
  const std::lock_guard lock(mutex_);
  subscribers_[++last_token_] = {std::move(fleet), heartbeat, std::move(listener), std::nullopt, {}};
  woken_ = true;
  wake_.notify_all();
  return last_token_;
}

void Reporter::Unsubscribe(int token) {
  const std::lock_guard lock(mutex_);
  subscribers_.erase(token);
}

void Reporter::Wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  wake_.notify_all();
}

// With mutex_ held: so that Unsubscribe can promise what it does.
void Reporter::Tell(const HostReport& report) {
  const auto now = std::chrono::steady_clock::now();
  for (auto& [token, subscriber] : subscribers_) {
    HostReport part = Of(report, subscriber.fleet);
    const bool first = !subscriber.last;
    const bool changed = !first && !SameNews(*subscriber.last, part);
    if (!first && !changed && now - subscriber.told < subscriber.heartbeat) continue;
    subscriber.listener(first ? Cause::kFirst : changed ? Cause::kChange : Cause::kHeartbeat, part);
    subscriber.last = std::move(part);
    subscriber.told = now;
  }
}

void Reporter::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return end_ || !subscribers_.empty(); });
    wake_.wait_for(lock, every_, [this] { return end_ || woken_; });
    if (end_) return;
    woken_ = false;
    if (subscribers_.empty()) continue;
    lock.unlock();
    const HostReport report = facts_.Look("");
    lock.lock();
    Tell(report);
  }
}

}  // namespace eos::rpc
