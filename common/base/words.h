// Small text helpers shared by both programs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace eos {

std::string_view TrimAscii(std::string_view text);  // ASCII space and control characters, both ends
bool EqualsIgnoreCase(std::string_view a, std::string_view b);  // ASCII only

// The candidate most like `word` (optimal string alignment distance), or nothing when none is near enough to
// be what the person meant (distance above a third of the word, at least 1).
std::optional<std::string_view> Nearest(std::string_view word, std::span<const std::string_view> candidates);

// Control characters replaced by '?', cut at `max` bytes with "…": safe to print what came from outside.
std::string Printable(std::string_view text, size_t max = 200);

}  // namespace eos
