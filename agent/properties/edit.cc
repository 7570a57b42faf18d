// The only kinds of change that are made to a file's bytes.
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

std::string Appended(const Document& document, std::string_view key, std::string_view raw_value) {
  std::string bytes = document.bytes();
  const std::string line_end(LineEndOf(bytes));
  const bool ends_a_line = bytes.empty() || bytes.back() == '\n' || bytes.back() == '\r';
  if (!ends_a_line) bytes += line_end;
  if (document.open_at_end()) {
    // Java makes an empty key of a lone backslash at the end; behind it, '=' keeps that entry.
    const Entry& last = document.entries().back();
    if (last.key.empty() && !last.separated) bytes += '=';
    bytes += line_end;
  }
  bytes += key;
  bytes += '=';
  bytes += raw_value;
  bytes += line_end;
  return bytes;
}

}  // namespace

std::string WithValue(const Document& document, std::string_view key, std::string_view raw_value) {
  const Entry* entry = document.Find(key);
  if (!entry) return Appended(document, key, raw_value);
  const std::string& bytes = document.bytes();
  std::string changed = bytes.substr(0, entry->value_begin);
  if (!entry->separated) changed += '=';
  changed += raw_value;
  changed += std::string_view(bytes).substr(entry->value_end);
  return changed;
}

std::string WithoutEntry(const Document& document, std::string_view key) {
  const Entry* entry = document.Find(key);
  if (!entry) return document.bytes();
  std::string changed = document.bytes();
  changed.erase(entry->begin, entry->end - entry->begin);
  return changed;
}

}  // namespace eos::properties
