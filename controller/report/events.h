// A rollout's events as NDJSON: one object a line. Pure.
#pragma once

#include <string>

#include "controller/rollout/executor.h"

namespace eos::report {

// With its newline. "format": "connect-eos/event/1", "at", "kind", "text", and what the kind has.
std::string EventLine(const rollout::Event& event);

}  // namespace eos::report
