// Reports of the agent by itself: looks at the host while somebody listens, and tells what changed.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "agent/rpc/facts.h"

namespace eos::rpc {

enum class Cause { kFirst, kChange, kHeartbeat };

// Thread-safe.
class Reporter {
 public:
  using Listener = std::function<void(Cause, const HostReport&)>;  // must not block

  // `every`: between two looks while nothing wakes it.
  Reporter(Facts& facts, Millis every);
  ~Reporter();

  int Subscribe(std::string fleet, Millis heartbeat, Listener listener);
  void Unsubscribe(int token);  // no call is under way any more when it returns
  void Wake();                  // something may have changed

 private:
  struct Subscriber {
    std::string fleet;
    Millis heartbeat{};
    Listener listener;
    std::optional<HostReport> last;
    std::chrono::steady_clock::time_point told{};
  };

  void Work();
  void Tell(const HostReport& report);

  Facts& facts_;
  const Millis every_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool woken_ = false;
  bool end_ = false;
  int last_token_ = 0;
  std::map<int, Subscriber> subscribers_;
  std::thread thread_;
};

}  // namespace eos::rpc
