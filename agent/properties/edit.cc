// The only kinds of change that are made to a file's bytes.
#include <algorithm>

#include "agent/properties/properties.h"

namespace eos::properties {
namespace {

// The file's own line end: that of its last line.
std::string_view LineEndOf(std::string_view bytes) {
  const size_t last = bytes.find_last_of("\r\n");
  if (last == std::string_view::npos) return "\n";
  if (bytes[last] == '\r') return "\r";
  return last > 0 && bytes[last - 1] == '\r' ? "\r\n" : "\n";
}

}  // namespace

void Edits::Set(std::string_view key, std::string_view raw_value) {
  if (const Entry* entry = document_.Find(key)) {
    const std::string separator = entry->separated ? "" : "=";
    replacements_.push_back({entry->value_begin, entry->value_end, separator + std::string(raw_value)});
  } else {
    lines_.push_back(std::string(key) + "=" + std::string(raw_value));
  }
}

void Edits::Remove(std::string_view key) {
  if (const Entry* entry = document_.Find(key)) replacements_.push_back({entry->begin, entry->end, ""});
}

std::string Edits::Apply() const {
  std::vector<Replacement> in_order = replacements_;
  std::sort(in_order.begin(), in_order.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  const std::string_view old = document_.bytes();
  std::string bytes;
  bytes.reserve(old.size() + 256);
  size_t at = 0;
  for (const Replacement& replacement : in_order) {
    bytes += old.substr(at, replacement.begin - at);
    bytes += replacement.bytes;
    at = replacement.end;
  }
  bytes += old.substr(at);
  return lines_.empty() ? bytes : Appended(std::move(bytes));
}

std::string Edits::Appended(std::string bytes) const {
  const std::string_view line_end = LineEndOf(document_.bytes());
  const bool ends_a_line = bytes.empty() || bytes.back() == '\n' || bytes.back() == '\r';
  if (!ends_a_line) bytes += line_end;
  if (document_.open_at_end()) {
    // Java makes an empty key of a lone backslash at the end; behind it, '=' keeps that entry.
    const Entry& last = document_.entries().back();
    if (last.key.empty() && !last.separated) bytes += '=';
    bytes += line_end;
  }
  for (const std::string& line : lines_) {
    bytes += line;
    bytes += line_end;
  }
  return bytes;
}

}  // namespace eos::properties
