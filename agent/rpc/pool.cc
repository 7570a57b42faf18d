#include "agent/rpc/pool.h"

namespace eos::rpc {

Pool::~Pool() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool Pool::Run(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  if (end_ || waiting_.size() >= most_waiting_) return false;
  waiting_.push_back(std::move(work));
  if (idle_ < waiting_.size() && threads_.size() < most_threads_) threads_.emplace_back([this] { Work(); });
  wake_.notify_one();
  return true;
}

void Pool::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    wake_.wait(lock, [this] { return end_ || !waiting_.empty(); });
    --idle_;
    if (waiting_.empty()) return;
    const auto work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
    lock.lock();
  }
}

}  // namespace eos::rpc
