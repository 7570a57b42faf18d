#include "controller/cli/deadline.h"

#include <spdlog/fmt/fmt.h>

#include <cstdio>
#include <ctime>
#include <optional>

#include "common/base/words.h"

namespace eos::cli {
namespace {

std::optional<Time> ParseTime(const std::string& text) {
  std::tm parts{};
  const char* end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (!end || *end != '\0') return std::nullopt;
  const std::tm asked = parts;
  const std::time_t seconds = timegm(&parts);
  if (parts.tm_mday != asked.tm_mday || parts.tm_mon != asked.tm_mon) return std::nullopt;  // 31 February
  return Time{std::chrono::seconds{seconds}};
}

}  // namespace

std::optional<Millis> ParseLength(const std::string& text) {
  if (text.size() < 2 || text.size() > 7) return std::nullopt;
  const std::string digits = text.substr(0, text.size() - 1);
  if (digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const int number = std::stoi(digits);
  switch (text.back()) {
    case 's':
      return std::chrono::seconds{number};
    case 'm':
      return std::chrono::minutes{number};
    case 'h':
      return std::chrono::hours{number};
    default:
      return std::nullopt;
  }
}

StatusOr<Time> ParseDeadline(const std::string& text, Time now) {
  std::optional<Time> deadline = ParseTime(text);
  if (const auto length = ParseLength(text)) deadline = now + *length;
  const char* fix = "write a length like 45m or 2h, or a time in UTC like 2026-12-06T03:30:00Z";
  if (!deadline) {
    return Err(Reason::kUsage,
               fmt::format("reading --deadline \"{}\": neither a length of time nor a time", Printable(text)),
               fix);
  }
  if (*deadline <= now) {
    return Err(Reason::kUsage,
               fmt::format("reading --deadline \"{}\": that is not ahead of now, {}", Printable(text),
                           FormatUtc(now)),
               fix);
  }
  return *deadline;
}

}  // namespace eos::cli
