// Well-known times and durations. Used by to_wire.cc and from_wire.cc only.
#pragma once

#include <google/protobuf/duration.pb.h>
#include <google/protobuf/timestamp.pb.h>

#include <algorithm>

#include "common/base/time.h"

namespace eos::wire {

inline void Put(Time time, google::protobuf::Timestamp* out) {
  const int64_t ms = time.time_since_epoch().count();
  const int64_t seconds = ms >= 0 ? ms / 1000 : (ms - 999) / 1000;
  out->set_seconds(seconds);
  out->set_nanos(static_cast<int32_t>(ms - seconds * 1000) * 1'000'000);
}

inline void Put(Millis duration, google::protobuf::Duration* out) {
  out->set_seconds(duration.count() / 1000);
  out->set_nanos(static_cast<int32_t>(duration.count() % 1000) * 1'000'000);
}

// Hostile numbers are held within what a program can count with (year 1 to 9999).
inline Time Get(const google::protobuf::Timestamp& in) {
  const int64_t seconds = std::clamp<int64_t>(in.seconds(), -62'135'596'800, 253'402'300'799);
  return Time{Millis{seconds * 1000 + std::clamp(in.nanos(), 0, 999'999'999) / 1'000'000}};
}

inline Millis Get(const google::protobuf::Duration& in) {
  const int64_t seconds = std::clamp<int64_t>(in.seconds(), -315'576'000'000, 315'576'000'000);
  return Millis{seconds * 1000 + std::clamp(in.nanos(), -999'999'999, 999'999'999) / 1'000'000};
}

}  // namespace eos::wire
