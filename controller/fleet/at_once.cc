#include <algorithm>
#include <atomic>
#include <thread>

#include "controller/fleet/agent_client.h"

namespace eos::fleet {

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

}  // namespace eos::fleet
