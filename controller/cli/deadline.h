#pragma once

#include <optional>
#include <string>

#include "common/base/error.h"
#include "common/base/time.h"

namespace eos::cli {

// "45s", "30m", "2h"; nothing for anything else.
std::optional<Millis> ParseLength(const std::string& text);

// "45s", "30m", "2h" from `now`, or a time as RFC 3339 writes it in UTC: "2026-12-06T03:30:00Z". kUsage for
// anything else, and for a time that is not ahead of `now`.
StatusOr<Time> ParseDeadline(const std::string& text, Time now);

}  // namespace eos::cli
