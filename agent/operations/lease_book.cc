#include "agent/operations/lease_book.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "common/base/words.h"

namespace eos::operations {
namespace {

constexpr Millis kMinTtl{5'000};
constexpr Millis kMaxTtl{600'000};

bool IsSession(const std::string& text) {
  return text.size() >= 16 && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

Status CheckRequest(const LeaseRequest& request) {
  if (!IsSession(request.session)) {
    return Err(Reason::kInvalidArgument, "a lease's session is 16 to 64 of a-z, 0-9 and '-'");
  }
  if (request.ttl < kMinTtl || request.ttl > kMaxTtl) {
    return Err(Reason::kInvalidArgument, "a lease's time is 5 s to 10 min");
  }
  if (request.holder.size() > 200)
    return Err(Reason::kInvalidArgument, "a holder's name is at most 200 bytes");
  return OkStatus();
}

std::string Describe(const Lease& lease, Time now) {
  return fmt::format("{} (session {}, certificate {}), granted {} ago, for another {}",
                     Printable(lease.holder), lease.session, Printable(lease.caller),
                     FormatDuration(std::max(Millis{0}, now - lease.granted)),
                     FormatDuration(lease.remaining));
}

}  // namespace

LeaseBook::LeaseBook(Ledger& ledger, const Clock& clock, std::string boot_id)
    : ledger_(ledger), clock_(clock), boot_id_(std::move(boot_id)) {}

std::optional<Lease> LeaseBook::CurrentLocked(const std::optional<StoredLease>& stored) const {
  if (!stored || stored->released) return std::nullopt;
  const auto rebooted = rebooted_.find(stored->lease.fleet);
  // After a reboot the boot clock began anew: the whole time counts again, from when this agent first saw it.
  const Millis expires = stored->boot_id == boot_id_   ? stored->expires_since_boot
                         : rebooted != rebooted_.end() ? rebooted->second
                                                       : clock_.SinceBoot() + stored->ttl;
  if (stored->boot_id != boot_id_ && rebooted == rebooted_.end()) rebooted_[stored->lease.fleet] = expires;
  const Millis remaining = expires - clock_.SinceBoot();
  if (remaining <= Millis{0}) return std::nullopt;
  Lease lease = stored->lease;
  lease.remaining = remaining;
  return lease;
}

StatusOr<Lease> LeaseBook::Acquire(const LeaseRequest& request) {
  EOS_RETURN_IF_ERROR(CheckRequest(request));
  const std::lock_guard lock(mutex_);
  EOS_ASSIGN_OR_RETURN(const std::optional<StoredLease> stored, ledger_.ReadLease(request.fleet));
  const std::optional<Lease> current = CurrentLocked(stored);
  const bool renews = stored && !stored->released && stored->lease.session == request.session;
  if (current && !renews && current->session != request.take_over) {
    return Err(
        Reason::kLeaseHeld,
        fmt::format("taking the lease of fleet \"{}\": it is held by {}", request.fleet,
                    Describe(*current, clock_.Now())),
        fmt::format("wait until it is given back, or, if you know that this run is dead: eosctl apply … "
                    "--take-over {}",
                    current->session));
  }
  StoredLease next;
  next.lease.fleet = request.fleet;
  next.lease.session = request.session;
  next.lease.holder = request.holder;
  next.lease.caller = request.caller;
  next.lease.epoch = renews ? stored->lease.epoch : (stored ? stored->lease.epoch + 1 : 1);
  next.lease.granted = renews ? stored->lease.granted : clock_.Now();
  next.boot_id = boot_id_;
  next.ttl = request.ttl;
  next.expires_since_boot = clock_.SinceBoot() + request.ttl;
  EOS_RETURN_IF_ERROR(ledger_.WriteLease(next));
  next.lease.remaining = request.ttl;
  return next.lease;
}

Status LeaseBook::Release(const std::string& fleet, const std::string& session) {
  const std::lock_guard lock(mutex_);
  EOS_ASSIGN_OR_RETURN(std::optional<StoredLease> stored, ledger_.ReadLease(fleet));
  if (!stored || stored->released || stored->lease.session != session) return OkStatus();
  stored->released = true;  // kept for its epoch
  return ledger_.WriteLease(*stored);
}

StatusOr<std::optional<Lease>> LeaseBook::Current(const std::string& fleet) const {
  const std::lock_guard lock(mutex_);
  EOS_ASSIGN_OR_RETURN(const std::optional<StoredLease> stored, ledger_.ReadLease(fleet));
  return CurrentLocked(stored);
}

Status LeaseBook::Check(const std::string& fleet, const std::string& session, uint64_t epoch) const {
  const std::lock_guard lock(mutex_);
  EOS_ASSIGN_OR_RETURN(const std::optional<StoredLease> stored, ledger_.ReadLease(fleet));
  const std::optional<Lease> current = CurrentLocked(stored);
  if (current && current->session == session && current->epoch == epoch) return OkStatus();
  const std::string instead =
      current ? "it is held by " + Describe(*current, clock_.Now()) : "nobody holds it now";
  return Err(Reason::kLeaseLost,
             fmt::format("acting on fleet \"{}\" under epoch {}: the lease is not held any more; {}", fleet,
                         epoch, instead),
             "run eosctl apply again when the other run has ended");
}

}  // namespace eos::operations
