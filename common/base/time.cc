#include "common/base/time.h"

#include <fmt/format.h>

#include <ctime>

namespace eos {

std::string FormatUtc(Time t) {
  const auto secs = std::chrono::floor<std::chrono::seconds>(t);
  const std::time_t whole = std::chrono::system_clock::to_time_t(secs);
  std::tm utc{};
  gmtime_r(&whole, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900, utc.tm_mon + 1,
                     utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, (t - secs).count());
}

std::string FormatDuration(Millis d) {
  const auto ms = d.count();
  if (ms < 0) return "-" + FormatDuration(-d);
  if (ms < 1000) return fmt::format("{} ms", ms);
  if (ms < 60'000) return fmt::format("{}.{} s", ms / 1000, ms % 1000 / 100);
  return fmt::format("{} min {} s", ms / 60'000, ms / 1000 % 60);
}

}  // namespace eos
