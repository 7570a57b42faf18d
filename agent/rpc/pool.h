// A few threads for what must not block gRPC's own: disk, processes, a worker's REST.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace eos::rpc {

// Thread-safe. Threads are made when there is work, up to `most`, and stay.
class Pool {
 public:
  Pool(size_t most_threads, size_t most_waiting) : most_threads_(most_threads), most_waiting_(most_waiting) {}
  ~Pool();  // finishes what was taken

  // False: too much is waiting already.
  bool Run(std::function<void()> work);

 private:
  void Work();

  const size_t most_threads_;
  const size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> waiting_;
  size_t idle_ = 0;
  bool end_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace eos::rpc
