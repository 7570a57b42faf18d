#include "common/base/clock.h"

#include <ctime>

namespace eos {

Time RealClock::Now() const { return std::chrono::floor<Millis>(std::chrono::system_clock::now()); }

Millis RealClock::SinceBoot() const {
  timespec t{};
  clock_gettime(CLOCK_BOOTTIME, &t);
  return std::chrono::duration_cast<Millis>(std::chrono::seconds(t.tv_sec) +
                                            std::chrono::nanoseconds(t.tv_nsec));
}

}  // namespace eos
