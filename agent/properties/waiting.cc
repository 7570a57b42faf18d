#include "agent/properties/waiting.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "agent/properties/properties.h"
#include "common/base/words.h"
#include "common/model/mode.h"

namespace eos::properties {
namespace {

std::optional<long long> Number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  long long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

// "a,b , c" as a list is printed: "[a, b, c]".
std::string AsList(std::string_view text) {
  std::string list = "[";
  while (true) {
    const size_t comma = text.find(',');
    list += TrimAscii(text.substr(0, comma));
    if (comma == std::string_view::npos) return list + "]";
    list += ", ";
    text.remove_prefix(comma + 1);
  }
}

bool Same(const std::string& written, const std::string& printed) {
  if (written == printed || printed == "[hidden]") return true;
  if (written.empty()) return printed == "null" || printed == "[]";
  if (const auto number = Number(written); number && number == Number(printed)) return true;
  if (printed == "true" || printed == "false") return Lower(written) == printed;
  if (printed.starts_with("class ")) return written == printed.substr(6);
  if (printed.starts_with('[')) return AsList(written) == printed;
  return false;
}

}  // namespace

std::vector<std::string> WaitingEdits(std::string_view bytes,
                                      const std::map<std::string, std::string>& parsed) {
  std::vector<std::string> waiting;
  const auto document = Document::Parse(std::string(bytes));
  if (!document.ok()) return waiting;
  for (const auto& [key, printed] : parsed) {
    if (key == kModeKey || key == kDelayKey) continue;
    const Entry* entry = document->Find(key);
    if (!entry) continue;
    const std::string value = document->Value(*entry);
    if (IsIndirect(value) || value.find('?') != std::string::npos) continue;
    if (!Same(std::string(TrimAscii(value)), printed)) waiting.push_back(key);
  }
  return waiting;
}

}  // namespace eos::properties
