// The three values of exactly.once.source.support (KIP-618).
#pragma once

#include <optional>
#include <string_view>

namespace eos {

enum class Mode { kDisabled, kPreparing, kEnabled };

// As Kafka reads it: trimmed, letter case ignored (ConfigDef.parseType, CaseInsensitiveValidString). Anything
// else, quotes and trailing comments included, is nothing: the worker would refuse it and exit with status 2.
std::optional<Mode> ParseMode(std::string_view text);

std::string_view ToString(Mode mode);  // "disabled", "preparing", "enabled"

// KIP-618: these two must not run side by side; every other pair may.
constexpr bool Forbidden(Mode a, Mode b) {
  return (a == Mode::kDisabled && b == Mode::kEnabled) || (a == Mode::kEnabled && b == Mode::kDisabled);
}

inline constexpr std::string_view kModeKey = "exactly.once.source.support";
inline constexpr std::string_view kDelayKey = "scheduled.rebalance.max.delay.ms";
inline constexpr int kDefaultDelayMs = 300'000;  // Kafka's own default of kDelayKey

}  // namespace eos
