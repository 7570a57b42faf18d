// Simulated time, chance and the story of one seed. Everything that happens is an event of this queue, so one
// seed is one history, always the same.
#pragma once

#include <spdlog/fmt/fmt.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/base/time.h"

namespace eos::simulation {

class Rng {
 public:
  explicit Rng(uint64_t seed) : engine_(seed) {}

  bool Chance(double probability) { return Unit() < probability; }
  int Pick(int n) { return static_cast<int>(engine_() % static_cast<uint64_t>(n)); }  // [0, n)
  int Between(int least, int most) { return least + Pick(most - least + 1); }
  Millis Between(Millis least, Millis most) {
    return least +
           Millis{static_cast<int64_t>(engine_() % static_cast<uint64_t>((most - least).count() + 1))};
  }
  template <typename T>
  const T& Of(const std::vector<T>& choices) {
    return choices[static_cast<size_t>(Pick(static_cast<int>(choices.size())))];
  }

 private:
  double Unit() { return static_cast<double>(engine_() >> 11U) * 0x1.0p-53; }

  std::mt19937_64 engine_;
};

// Something that must never be, with the safety rule that it breaks ("S1" … "S8", or a word).
struct Violation : std::runtime_error {
  Violation(std::string of, const std::string& what) : std::runtime_error(what), rule(std::move(of)) {}
  std::string rule;
};

class World {
 public:
  World(uint64_t seed, bool tells) : rng(seed), tells_(tells) {}

  Rng rng;

  Millis now() const { return now_; }
  Time wall() const { return kBegin + now_; }  // of a host whose clock is right
  void After(Millis delay, std::function<void()> what) {
    events_.push({now_ + delay, ++sequence_, std::move(what)});
  }
  // The next event; false: there is none before `until`, and it is `until` now.
  bool Step(Millis until) {
    if (events_.empty() || events_.top().at > until) {
      now_ = until;
      return false;
    }
    const Event event = events_.top();
    events_.pop();
    now_ = event.at;
    ++steps_;
    event.what();
    return true;
  }
  uint64_t steps() const { return steps_; }

  // A line of the story; costs nothing where nobody listens.
  template <typename... T>
  void Tell(fmt::format_string<T...> text, T&&... values) {
    if (tells_) {
      story_.push_back(fmt::format("{:>9.3f}  {}", static_cast<double>(now_.count()) / 1000,
                                   fmt::format(text, std::forward<T>(values)...)));
    }
  }
  bool tells() const { return tells_; }
  const std::vector<std::string>& story() const { return story_; }

 private:
  struct Event {
    Millis at;
    uint64_t sequence;
    std::function<void()> what;
    bool operator<(const Event& o) const { return std::pair(at, sequence) > std::pair(o.at, o.sequence); }
  };
  static constexpr Time kBegin{Millis{1'796'112'000'000}};

  const bool tells_;
  Millis now_{};
  uint64_t sequence_ = 0;
  uint64_t steps_ = 0;
  std::priority_queue<Event> events_;
  std::vector<std::string> story_;
};

}  // namespace eos::simulation
