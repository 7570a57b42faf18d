// Waiting for something that another thread or process brings about: by looking, never by hoping.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace eos::fakes {

// True as soon as `condition` is; false if it is not within `limit`. The pause is between two looks, no test
// relies on its length.
inline bool Await(const std::function<bool()>& condition,
                  std::chrono::milliseconds limit = std::chrono::seconds{20}) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
    std::this_thread::sleep_until(
        std::min(end, std::chrono::steady_clock::now() + std::chrono::milliseconds{5}));
  }
  return true;
}

}  // namespace eos::fakes
