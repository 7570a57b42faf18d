// What the transaction log says of each transactional id, added up. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "controller/kafka/transaction_log.h"

namespace eos::proof {

// One transactional id since the tally began.
struct IdHistory {
  int64_t commits = 0;
  int64_t aborts = 0;
  kafka::Transaction last;  // as it was told last
  Time first_seen;

  // The last commit of each set of topics that were committed together, sorted names; at most kMaxSets of
  // them.
  std::map<std::vector<std::string>, Time> committed;
  static constexpr size_t kMaxSets = 100;

  // The last commit that held `topic` and at least one other.
  std::optional<Time> CommittedWith(const std::string& topic) const;
  // Was `topic`, and nothing else, ever committed? Or everything but it?
  bool CommittedAlone(const std::string& topic) const;
  bool CommittedWithout(const std::string& topic) const;

  // Open for longer than its own timeout and `slack`: the coordinator should have aborted it (KIP-664).
  bool Hanging(Time now, Millis slack) const;
};

// Entries in the log's order; those of several partitions may be mixed, as an id lives in one.
class Tally {
 public:
  void Add(const kafka::LogEntry& entry);

  const std::map<std::string, IdHistory>& ids() const { return ids_; }
  const IdHistory* Find(const std::string& id) const;

 private:
  std::map<std::string, IdHistory> ids_;
};

}  // namespace eos::proof
