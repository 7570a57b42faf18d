#include <spdlog/fmt/fmt.h>

#include <array>
#include <charconv>

#include "agent/properties/change.h"
#include "agent/properties/properties.h"
#include "agent/properties/values.h"
#include "common/base/words.h"
#include "common/files/sha256.h"

namespace eos::properties {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

void WarnOfKeys(const Document& document, std::vector<std::string>& warnings) {
  for (const std::string_view key : {kModeKey, kDelayKey}) {
    const auto shadowed = document.Shadowed(key);
    for (const size_t line : shadowed) {
      warnings.push_back(
          fmt::format("line {}: {} is shadowed by line {}", line, key, document.Find(key)->line));
    }
    for (const Entry& entry : document.entries()) {
      if (entry.key != key && EqualsIgnoreCase(TrimAscii(entry.key), key)) {
        warnings.push_back(fmt::format(
            "line {}: differs from {} in letter case or space, so Kafka ignores it", entry.line, key));
      }
    }
  }
}

bool Contains(std::string_view text, std::string_view word) {
  for (size_t i = 0; i + word.size() <= text.size(); ++i) {
    if (EqualsIgnoreCase(text.substr(i, word.size()), word)) return true;
  }
  return false;
}

// Configuration management that will write its own version over ours.
void WarnOfManagers(std::string_view bytes, std::vector<std::string>& warnings) {
  constexpr std::array<std::string_view, 6> kMarks{"ansible managed",    "managed by puppet",
                                                   "managed by chef",    "managed by salt",
                                                   "managed by ansible", "this file is managed by"};
  size_t line = 1;
  for (size_t begin = 0; begin < bytes.size(); ++line) {
    const size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const std::string_view text = TrimAscii(bytes.substr(begin, end - begin));
    begin = end + 1;
    if (text.empty() || (text.front() != '#' && text.front() != '!')) continue;
    for (const std::string_view mark : kMarks) {
      if (!Contains(text, mark)) continue;
      warnings.push_back(fmt::format(
          "line {}: says \"{}\": what manages this file must know the new value too", line, mark));
      break;
    }
  }
}

Problem Refused(std::string_view key, size_t line, std::string_view wants) {
  return {
      Reason::kFileValueInvalid,
      fmt::format(
          "line {}: Kafka refuses this value of {}; the worker would exit with status 2 at its next start",
          line, key),
      fmt::format("write one of: {}", wants)};
}

// A value that holds no secret; empty where a config provider gives it.
std::string Plain(const Document& document, std::string_view key) {
  const Entry* entry = document.Find(key);
  const std::string value = entry ? document.Value(*entry) : std::string();
  return IsIndirect(value) ? std::string() : std::string(TrimAscii(value));
}

}  // namespace

Problem IndirectProblem(std::string_view key, size_t line) {
  return {
      Reason::kFileIndirect,
      fmt::format("line {}: the value of {} comes from a config provider, which is not followed", line, key),
      fmt::format("write the value itself: {}=…", key)};
}

std::optional<Millis> ParseDelay(std::string_view value) {
  std::string_view text = TrimAscii(value);
  if (text.starts_with('+')) text.remove_prefix(1);
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return Millis{number};
}

StatusOr<FileFacts> FactsOf(std::string_view bytes, std::vector<Problem>& problems) {
  EOS_ASSIGN_OR_RETURN(const Document document, Document::Parse(std::string(bytes)));
  FileFacts facts;
  facts.sha256 = Sha256Hex(bytes);
  if (const Entry* entry = document.Find(kModeKey)) {
    facts.mode_present = true;
    const std::string value = document.Value(*entry);
    facts.mode = ParseMode(value);
    if (IsIndirect(value)) {
      problems.push_back(IndirectProblem(kModeKey, entry->line));
    } else if (!facts.mode) {
      problems.push_back(Refused(kModeKey, entry->line, "disabled, preparing, enabled"));
    }
  } else {
    facts.mode = Mode::kDisabled;
  }
  if (const Entry* entry = document.Find(kDelayKey)) {
    facts.delay_present = true;
    const std::string value = document.Value(*entry);
    facts.delay = ParseDelay(value);
    if (IsIndirect(value)) {
      problems.push_back(IndirectProblem(kDelayKey, entry->line));
    } else if (!facts.delay) {
      problems.push_back(Refused(kDelayKey, entry->line, "0 to 2147483647 (milliseconds)"));
    }
  }
  facts.cluster = {Plain(document, "group.id"), Plain(document, "connect.protocol"),
                   Plain(document, "config.storage.topic"), Plain(document, "offset.storage.topic"),
                   Plain(document, "status.storage.topic")};
  if (bytes.starts_with(kByteOrderMark)) {
    facts.warnings.emplace_back(
        "line 1: begins with a byte-order mark, which Kafka takes for a part of the first key");
  }
  WarnOfKeys(document, facts.warnings);
  WarnOfManagers(bytes, facts.warnings);
  return facts;
}

}  // namespace eos::properties
