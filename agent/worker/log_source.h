// The worker's own log: what this process parsed at its start, and why it died.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/model/death.h"
#include "common/model/worker_facts.h"

namespace eos::worker {

// Where the lines come from. Implementations: a log file (rotation and truncation are noticed), the journal
// of a unit.
class LogSource {
 public:
  virtual ~LogSource() = default;
  // The last at most `max_bytes` of text that may belong to `process` (by time stamp or pid where the source
  // knows), oldest line first.
  virtual StatusOr<std::vector<std::string>> Tail(const ProcessFacts& process, size_t max_bytes) = 0;
};

// Pure. The last "DistributedConfig values:" block whose time stamp is not before the process's start (lines
// without a readable time stamp do not count).
struct Parsed {
  LogFacts facts;
  std::map<std::string, std::string>
      values;  // as printed; Connect prints passwords as [hidden]. Stays on the host
};
std::optional<Parsed> ParsedConfiguration(const std::vector<std::string>& lines, Time started);

// Pure. Only lines from `started` on count.
Death CauseOfDeath(const std::vector<std::string>& lines, Time started);

}  // namespace eos::worker
