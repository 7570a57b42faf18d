#include "controller/fleet/background.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace eos::fleet {
namespace {

constexpr size_t kAtOnce = 64;

class RepeatingThread final : public Background::Repeated {
 public:
  RepeatingThread(Millis period, std::function<bool()> work)
      : thread_([this, period, work = std::move(work)] { Run(period, work); }) {}
  ~RepeatingThread() override {
    {
      const std::lock_guard lock(mutex_);
      end_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }

 private:
  void Run(Millis period, const std::function<bool()>& work) {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, period, [this] { return end_; })) {
      lock.unlock();
      if (!work()) return;
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  bool end_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace

void ForEachAtOnce(size_t n, size_t at_once, const std::function<void(size_t)>& work) {
  if (n == 0) return;
  std::atomic<size_t> next = 0;
  const auto take = [&] {
    for (size_t i = next++; i < n; i = next++) work(i);
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min(n, std::max<size_t>(at_once, 1)); ++i) threads.emplace_back(take);
  take();
  for (std::thread& thread : threads) thread.join();
}

void Threads::ForEach(size_t n, const std::function<void(size_t)>& work) { ForEachAtOnce(n, kAtOnce, work); }

std::unique_ptr<Background::Repeated> Threads::Every(Millis period, std::function<bool()> work) {
  return std::make_unique<RepeatingThread>(period, std::move(work));
}

}  // namespace eos::fleet
