// Values of the two allowed keys, and what is said of them. Shared by facts.cc and change.cc only.
#pragma once

#include <optional>
#include <string_view>

#include "common/base/error.h"
#include "common/base/time.h"

namespace eos::properties {

// As ConfigDef reads an INT of at least 0: trimmed, decimal.
std::optional<Millis> ParseDelay(std::string_view value);

Problem IndirectProblem(std::string_view key, size_t line);

}  // namespace eos::properties
