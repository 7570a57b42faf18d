// Carries operations out: a desk, and one thread a worker, one operation at a time on each.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/operations/desk.h"

namespace eos::operations {

// Thread-safe.
class Runner {
 public:
  Runner(Ledger& ledger, LeaseBook& leases, const Clock& clock, std::vector<DeskWorker> workers);
  ~Runner();  // waits for the step under way, not for the operation; what is left goes on after the next
              // start

  // Takes up every unfinished operation of the ledger. Call once, before Start.
  Status Recover();

  // Records and returns. The same id with the same content: the record as it is now, and nothing new happens.
  // Errors: kConflict (same id with other content; or BUSY: the message names the running operation),
  // kNotFound (worker), kInvalidArgument, kLeaseLost, kLedgerDamaged, kStorageFailed.
  StatusOr<OperationRecord> Start(const OperationRequest& request, const std::string& caller);
  StatusOr<OperationRecord> Get(const std::string& id) const;
  std::string RunningOn(const std::string& worker) const;  // operation id or empty

  // `listener` is called on the runner's thread with every new state of any operation; it must not block.
  // Returns a token for Unsubscribe.
  int Subscribe(std::function<void(const OperationRecord&)> listener);
  void Unsubscribe(int token);  // no call is under way any more when it returns

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace eos::operations
