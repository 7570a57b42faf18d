// A program whose code blocks, run within simulated time: each of its threads is a fiber of this thread, and
// gives way only where it waits.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "tests/simulation/world.h"

namespace eos::simulation {

// Thrown out of the wait of a program that was killed, once in each of its fibers. What waits after that, in
// destructors, does not wait any more.
struct Killed {};

class Program {
 public:
  explicit Program(World& world);
  ~Program();  // kills what still runs
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  class Fiber;
  using Handle = std::shared_ptr<Fiber>;

  Handle Spawn(std::function<void()> body);
  bool alive() const { return alive_; }
  bool idle() const;        // nothing runs any more
  void Kill();              // all fibers are gone when it returns; not to be called by one of them
  void Stall(Millis time);  // as SIGSTOP and SIGCONT: nothing of it moves for so long
  void WakeAll();

  static bool Done(const Handle& fiber);
  static void Wake(const Handle& fiber);
  // Of the fiber that calls.
  static Handle Current();
  // Returns when woken, or after `limit`. Throws Killed.
  void Wait(Millis limit);
  // Waits until `condition`; looks whenever it is woken. Returns at once, and does not throw, where the
  // program was killed: it is for destructors too.
  void Await(const std::function<bool()>& condition);

 private:
  World& world_;
  bool alive_ = true;
  Millis stalled_until_{};
  std::vector<Handle> fibers_;
};

}  // namespace eos::simulation
