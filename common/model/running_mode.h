// Which mode a worker's JVM runs, concluded from what its agent saw.
#pragma once

#include <optional>
#include <string>

#include "common/model/worker_facts.h"

namespace eos {

enum class ModeEvidence {
  kNone,        // nothing tells
  kNotRunning,  // there is no process: it runs no mode
  kLog,         // this process printed the value that it parsed
  kFileOlder,   // this process names the file, and started after the file's last change
  kConflict,    // log and file disagree
};

struct RunningMode {
  std::optional<Mode> mode;  // absent for kNone, kNotRunning, kConflict
  ModeEvidence evidence = ModeEvidence::kNone;
  std::string why;  // one clause for people: "parsed configuration in its log, 06:33:55Z"
};

// Pure. A file changed within 50 ms before the start does not count as older.
RunningMode ConcludeRunningMode(const WorkerFacts& facts);

// The delay the JVM runs with, by the same evidence; kDefaultDelayMs where the key is known to be absent.
std::optional<Millis> ConcludeRunningDelay(const WorkerFacts& facts);

std::string_view ToString(ModeEvidence evidence);

}  // namespace eos
