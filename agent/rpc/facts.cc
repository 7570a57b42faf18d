#include "agent/rpc/facts.h"

#include <unistd.h>

#include <future>
#include <set>

namespace eos::rpc {
namespace {

std::string HostName() {
  char name[256] = {};
  gethostname(name, sizeof(name) - 1);
  return name;
}

WorkerFacts LookAt(host::ConfiguredWorker& worker, Parts& parts) {
  WorkerFacts facts = worker.Observe();
  facts.running_operation = parts.runner.RunningOn(facts.name);
  auto delay = parts.ledger.ReadDelay(facts.name);
  if (delay.ok()) {
    facts.temporary_delay = *std::move(delay);
  } else {
    facts.problems.push_back(ProblemOf(delay.status()));
  }
  return facts;
}

}  // namespace

AgentFacts Facts::Agent(const std::string& fleet) {
  AgentFacts facts;
  facts.host = HostName();
  facts.version = EOS_VERSION;
  facts.protocol = kProtocolVersion;
  facts.boot_id = parts_.boot_id;
  facts.clock = parts_.clock.Now();
  facts.problems = parts_.problems;
  {
    const std::lock_guard lock(mutex_);
    facts.certificate_not_after = certificate_not_after_;
    if (certificate_problem_) facts.problems.push_back(*certificate_problem_);
  }
  std::set<std::string> fleets;
  for (const auto* worker : parts_.workers) fleets.insert(worker->identity().fleet);
  for (const std::string& name : fleets) {
    if (!fleet.empty() && name != fleet) continue;
    auto lease = parts_.leases.Current(name);
    if (!lease.ok()) {
      facts.problems.push_back(ProblemOf(lease.status()));
    } else if (*lease) {
      facts.leases.push_back(**std::move(lease));
    }
  }
  return facts;
}

HostReport Facts::Look(const std::string& fleet) {
  std::vector<std::future<WorkerFacts>> looks;
  for (auto* worker : parts_.workers) {
    if (!fleet.empty() && worker->identity().fleet != fleet) continue;
    // The last one is looked at on this thread; most hosts have one only.
    looks.push_back(std::async(looks.empty() ? std::launch::deferred : std::launch::async,
                               [this, worker] { return LookAt(*worker, parts_); }));
  }
  HostReport report;
  for (auto& look : looks) report.workers.push_back(look.get());
  report.agent = Agent(fleet);
  return report;
}

void Facts::SetCertificate(Time not_after, std::optional<Problem> problem) {
  const std::lock_guard lock(mutex_);
  certificate_not_after_ = not_after;
  certificate_problem_ = std::move(problem);
}

bool SameNews(const HostReport& a, const HostReport& b) {
  HostReport left = a;
  HostReport right = b;
  for (HostReport* report : {&left, &right}) {
    report->agent.clock = {};
    for (Lease& lease : report->agent.leases) lease.remaining = {};
  }
  return left == right;
}

}  // namespace eos::rpc
