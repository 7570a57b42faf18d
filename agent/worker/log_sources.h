// Where a worker's log lines come from.
#pragma once

#include <memory>
#include <string>

#include "agent/worker/log_source.h"

namespace eos::worker {

// A file that log4j appends to. It is opened anew each time, so rotation and truncation need nothing.
std::unique_ptr<LogSource> NewLogFile(std::string path);

// The journal of a systemd unit. `unit`: "kafka-connect.service".
std::unique_ptr<LogSource> NewJournal(std::string unit);

}  // namespace eos::worker
