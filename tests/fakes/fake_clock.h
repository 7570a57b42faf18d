// A clock that moves only when told to.
#pragma once

#include <atomic>

#include "common/base/clock.h"

namespace eos::fakes {

// Thread-safe. Wall clock and boot clock move together; only the wall clock can be stepped.
class FakeClock final : public Clock {
 public:
  explicit FakeClock(Time start = Time{Millis{1'796'112'000'000}}) : wall_(start) {}  // 2026-12-01T08:00:00Z

  Time Now() const override { return wall_.load(); }
  Millis SinceBoot() const override { return boot_.load(); }

  void Advance(Millis by) {
    wall_ = wall_.load() + by;
    boot_ = boot_.load() + by;
  }
  void StepWall(Millis by) { wall_ = wall_.load() + by; }

 private:
  std::atomic<Time> wall_;
  std::atomic<Millis> boot_{Millis{3'600'000}};
};

}  // namespace eos::fakes
