// What a look at one worker concludes. Pure, but for what is handed in.
#pragma once

#include <vector>

#include "agent/worker/process_table.h"
#include "common/files/file_system.h"
#include "common/model/worker_facts.h"

namespace eos::host {

// The later of modification and change time. A file system that keeps whole seconds only gives the end of
// that second: a change within it must not look older than it may be.
Time ChangedAt(const FileStat& stat);

// The worker's JVM among all of this host; adds problems for several (kConflict).
std::optional<ProcessFacts> Pick(const std::vector<worker::ConnectProcess>& all, const std::string& real_path,
                                 const std::string& worker_name, std::vector<Problem>& problems);

// What is wrong with what was seen: kWorkerStandalone, kWorkerTooOld.
void Judge(const WorkerFacts& facts, std::vector<Problem>& problems);

}  // namespace eos::host
