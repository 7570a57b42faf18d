// The agent's memory on disk: operations, leases, delays that are still to be put back.
//
//   STATE/operations/ID.json     one record an operation, replaced atomically at each step
//   STATE/operations/ID.old      the properties file's bytes before it, 0600
//   STATE/leases/FLEET.json      last lease granted; its epoch never falls
//   STATE/delays/WORKER.json     the user's delay while a temporary one is in the file
//
// Every record names its format and carries a digest of itself. What is truncated, altered or of another
// format is reported (kLedgerDamaged, with the path) and never guessed at; other records stay usable.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/files/file_system.h"
#include "common/model/lease.h"
#include "common/model/operation.h"

namespace eos::operations {

// A lease as it is kept: with the boot clock, so that a step of the wall clock neither ends nor prolongs it.
struct StoredLease {
  Lease lease;  // `remaining` is not used
  std::string boot_id;
  Millis expires_since_boot{};  // on CLOCK_BOOTTIME of that boot; after a reboot the whole ttl counts again
  Millis ttl{};
  bool released = false;
};

// Each file has one writer at a time: the runner's thread of its worker, or the lease book under its lock.
// Reading is safe beside that. One agent uses a directory (STATE/lock in agent/main.cc). Names come from
// configurations and from the wire: other characters than letters, digits, '-', '_' and '.' are refused
// (kInvalidArgument). Errors: kStorageFailed (nothing changed), kLedgerDamaged, kNotFound.
class Ledger {
 public:
  Ledger(FileSystem& files, std::string directory);

  // Makes the folders (0700) and removes left-overs of a crash. Damaged records are listed, not removed.
  StatusOr<std::vector<Problem>> Open();

  StatusOr<OperationRecord> ReadOperation(const std::string& id) const;
  Status WriteOperation(const OperationRecord& record);
  // Every readable record, oldest first. Damaged ones go to `problems`.
  std::vector<OperationRecord> Operations(std::vector<Problem>& problems) const;
  Status KeepOldBytes(const std::string& id, std::string_view bytes);
  StatusOr<std::string> OldBytes(const std::string& id) const;
  // Finished records beyond the newest `keep` go, with their old bytes.
  Status Prune(size_t keep);

  StatusOr<std::optional<StoredLease>> ReadLease(const std::string& fleet) const;
  Status WriteLease(const StoredLease& lease);

  StatusOr<std::optional<TemporaryDelay>> ReadDelay(const std::string& worker) const;
  Status WriteDelay(const std::string& worker,
                    const std::optional<TemporaryDelay>& delay);  // nothing: removes it

 private:
  std::string PathOf(std::string_view folder, const std::string& name, std::string_view suffix) const;

  FileSystem& files_;
  std::string directory_;
};

}  // namespace eos::operations
