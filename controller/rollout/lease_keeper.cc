#include "controller/rollout/lease_keeper.h"

#include <algorithm>

namespace eos::rollout {
namespace {

bool SomebodyElse(const Status& status) {
  const Reason reason = ReasonOf(status);
  return reason == Reason::kLeaseHeld || reason == Reason::kLeaseLost || reason == Reason::kPermissionDenied;
}

}  // namespace

LeaseKeeper::LeaseKeeper(LeaseTerms terms, std::vector<fleet::AgentClient*> agents,
                         fleet::Background& background)
    : terms_(std::move(terms)), agents_(std::move(agents)), background_(background) {
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
  background_.ForEach(agents_.size() - 1, [&](size_t i) { results[i + 1] = AcquireAt(*agents_[i + 1]); });
  for (const Status& result : results) {
    if (result.ok()) continue;
    Release();
    return result;
  }
  renewer_ = background_.Every(terms_.ttl / 3, [this] { return Renew(); });
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

bool LeaseKeeper::Renew() {
  std::vector<Status> results(agents_.size(), OkStatus());
  background_.ForEach(agents_.size(), [&](size_t i) { results[i] = AcquireAt(*agents_[i]); });
  const std::lock_guard lock(mutex_);
  for (const Status& result : results) {
    if (!result.ok() && SomebodyElse(result) && !lost_) lost_ = ProblemOf(result);
  }
  return !lost_;
}

void LeaseKeeper::Release() {
  renewer_.reset();
  std::vector<fleet::AgentClient*> held;
  {
    const std::lock_guard lock(mutex_);
    for (auto* agent : agents_) {
      if (epochs_.contains(agent->name())) held.push_back(agent);
    }
    epochs_.clear();
  }
  // Best effort: what cannot be given back runs out by itself.
  background_.ForEach(held.size(), [&](size_t i) {
    const Status released = held[i]->ReleaseLease(terms_.fleet, terms_.session);
    static_cast<void>(released);
  });
}

}  // namespace eos::rollout
