// Who may change a fleet, at this agent (S4).
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "agent/operations/ledger.h"
#include "common/base/clock.h"
#include "common/model/lease.h"

namespace eos::operations {

struct LeaseRequest {
  std::string fleet;
  std::string session;  // 16–64 of [a-z0-9-]
  std::string holder;
  std::string caller;
  Millis ttl{};           // 5 s … 10 min
  std::string take_over;  // session to take it from; empty: from nobody
};

// Thread-safe. A grant is on disk before it is answered.
class LeaseBook {
 public:
  LeaseBook(Ledger& ledger, const Clock& clock, std::string boot_id);

  // The same session again renews and keeps its epoch. kLeaseHeld names holder, caller and age;
  // kInvalidArgument.
  StatusOr<Lease> Acquire(const LeaseRequest& request);
  Status Release(const std::string& fleet, const std::string& session);
  StatusOr<std::optional<Lease>> Current(const std::string& fleet) const;  // nothing: free or run out

  // May this session act under this epoch now? kLeaseLost names who holds it instead.
  Status Check(const std::string& fleet, const std::string& session, uint64_t epoch) const;

 private:
  std::optional<Lease> CurrentLocked(const std::optional<StoredLease>& stored) const;

  Ledger& ledger_;
  const Clock& clock_;
  const std::string boot_id_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Millis>
      rebooted_;  // by fleet: end, on this boot's clock, of a lease of an earlier boot
};

}  // namespace eos::operations
