// The only source of "now". Pure code takes a Time instead; only edges hold a Clock.
#pragma once

#include "common/base/time.h"

namespace eos {

// Thread-safe; implementations outlive everything that is handed a reference.
class Clock {
 public:
  virtual ~Clock() = default;
  // Wall clock. May jump; for people, for comparing with file times and for other hosts' clocks only.
  virtual Time Now() const = 0;
  // Since boot, suspended time included (CLOCK_BOOTTIME). Never jumps within one boot; for limits and leases.
  virtual Millis SinceBoot() const = 0;
};

class RealClock final : public Clock {
 public:
  Time Now() const override;
  Millis SinceBoot() const override;
};

}  // namespace eos
