#include "agent/host/observe.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdio>

#include "common/base/words.h"

namespace eos::host {

Time ChangedAt(const FileStat& stat) {
  constexpr int64_t kNsPerSecond = 1'000'000'000;
  const int64_t latest = std::max(stat.mtime_ns, stat.ctime_ns);
  const bool coarse = stat.mtime_ns % kNsPerSecond == 0 && stat.ctime_ns % kNsPerSecond == 0;
  return Time{Millis{(latest + 999'999) / 1'000'000 + (coarse ? 999 : 0)}};
}

std::optional<ProcessFacts> Pick(const std::vector<worker::ConnectProcess>& all, const std::string& real_path,
                                 const std::string& worker_name, std::vector<Problem>& problems) {
  std::optional<ProcessFacts> found;
  for (const worker::ConnectProcess& process : all) {
    if (process.properties_file != real_path) continue;
    if (found) {
      problems.push_back({Reason::kConflict,
                          fmt::format("worker \"{}\": processes {} and {} both run with its properties file",
                                      worker_name, found->pid, process.facts.pid),
                          "end the one that the service does not know"});
      break;
    }
    found = process.facts;
    found->names_our_file = true;
  }
  return found;
}

void Judge(const WorkerFacts& facts, std::vector<Problem>& problems) {
  if (facts.process && !facts.process->distributed) {
    problems.push_back(
        {Reason::kWorkerStandalone,
         fmt::format("worker \"{}\" runs standalone, which has no exactly-once source support", facts.name),
         "run it as ConnectDistributed, or take it out of the agent's configuration"});
  }
  if (!facts.rest || facts.rest->version.empty()) return;
  int major = 0;
  int minor = 0;
  const bool read = std::sscanf(facts.rest->version.c_str(), "%d.%d", &major, &minor) == 2;
  if (read && (major > 3 || (major == 3 && minor >= 3))) return;
  problems.push_back(
      {Reason::kWorkerTooOld,
       fmt::format("worker \"{}\" is of version {}; exactly-once source support begins with 3.3.0",
                   facts.name, Printable(facts.rest->version)),
       "upgrade Kafka Connect on that host first: below 3.3.0 the property is ignored"});
}

}  // namespace eos::host
