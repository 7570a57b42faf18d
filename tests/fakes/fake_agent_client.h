// One agent in memory, scripted: what it reports, and what it answers.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "controller/fleet/agent_client.h"

namespace eos::fakes {

// Thread-safe where the observer needs it: reports may be pushed from the test's thread.
class FakeAgentClient final : public fleet::AgentClient {
 public:
  explicit FakeAgentClient(std::string name) : name_(std::move(name)) {}

  StatusOr<HostReport> report = HostReport{};
  StatusOr<std::vector<ConnectorStatus>> connectors = std::vector<ConnectorStatus>{};
  std::optional<Lease> lease;
  std::vector<Reachability> reach;
  StatusOr<ConnectorSettings> settings = ConnectorSettings{};
  fleet::ProbeAnswer probe{Probe::kCapable, "org.example.Source", ""};
  int observed = 0;

  // Everybody who watches gets the report once more.
  void Push() {
    const std::lock_guard lock(mutex_);
    ++pushes_;
    wake_.notify_all();
  }
  int watchers() const {
    const std::lock_guard lock(mutex_);
    return watchers_;
  }

  const std::string& name() const override { return name_; }
  StatusOr<HostReport> Observe(const std::string&) override {
    ++observed;
    return report;
  }
  Status WatchReports(const std::string&, Millis, const std::function<void(const HostReport&)>& on_report,
                      const fleet::StopFlag& stop) override {
    on_report(*report);
    std::unique_lock lock(mutex_);
    ++watchers_;
    for (int seen = pushes_; !stop;) {
      wake_.wait_for(lock, std::chrono::milliseconds{20}, [&] { return pushes_ != seen; });
      if (pushes_ == seen) continue;
      seen = pushes_;
      lock.unlock();
      on_report(*report);
      lock.lock();
    }
    --watchers_;
    return OkStatus();
  }
  StatusOr<std::optional<Lease>> GetLease(const std::string&) override { return lease; }
  StatusOr<Lease> AcquireLease(const std::string& fleet, const std::string& session,
                               const std::string& holder, Millis ttl, const std::string& take_over) override {
    if (lease && lease->session != session && lease->session != take_over) {
      return Err(Reason::kLeaseHeld, "the lease is held by " + lease->holder);
    }
    lease = Lease{fleet, session, holder, "", (lease ? lease->epoch : 0) + 1, Time{}, ttl};
    return *lease;
  }
  Status ReleaseLease(const std::string&, const std::string& session) override {
    if (lease && lease->session == session) lease.reset();
    return OkStatus();
  }
  StatusOr<OperationRecord> StartOperation(const OperationRequest&) override { return NotScripted(); }
  StatusOr<OperationRecord> GetOperation(const std::string&) override { return NotScripted(); }
  StatusOr<OperationRecord> WatchOperation(const std::string&, Millis,
                                           const std::function<void(const OperationRecord&)>&,
                                           const fleet::StopFlag&) override {
    return NotScripted();
  }
  StatusOr<std::vector<ConnectorStatus>> ListConnectors(const std::string&) override { return connectors; }
  StatusOr<fleet::ProbeAnswer> ProbeExactlyOnce(const std::string&, const std::string&) override {
    return probe;
  }
  StatusOr<ConnectorSettings> DescribeConnector(const std::string&, const std::string&) override {
    return settings;
  }
  Status RestartFailedTasks(const std::string&, const std::string&, const std::string&, uint64_t) override {
    return NotScripted();
  }
  StatusOr<std::vector<Reachability>> CheckReachability(const std::string&,
                                                        const std::vector<std::string>& urls) override {
    std::vector<Reachability> results = reach;
    while (results.size() < urls.size()) results.push_back({urls[results.size()], ReachStep::kReached, ""});
    return results;
  }

 private:
  static Status NotScripted() { return Err(Reason::kInternal, "this fake was not told what to answer"); }

  const std::string name_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  int pushes_ = 0;
  int watchers_ = 0;
};

}  // namespace eos::fakes
