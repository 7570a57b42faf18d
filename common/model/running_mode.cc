#include "common/model/running_mode.h"

#include <fmt/format.h>

namespace eos {
namespace {

// Both times come from this host's clock; a process start is known to a clock tick (10 ms).
constexpr Millis kFileTimeSlack{50};

bool FileOlderThanProcess(const WorkerFacts& facts) {
  return facts.file && facts.process && facts.process->names_our_file &&
         facts.file->changed + kFileTimeSlack <= facts.process->started;
}

}  // namespace

RunningMode ConcludeRunningMode(const WorkerFacts& facts) {
  if (!facts.process) {
    if (facts.process_known) return {std::nullopt, ModeEvidence::kNotRunning, "no worker process"};
    return {std::nullopt, ModeEvidence::kNone, "its processes could not be read"};
  }
  const std::optional<Mode> by_log = facts.log ? facts.log->mode : std::nullopt;
  const std::optional<Mode> by_file = FileOlderThanProcess(facts) ? facts.file->mode : std::nullopt;
  if (by_log && by_file && *by_log != *by_file) {
    return {std::nullopt, ModeEvidence::kConflict,
            fmt::format("its log says {}, its file says {} since before it started", ToString(*by_log),
                        ToString(*by_file))};
  }
  if (by_log) {
    return {by_log, ModeEvidence::kLog,
            facts.log->at ? fmt::format("parsed by this process, logged {}", FormatUtc(*facts.log->at))
                          : "parsed by this process, in its log"};
  }
  if (by_file) {
    return {by_file, ModeEvidence::kFileOlder,
            fmt::format("started {}, file last changed {}", FormatUtc(facts.process->started),
                        FormatUtc(facts.file->changed))};
  }
  return {std::nullopt, ModeEvidence::kNone,
          "no parsed configuration in its log, and its file changed after it started"};
}

std::optional<Millis> ConcludeRunningDelay(const WorkerFacts& facts) {
  if (!facts.process) return std::nullopt;
  if (facts.log && facts.log->delay) return facts.log->delay;
  if (!FileOlderThanProcess(facts)) return std::nullopt;
  if (!facts.file->delay_present) return Millis(kDefaultDelayMs);
  return facts.file->delay;
}

std::string_view ToString(ModeEvidence evidence) {
  switch (evidence) {
    case ModeEvidence::kNone:
      return "none";
    case ModeEvidence::kNotRunning:
      return "not-running";
    case ModeEvidence::kLog:
      return "log";
    case ModeEvidence::kFileOlder:
      return "file-older-than-process";
    case ModeEvidence::kConflict:
      return "conflict";
  }
  return "?";
}

}  // namespace eos
