#include "controller/rollout/lease_keeper.h"

#include <algorithm>

namespace eos::rollout {
namespace {

constexpr size_t kAtOnce = 64;

bool SomebodyElse(const Status& status) {
  const Reason reason = ReasonOf(status);
  return reason == Reason::kLeaseHeld || reason == Reason::kLeaseLost || reason == Reason::kPermissionDenied;
}

}  // namespace

LeaseKeeper::LeaseKeeper(LeaseTerms terms, std::vector<fleet::AgentClient*> agents)
    : terms_(std::move(terms)), agents_(std::move(agents)) {
  std::sort(agents_.begin(), agents_.end(),
            [](const auto* a, const auto* b) { return a->name() < b->name(); });
}

LeaseKeeper::~LeaseKeeper() { Release(); }

Status LeaseKeeper::AcquireAt(fleet::AgentClient& agent) {
  auto lease = agent.AcquireLease(terms_.fleet, terms_.session, terms_.holder, terms_.ttl, terms_.take_over);
  if (!lease.ok()) return lease.status();
  const std::lock_guard lock(mutex_);
  epochs_[agent.name()] = lease->epoch;
  return OkStatus();
}

Status LeaseKeeper::Acquire() {
  if (agents_.empty()) return OkStatus();
  EOS_RETURN_IF_ERROR(AcquireAt(*agents_.front()));
  std::vector<Status> results(agents_.size(), OkStatus());
  fleet::ForEachAtOnce(agents_.size() - 1, kAtOnce,
                       [&](size_t i) { results[i + 1] = AcquireAt(*agents_[i + 1]); });
  for (const Status& result : results) {
    if (result.ok()) continue;
    Release();
    return result;
  }
  renewer_ = std::thread([this] { Renew(); });
  return OkStatus();
}

uint64_t LeaseKeeper::EpochAt(const std::string& agent) const {
  const std::lock_guard lock(mutex_);
  const auto found = epochs_.find(agent);
  return found == epochs_.end() ? 0 : found->second;
}

std::optional<Problem> LeaseKeeper::Lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

void LeaseKeeper::Renew() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, terms_.ttl / 3, [this] { return end_; })) {
    lock.unlock();
    std::vector<Status> results(agents_.size(), OkStatus());
    fleet::ForEachAtOnce(agents_.size(), kAtOnce, [&](size_t i) { results[i] = AcquireAt(*agents_[i]); });
    lock.lock();
    for (const Status& result : results) {
      if (!result.ok() && SomebodyElse(result) && !lost_) lost_ = ProblemOf(result);
    }
    if (lost_) return;
  }
}

void LeaseKeeper::Release() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  wake_.notify_all();
  if (renewer_.joinable()) renewer_.join();
  std::vector<fleet::AgentClient*> held;
  {
    const std::lock_guard lock(mutex_);
    for (auto* agent : agents_) {
      if (epochs_.contains(agent->name())) held.push_back(agent);
    }
    epochs_.clear();
  }
  // Best effort: what cannot be given back runs out by itself.
  fleet::ForEachAtOnce(held.size(), kAtOnce, [&](size_t i) {
    const Status released = held[i]->ReleaseLease(terms_.fleet, terms_.session);
    static_cast<void>(released);
  });
}

}  // namespace eos::rollout
