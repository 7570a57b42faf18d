// Work beside the caller's own, behind an interface, so that a simulated clock can drive it.
#pragma once

#include <functional>
#include <memory>

#include "common/base/time.h"

namespace eos::fleet {

// Runs `work(i)` for i in [0, n), at most `at_once` of them at the same time; returns when all are done.
void ForEachAtOnce(size_t n, size_t at_once, const std::function<void(size_t)>& work);

class Background {
 public:
  // Goes on until it is destroyed, which waits for the call under way.
  class Repeated {
   public:
    virtual ~Repeated() = default;
  };

  virtual ~Background() = default;
  // As ForEachAtOnce, with as many at the same time as is sensible.
  virtual void ForEach(size_t n, const std::function<void(size_t)>& work) = 0;
  // Calls `work` after each `period`, the first one included, until it returns false.
  virtual std::unique_ptr<Repeated> Every(Millis period, std::function<bool()> work) = 0;
};

// The real one: threads. Stateless.
class Threads final : public Background {
 public:
  void ForEach(size_t n, const std::function<void(size_t)>& work) override;
  std::unique_ptr<Repeated> Every(Millis period, std::function<bool()> work) override;
};

}  // namespace eos::fleet
