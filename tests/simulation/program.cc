#include "tests/simulation/program.h"

#include <ucontext.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace eos::simulation {
namespace {

constexpr size_t kStack = 256U << 10U;
constexpr Millis kForEver{std::chrono::hours{24 * 365}};

// Stacks are used again: a seed starts thousands of short fibers.
class Stacks {
 public:
  std::unique_ptr<char[]> Take() {
    if (free_.empty()) return std::unique_ptr<char[]>(new char[kStack]);
    auto stack = std::move(free_.back());
    free_.pop_back();
    return stack;
  }
  void Give(std::unique_ptr<char[]> stack) { free_.push_back(std::move(stack)); }

 private:
  std::vector<std::unique_ptr<char[]>> free_;
};
thread_local Stacks stacks;

}  // namespace

class Program::Fiber : public std::enable_shared_from_this<Fiber> {
 public:
  Fiber(Program& owner, std::function<void()> body) : program(owner), body_(std::move(body)) {}

  void Resume() {
    if (done) return;
    const auto self = shared_from_this();
    const auto outer = std::exchange(current, self);
    if (!stack_) Begin();
    swapcontext(&outside_, &inside_);
    current = outer;
    if (done && stack_) stacks.Give(std::move(stack_));
    if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
  }
  void GiveWay() { swapcontext(&inside_, &outside_); }

  static thread_local Handle current;

  Program& program;
  bool done = false;
  bool told = false;  // that it was killed
  uint64_t wait = 0;  // number of the wait under way; a wake-up for another one is stale
  std::exception_ptr failure;

 private:
  void Begin() {
    stack_ = stacks.Take();
    getcontext(&inside_);
    inside_.uc_stack.ss_sp = stack_.get();
    inside_.uc_stack.ss_size = kStack;
    inside_.uc_link = nullptr;
    makecontext(&inside_, &Fiber::Main, 0);
  }
  static void Main() {
    Fiber& self = *current;
    try {
      if (self.program.alive()) self.body_();
    } catch (const Killed&) {
      self.told = true;
    } catch (...) {
      self.failure = std::current_exception();
    }
    self.body_ = nullptr;
    self.done = true;
    self.GiveWay();
  }

  std::function<void()> body_;
  std::unique_ptr<char[]> stack_;
  ucontext_t inside_{};
  ucontext_t outside_{};
};

thread_local Program::Handle Program::Fiber::current;

Program::Program(World& world) : world_(world) {}
Program::~Program() { Kill(); }

Program::Handle Program::Spawn(std::function<void()> body) {
  std::erase_if(fibers_, [](const Handle& f) { return f->done; });
  auto fiber = std::make_shared<Fiber>(*this, std::move(body));
  fibers_.push_back(fiber);
  Wake(fiber);
  return fiber;
}

bool Program::idle() const {
  return std::all_of(fibers_.begin(), fibers_.end(), [](const Handle& f) { return f->done; });
}

void Program::Kill() {
  alive_ = false;
  // The youngest first: whoever began them may hold what they use.
  const auto fibers = std::exchange(fibers_, {});
  for (auto fiber = fibers.rbegin(); fiber != fibers.rend(); ++fiber) (*fiber)->Resume();
}

void Program::Stall(Millis time) { stalled_until_ = std::max(stalled_until_, world_.now() + time); }

void Program::WakeAll() {
  for (const Handle& fiber : fibers_) Wake(fiber);
}

bool Program::Done(const Handle& fiber) { return fiber->done; }

void Program::Wake(const Handle& fiber) {
  Program& program = fiber->program;
  const Millis delay = std::max(Millis{0}, program.stalled_until_ - program.world_.now());
  program.world_.After(delay, [fiber, wait = fiber->wait] {
    if (fiber->done || fiber->wait != wait) return;
    if (fiber->program.stalled_until_ > fiber->program.world_.now()) return Wake(fiber);
    fiber->Resume();
  });
}

Program::Handle Program::Current() { return Fiber::current; }

void Program::Wait(Millis limit) {
  const Handle self = Current();
  if (self->told) return;
  ++self->wait;
  if (alive_ && limit < kForEver) {
    world_.After(limit, [self, wait = self->wait] {
      if (!self->done && self->wait == wait) Wake(self);
    });
  }
  if (alive_) self->GiveWay();
  ++self->wait;
  if (alive_) return;
  self->told = true;
  throw Killed{};
}

void Program::Await(const std::function<bool()>& condition) {
  const Handle self = Current();
  while (alive_ && !condition()) {
    ++self->wait;
    self->GiveWay();
  }
}

}  // namespace eos::simulation
