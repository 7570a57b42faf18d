// Everything that stands in the way, from one view.
#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "common/base/words.h"
#include "controller/rollout/gate.h"

namespace eos::rollout {
namespace {

using fleet::FleetView;
using fleet::Policy;
using fleet::WorkerView;
using Severity = Finding::Severity;

constexpr std::chrono::hours kCertificateWarning{14 * 24};

class Findings {
 public:
  void Error(const std::string& object, Problem problem, bool may_pass = false) {
    list_.push_back({Severity::kError, object, std::move(problem), may_pass});
  }
  void Warning(const std::string& object, Problem problem) {
    list_.push_back({Severity::kWarning, object, std::move(problem), false});
  }
  void Info(const std::string& object, Problem problem) {
    list_.push_back({Severity::kInfo, object, std::move(problem), false});
  }
  // Worst first; errors that waiting may end behind the others.
  std::vector<Finding> Sorted() && {
    std::stable_sort(list_.begin(), list_.end(), [](const Finding& a, const Finding& b) {
      return std::pair(a.severity, a.may_pass) < std::pair(b.severity, b.may_pass);
    });
    return std::move(list_);
  }

 private:
  std::vector<Finding> list_;
};

bool OperationRuns(const FleetView& view) {
  return std::any_of(view.workers.begin(), view.workers.end(),
                     [](const WorkerView& w) { return !w.facts.running_operation.empty(); });
}

void CheckAgents(const FleetView& view, const Policy& policy, Findings& findings) {
  for (const auto& agent : view.agents) {
    if (!agent.facts) {
      findings.Error(agent.name,
                     agent.unreached.value_or(Problem{
                         Reason::kUnreachable, fmt::format("agent \"{}\" was not asked", agent.name), {}}));
      continue;
    }
    const bool has_worker = std::any_of(view.workers.begin(), view.workers.end(),
                                        [&](const WorkerView& w) { return w.agent == agent.name; });
    if (!has_worker) {
      findings.Error(
          agent.name,
          {Reason::kNotFound, fmt::format("agent \"{}\" looks after no worker of this fleet", agent.name),
           "give its workers this fleet's name (key \"fleet\" in the agent's configuration), or take the "
           "agent out of fleet.yaml"});
    }
    const auto skew = std::chrono::abs(agent.facts->clock - view.at);
    if (skew > policy.clock_skew) {
      findings.Warning(agent.name, {Reason::kClockSkew,
                                    fmt::format("the clock of agent \"{}\" differs from ours by {}",
                                                agent.name, FormatDuration(skew)),
                                    "see that both hosts keep time (chronyc tracking)"});
    }
    if (agent.facts->certificate_not_after - view.at < kCertificateWarning) {
      findings.Warning(agent.name, {Reason::kCertificateExpired,
                                    fmt::format("the certificate of agent \"{}\" ends at {}", agent.name,
                                                FormatUtc(agent.facts->certificate_not_after)),
                                    "put a new pair in place: the agent reads it without a restart"});
    }
    for (const Problem& problem : agent.facts->problems) findings.Warning(agent.name, problem);
  }
}

// What the agent itself calls wrong. These make a restart dangerous or pointless.
bool Forbids(Reason reason) {
  switch (reason) {
    case Reason::kFileUnreadable:
    case Reason::kFileUnparsable:
    case Reason::kFileIndirect:
    case Reason::kFileNotInUse:
    case Reason::kWorkerStandalone:
    case Reason::kWorkerTooOld:
    case Reason::kConflict:
    case Reason::kServiceDenied:
    case Reason::kServiceNotFound:
    case Reason::kLedgerDamaged:
    case Reason::kStorageFailed:
      return true;
    default:
      return false;
  }
}

void CheckReadiness(const WorkerView& worker, const FleetView& view, bool operation_runs,
                    Findings& findings) {
  const std::string& name = worker.facts.name;
  if (!worker.facts.process_known) {
    findings.Error(name,
                   {Reason::kModeUnknown, fmt::format("the process of worker \"{}\" cannot be seen", name),
                    "let eos-agent read /proc (hidepid?)"});
  } else if (!worker.facts.process) {
    findings.Error(
        name,
        {Reason::kWorkerDown, fmt::format("worker \"{}\" is down: no JVM runs with its file", name),
         "start it and see why it went; nothing is restarted while a worker is down"},
        operation_runs);
  } else if (!worker.facts.rest || !worker.facts.rest->herder_answers) {
    findings.Error(
        name, {Reason::kRestUnavailable, fmt::format("the REST of worker \"{}\" is not ready", name), {}},
        true);
  } else if (view.group && view.group->stable() && !worker.member) {
    findings.Error(
        name,
        {Reason::kMemberMissing,
         fmt::format("worker \"{}\" is not in the group under \"{}\"", name, worker.facts.advertised_url),
         "compare advertised_url in the agent's configuration with rest.advertised.* of the worker"},
        true);
  }
}

void CheckWorker(const WorkerView& worker, const FleetView& view, bool operation_runs, Findings& findings) {
  const WorkerFacts& facts = worker.facts;
  for (const Problem& problem : facts.problems) {
    if (Forbids(problem.reason)) {
      findings.Error(facts.name, problem);
    } else if (problem.reason != Reason::kRestUnavailable && problem.reason != Reason::kTimeout) {
      findings.Warning(facts.name, problem);
    }
  }
  const bool explained = std::any_of(facts.problems.begin(), facts.problems.end(),
                                     [](const Problem& p) { return Forbids(p.reason); });
  if (!facts.file && !explained) {
    findings.Error(facts.name, {Reason::kFileUnreadable,
                                fmt::format("the properties file of worker \"{}\" is not known", facts.name),
                                {}});
  }
  CheckReadiness(worker, view, operation_runs, findings);
  if (facts.file) {
    for (const std::string& warning : facts.file->warnings) {
      findings.Warning(facts.name, {Reason::kUnspecified, "properties file: " + Printable(warning), {}});
    }
  }
  if (facts.service) {
    for (const std::string& warning : facts.service->warnings) {
      findings.Warning(facts.name, {Reason::kUnspecified, "service: " + Printable(warning), {}});
    }
  }
  if (facts.process && !worker.running.mode) {
    findings.Warning(
        facts.name,
        {Reason::kModeUnknown,
         fmt::format("which mode worker \"{}\" runs is not known ({}); it is led to preparing, which is "
                     "allowed beside every mode",
                     facts.name, worker.running.why),
         "give the agent the worker's log (key \"log\") to know more"});
  }
  if (facts.temporary_delay) {
    findings.Info(facts.name,
                  {Reason::kUnspecified,
                   fmt::format("the file of worker \"{}\" holds a temporary rebalance delay since {}; apply "
                               "puts the user's own back",
                               facts.name, FormatUtc(facts.temporary_delay->since)),
                   {}});
  }
  const Millis in_file = facts.file && facts.file->delay ? *facts.file->delay : Millis{kDefaultDelayMs};
  if (facts.file && !facts.temporary_delay && worker.running_delay && *worker.running_delay != in_file) {
    findings.Info(facts.name,
                  {Reason::kUnspecified,
                   fmt::format("worker \"{}\" runs with a rebalance delay of {}, its file says {}; the next "
                               "restart brings the file's",
                               facts.name, FormatDuration(*worker.running_delay), FormatDuration(in_file)),
                   {}});
  }
  if (!facts.running_operation.empty()) {
    findings.Info(facts.name, {Reason::kConflict,
                               fmt::format("operation {} is under way on worker \"{}\"",
                                           facts.running_operation, facts.name),
                               {}});
  }
}

bool IsLoopback(const std::string& url) {
  const std::string id = fleet::WorkerIdOf(url);
  return id.starts_with("localhost:") || id.starts_with("127.") || id.starts_with("[::1]");
}

// One URL for two workers, or one that means another host on each: Connect would ask the wrong leader
// (KIP-618 fencing goes over that URL).
void CheckIdentities(const FleetView& view, Findings& findings) {
  std::map<std::string, const WorkerView*> by_url;
  std::map<std::string, const WorkerView*> by_name;
  const WorkerView* on_loopback = nullptr;
  std::map<std::string, int> hosts;
  std::map<std::string, std::string> clusters;
  for (const auto& agent : view.agents) {
    if (agent.facts) ++hosts[agent.facts->host];
  }
  for (const WorkerView& worker : view.workers) {
    const std::string& name = worker.facts.name;
    const auto [url, first] = by_url.emplace(fleet::NormalUrl(worker.facts.advertised_url), &worker);
    if (!first) {
      findings.Error(name, {Reason::kDuplicateIdentity,
                            fmt::format("workers \"{}\" and \"{}\" both advertise \"{}\"",
                                        url->second->facts.name, name, worker.facts.advertised_url),
                            "give each its own rest.advertised.host.name, and advertised_url in its agent"});
    }
    if (const auto [known, is_new] = by_name.emplace(name, &worker); !is_new) {
      findings.Error(name,
                     {Reason::kDuplicateIdentity,
                      fmt::format("agents \"{}\" and \"{}\" both call a worker \"{}\"", known->second->agent,
                                  worker.agent, name),
                      "worker names are unique within a fleet: change one in its agent's configuration"});
    }
    if (IsLoopback(worker.facts.advertised_url)) on_loopback = &worker;
    if (worker.facts.rest && !worker.facts.rest->kafka_cluster_id.empty()) {
      clusters.emplace(worker.facts.rest->kafka_cluster_id, name);
    }
  }
  if (on_loopback && hosts.size() > 1) {
    findings.Error(on_loopback->facts.name,
                   {Reason::kDuplicateIdentity,
                    fmt::format("worker \"{}\" advertises \"{}\", which other hosts cannot reach",
                                on_loopback->facts.name, on_loopback->facts.advertised_url),
                    "set rest.advertised.host.name to a name that the other workers can reach"});
  }
  if (clusters.size() > 1) {
    findings.Error(clusters.rbegin()->second,
                   {Reason::kConflict,
                    fmt::format("workers \"{}\" and \"{}\" use different Kafka clusters",
                                clusters.begin()->second, clusters.rbegin()->second),
                    "put workers of one Connect cluster only into a fleet"});
  }
}

void CheckGroup(const FleetView& view, Findings& findings) {
  if (!view.group) {
    findings.Error("group", view.group_problem.value_or(
                                Problem{Reason::kGroupUnreadable, "Kafka was not asked for the group", {}}));
    return;
  }
  if (!view.group->members.empty() && view.group->protocol_type != "connect") {
    findings.Error("group", {Reason::kGroupUnreadable,
                             fmt::format("the group is of type \"{}\", not \"connect\"",
                                         Printable(view.group->protocol_type)),
                             "set group_id in fleet.yaml to the workers' group.id"});
    return;
  }
  // While an agent does not answer, its worker looks like a stranger: that error stands by itself.
  const bool all_reached =
      std::all_of(view.agents.begin(), view.agents.end(), [](const auto& a) { return a.facts.has_value(); });
  for (const auto& member : view.strangers) {
    findings.Error(
        "group",
        {Reason::kStrangerInGroup,
         fmt::format("the group holds \"{}\" (client host {}), which is in no inventory",
                     Printable(member.url), Printable(member.client_host)),
         "install an agent there and add it to fleet.yaml, or stop that worker: one that stays behind voids "
         "the guarantee for all"},
        !all_reached);
  }
  if (!view.group->stable()) {
    findings.Error("group",
                   {Reason::kMemberMissing,
                    fmt::format("the group is {}, not Stable", Printable(view.group->state)),
                    {}},
                   true);
  } else if (view.group->pending_delay() > Millis{0}) {
    findings.Error("group",
                   {Reason::kMemberMissing,
                    fmt::format("a rebalance delay is pending: at most {} left",
                                FormatDuration(view.group->pending_delay())),
                    {}},
                   true);
  }
}

void CheckConnectors(const FleetView& view, Findings& findings) {
  if (!view.connectors) {
    findings.Error("connectors",
                   view.connectors_problem.value_or(
                       Problem{Reason::kRestUnavailable, "no worker told the connectors' state", {}}),
                   true);
    return;
  }
  for (const ConnectorStatus& connector : *view.connectors) {
    std::vector<std::pair<std::string, FailureKind>> failed;
    if (connector.state == TaskState::kFailed) failed.emplace_back("connector", connector.failure);
    for (const TaskStatus& task : connector.tasks) {
      if (task.state == TaskState::kFailed)
        failed.emplace_back(fmt::format("task {}", task.id), task.failure);
    }
    for (const auto& [what, kind] : failed) {
      findings.Warning(Printable(connector.name),
                       {Reason::kTaskFailed, fmt::format("{} is FAILED for {}", what, ToString(kind)),
                        HealsByRestart(kind) ? "apply restarts it" : "it is not waited for; see to it"});
    }
  }
}

void CheckMix(const FleetView& view, Findings& findings) {
  const auto runs = [&](Mode mode) {
    return std::any_of(view.workers.begin(), view.workers.end(),
                       [&](const auto& w) { return w.running.mode == mode; });
  };
  if (runs(Mode::kEnabled) && runs(Mode::kDisabled)) {
    findings.Warning(
        "fleet",
        {Reason::kForbiddenMix, fmt::format("{}; everybody is led to preparing first", Standing(view)), {}});
  }
}

}  // namespace

std::vector<Finding> Preflight(const FleetView& view, const Policy& policy) {
  Findings findings;
  CheckAgents(view, policy, findings);
  const bool operation_runs = OperationRuns(view);
  for (const WorkerView& worker : view.workers) CheckWorker(worker, view, operation_runs, findings);
  CheckIdentities(view, findings);
  CheckGroup(view, findings);
  CheckConnectors(view, findings);
  CheckMix(view, findings);
  return std::move(findings).Sorted();
}

}  // namespace eos::rollout
