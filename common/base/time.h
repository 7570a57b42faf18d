// Points in time and lengths of time as this project passes them around: wall-clock UTC, milliseconds.
#pragma once

#include <chrono>
#include <string>

namespace eos {

using Millis = std::chrono::milliseconds;
using Time = std::chrono::time_point<std::chrono::system_clock, Millis>;

// "2026-12-01T06:33:55.123Z" (RFC 3339, always UTC, always milliseconds).
std::string FormatUtc(Time t);

// For people: "850 ms", "12.3 s", "4 min 10 s".
std::string FormatDuration(Millis d);

}  // namespace eos
