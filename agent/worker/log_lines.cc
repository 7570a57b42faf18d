// What a worker's log says, line by line. Pure.
#include <charconv>
#include <ctime>

#include "agent/worker/log_source.h"
#include "common/base/words.h"

namespace eos::worker {
namespace {

std::optional<int> Digits(std::string_view text, size_t at, size_t count) {
  if (at + count > text.size()) return std::nullopt;
  int number = 0;
  const char* begin = text.data() + at;
  const auto [end, error] = std::from_chars(begin, begin + count, number);
  if (error != std::errc() || end != begin + count) return std::nullopt;
  return number;
}

// "2026-12-01 06:33:55,123", 'T' for the space, '.' for the comma; a 'Z' behind it means UTC, otherwise it is
// local time, which is what log4j prints.
std::optional<Time> TimeAt(std::string_view line, size_t at) {
  const auto year = Digits(line, at, 4);
  const auto month = Digits(line, at + 5, 2);
  const auto day = Digits(line, at + 8, 2);
  const auto hour = Digits(line, at + 11, 2);
  const auto minute = Digits(line, at + 14, 2);
  const auto second = Digits(line, at + 17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  if (line[at + 4] != '-' || line[at + 7] != '-' || line[at + 13] != ':' || line[at + 16] != ':')
    return std::nullopt;
  size_t end = at + 19;
  int millis = 0;
  if (end < line.size() && (line[end] == ',' || line[end] == '.')) {
    if (const auto fraction = Digits(line, end + 1, 3)) {
      millis = *fraction;
      end += 4;
      while (end < line.size() && line[end] >= '0' && line[end] <= '9') ++end;
    }
  }
  std::tm parts{};
  parts.tm_year = *year - 1900;
  parts.tm_mon = *month - 1;
  parts.tm_mday = *day;
  parts.tm_hour = *hour;
  parts.tm_min = *minute;
  parts.tm_sec = *second;
  parts.tm_isdst = -1;
  const bool utc = end < line.size() && line[end] == 'Z';
  const time_t seconds = utc ? timegm(&parts) : mktime(&parts);
  return Time{std::chrono::seconds{seconds} + Millis{millis}};
}

// A time stamp near the begin of the line, in brackets or not.
std::optional<Time> TimeOf(std::string_view line) {
  for (size_t at = 0; at < 2; ++at) {
    if (const auto time = TimeAt(line, at)) return time;
  }
  return std::nullopt;
}

// A log rounds; a start is known to a clock tick.
constexpr Millis kSlack{50};

// Calls `see(line, time)` for every line since `started`; a line without a time stamp belongs to the one
// before.
template <typename See>
void Since(const std::vector<std::string>& lines, Time started, See see) {
  std::optional<Time> time;
  for (const std::string& line : lines) {
    if (const auto own = TimeOf(line)) time = own;
    if (time && *time + kSlack >= started) see(std::string_view(line), *time);
  }
}

bool Has(std::string_view line, std::string_view words) { return line.find(words) != std::string_view::npos; }

// "\texactly.once.source.support = preparing"
void ReadValue(std::string_view line, std::map<std::string, std::string>& values) {
  line = TrimAscii(line);
  const size_t at = line.find('=');
  if (at == std::string_view::npos) return;
  values.insert_or_assign(std::string(TrimAscii(line.substr(0, at))),
                          std::string(TrimAscii(line.substr(at + 1))));
}

LogFacts FactsOf(const std::map<std::string, std::string>& values, Time at) {
  const auto value = [&](std::string_view key) {
    const auto found = values.find(std::string(key));
    return found == values.end() ? std::string() : found->second;
  };
  LogFacts facts;
  facts.at = at;
  facts.mode = ParseMode(value(kModeKey));
  const std::string delay = value(kDelayKey);
  int ms = -1;
  std::from_chars(delay.data(), delay.data() + delay.size(), ms);
  if (ms >= 0) facts.delay = Millis{ms};
  facts.cluster = {value("group.id"), value("connect.protocol"), value("config.storage.topic"),
                   value("offset.storage.topic"), value("status.storage.topic")};
  return facts;
}

}  // namespace

std::optional<Parsed> ParsedConfiguration(const std::vector<std::string>& lines, Time started) {
  std::optional<Time> at;
  std::map<std::string, std::string> values;
  bool inside = false;
  Since(lines, started, [&](std::string_view line, Time time) {
    if (Has(line, "DistributedConfig values:")) {
      inside = true;
      at = time;
      values.clear();
      return;
    }
    if (inside && TimeOf(line)) inside = false;  // the next message
    if (inside) ReadValue(line, values);
  });
  if (!at) return std::nullopt;
  return Parsed{FactsOf(values, *at), std::move(values)};
}

Death CauseOfDeath(const std::vector<std::string>& lines, Time started) {
  Death death = Death::kUnknown;
  bool stopping = false;
  Since(lines, started, [&](std::string_view line, Time) {
    // ConnectDistributed prints "Stopping due to error" with the exception's trace behind it.
    if (Has(line, "Stopping due to error") || Has(line, "Failed to start Connect") ||
        Has(line, "Uncaught exception in herder work thread")) {
      stopping = true;
      death = Death::kOther;
    }
    if (!stopping) return;
    if (Has(line, "Failed to connect to and describe Kafka cluster") ||
        Has(line, "No resolvable bootstrap urls") ||
        (Has(line, "TimeoutException") && death == Death::kOther)) {
      death = Death::kKafkaUnreachable;
    } else if (death != Death::kKafkaUnreachable &&
               (Has(line, "ConfigException") || Has(line, "IllegalArgumentException"))) {
      death = Death::kConfigRejected;
    }
  });
  return death;
}

}  // namespace eos::worker
