// What must hold after every event: S1 to S8 of docs/architecture.md, judged on what is true, not on what
// anybody reports. A rule is broken only by our doing: what somebody else did after the acting controller's
// last look began could not be known.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/simulation/controller.h"
#include "tests/simulation/host.h"

namespace eos::simulation {

// A member of the group that no agent looks after.
struct Stranger {
  std::string url;
  Mode mode{};
  Millis since{};
  bool present = false;
};

class Checks final : public Witness {
 public:
  Checks(const World& world, const Connect& group) : world_(world), group_(group) {}

  // What there is to judge. Not owned; outlives it.
  std::vector<Worker*> workers;
  std::vector<Host*> hosts;
  std::vector<const Controller*> controllers;
  std::vector<Stranger> strangers;

  void Begin();                          // the fleet is complete: remembers what the users' files say
  void RunEnded(const Controller& run);  // S6: says why; names the holder; what it calls done is true
  void AtQuiet() const;                  // S7
  void Converged(Mode target) const;     // modes, S8, nothing left behind
  void ForbidOperations(const std::string& session) { idle_ = session; }  // S5: there is nothing to do
  int restarts() const { return restarts_; }

  void LeaseGranted(const Host& host, const operations::LeaseRequest& request, const Lease& lease) override;
  void LeaseReleased(const Host& host, const std::string& session) override;
  void Booted(const Host& host) override;
  void Accepted(const Host& host, const OperationRequest& request) override;
  void StopAsked(const Worker& worker, const std::string& operation) override;
  void Parsed(const Worker& worker) override;
  void FileChanged(const Worker& worker, const std::string& before) override;

 private:
  struct Held {
    std::string session;
    uint64_t epoch = 0;
    Millis expires{};
    bool released = false;
    bool rebooted = false;  // since: the agent may let it run longer

    bool Covers(const OperationRequest& request, Millis now) const {
      return session == request.lease_session && epoch == request.lease_epoch && !released &&
             (now < expires || rebooted);
    }
  };
  struct Operation {
    OperationRequest request;
    const Host* host = nullptr;
    std::optional<Mode> mode_before;  // that its worker ran when it was stopped
    bool in_foreign_mix = false;      // somebody else's: the worker ran beside a forbidden mode before it
  };

  const Controller* RunOf(const std::string& session) const;
  Millis DecidedOn(const std::string& operation) const;
  void CheckOthersUp(const Worker& worker, const std::string& operation) const;
  void CheckNeeded(const Worker& worker, const OperationRequest& request) const;
  void CheckDelayRemembered(const Worker& worker) const;
  const Host& HostOf(const Worker& worker) const;
  void CheckFence(const Worker& worker) const;

  const World& world_;
  const Connect& group_;
  std::map<const Host*, Held> leases_;
  std::map<std::string, Operation> operations_;
  std::map<std::string, std::optional<std::string>> users_delay_;  // raw value, by worker
  std::string idle_;
  int restarts_ = 0;
};

}  // namespace eos::simulation
