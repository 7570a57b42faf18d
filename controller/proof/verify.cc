#include "controller/proof/verify.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "common/base/words.h"

namespace eos::proof {
namespace {

using fleet::ProbeAnswer;
using fleet::WorkerView;

// A coordinator looks for transactions that ran out of time every ten seconds
// (transaction.abort.timed.out.transaction.cleanup.interval.ms).
constexpr Millis kHangingSlack{30'000};

Verdict Worse(Verdict a, Verdict b) { return std::max(a, b); }

// The agent's clock is read with each observation: what it tells is moved to ours.
Millis ClockAhead(const fleet::FleetView& view, const std::string& agent) {
  for (const auto& one : view.agents) {
    if (one.name == agent && one.facts) return one.facts->clock - view.at;
  }
  return Millis{0};
}

WorkerProof ProveWorker(const WorkerView& worker, const Evidence& evidence) {
  WorkerProof proof;
  proof.worker = worker.facts.name;
  const auto found = evidence.workers.find(worker.facts.name);
  if (!worker.facts.process) {
    proof.why = "its process is not seen";
    return proof;
  }
  proof.since = worker.facts.process->started - ClockAhead(evidence.view, worker.agent);
  if (found == evidence.workers.end()) {
    proof.why = "it was not asked";
    return proof;
  }
  if (!found->second.ok()) {
    proof.why = Printable(std::string(found->second.status().message()));
    return proof;
  }
  const std::optional<bool> enabled = ProvesEnabled(found->second->result);
  if (!enabled) {
    proof.why = "it gave no usable answer: " + Printable(found->second->message);
  } else if (!*enabled) {
    proof.verdict = Verdict::kFail;
    proof.why = "it says that exactly-once source support is not enabled";
  } else if (!worker.member) {
    proof.why = "it says enabled, but it is no member of the group now";
  } else {
    proof.verdict = Verdict::kPass;
    proof.why = "it says enabled, asked to validate a connector that requires it";
  }
  return proof;
}

struct TaskWords {
  Verdict verdict = Verdict::kUnverified;
  std::string why;
};

// What the connector itself lets hope for, whatever was committed.
std::optional<TaskWords> ByCapability(const Evidence& evidence, const std::string& connector) {
  const auto found = evidence.capability.find(connector);
  if (found == evidence.capability.end() || !found->second.ok() || found->second->result == Probe::kUnknown)
    return TaskWords{Verdict::kUnverified,
                     "whether its connector is capable of exactly-once could not be learned"};
  if (found->second->result == Probe::kConnectorNotCapable)
    return TaskWords{Verdict::kFail,
                     "its connector says that it is not capable of exactly-once with its configuration"};
  if (found->second->result == Probe::kConnectorUndeclared) {
    return TaskWords{
        Verdict::kUnverified,
        "its connector does not say whether it is capable of exactly-once: that is its maker's to tell"};
  }
  return std::nullopt;
}

TaskWords ByTransactions(const Evidence& evidence, const TaskProof& proof, const IdHistory* history,
                         const std::string& offsets_topic, Time now) {
  if (!evidence.transactions) {
    return {Verdict::kUnverified, fmt::format("{} could not be read", kafka::kTransactionLogTopic)};
  }
  if (!history) {
    return {Verdict::kUnverified,
            fmt::format("idle: \"{}\" has had no transaction since then", Printable(proof.transactional_id))};
  }
  if (history->Hanging(now, kHangingSlack)) {
    return {
        Verdict::kFail,
        fmt::format("a transaction of \"{}\" is open since {}, longer than its time-out of {}: readers of "
                    "committed records are kept back (kafka-transactions.sh find-hanging, abort)",
                    Printable(proof.transactional_id), FormatUtc(*history->last.started),
                    FormatDuration(history->last.timeout))};
  }
  if (history->commits == 0) {
    return {Verdict::kUnverified,
            fmt::format("no transaction was committed since then, {} aborted", history->aborts)};
  }
  if (offsets_topic.empty()) return {Verdict::kUnverified, "its offsets topic is not known"};
  if (!proof.last_commit) {
    return {Verdict::kUnverified,
            fmt::format("{} transactions committed, none of records together with offsets in \"{}\"",
                        history->commits, Printable(offsets_topic))};
  }
  return {Verdict::kPass, "records and offsets were committed in one transaction"};
}

const char* WhyNotRunning(TaskState state) {
  switch (state) {
    case TaskState::kRunning:
      return nullptr;
    case TaskState::kPaused:
      return "it is PAUSED";
    case TaskState::kStopped:
      return "it is STOPPED";
    case TaskState::kFailed:
      return "it is FAILED";
    default:
      return "it does not run now";
  }
}

TaskProof ProveTask(const Evidence& evidence, const ConnectorStatus& connector, const TaskStatus& task,
                    const std::string& group_id, Time now) {
  TaskProof proof;
  proof.connector = connector.name;
  proof.task = task.id;
  proof.transactional_id = TransactionalId(group_id, connector.name, task.id);
  const auto settings = evidence.connectors.find(connector.name);
  const bool known = settings != evidence.connectors.end() && settings->second.ok();
  const std::string offsets = known ? OffsetsTopicOf(evidence.view, *settings->second) : std::string();
  const IdHistory* history =
      evidence.transactions ? evidence.transactions->Find(proof.transactional_id) : nullptr;
  if (history) {
    proof.commits = history->commits;
    proof.aborts = history->aborts;
    if (!offsets.empty()) proof.last_commit = history->CommittedWith(offsets);
  }
  TaskWords words;
  if (!known) {
    words.why = settings == evidence.connectors.end()
                    ? "its connector was not asked about"
                    : Printable(std::string(settings->second.status().message()));
  } else if (settings->second->other_cluster) {
    words.why =
        "it writes to a Kafka cluster of its own (producer.override.bootstrap.servers), which was not asked";
  } else if (const char* why = WhyNotRunning(task.state)) {
    words.why = why;
  } else {
    words = ByTransactions(evidence, proof, history, offsets, now);
    if (auto capability = ByCapability(evidence, connector.name);
        capability && Worse(capability->verdict, words.verdict) == capability->verdict &&
        words.verdict != Verdict::kFail)
      words = *std::move(capability);
  }
  proof.verdict = words.verdict;
  proof.why = std::move(words.why);
  return proof;
}

std::string Said(const Problem& problem) {
  return Printable(problem.message, 1000) + (problem.fix.empty() ? "" : "; to fix: " + problem.fix);
}

std::vector<std::string> Missing(const Evidence& evidence, const std::vector<TaskProof>& tasks) {
  std::vector<std::string> missing;
  if (!evidence.view.connectors) missing.emplace_back("which connectors there are: no worker told");
  if (!evidence.view.group) missing.emplace_back("who is in the group: Kafka did not tell");
  for (const auto& agent : evidence.view.agents) {
    if (!agent.facts)
      missing.push_back(
          fmt::format("everything about the workers of agent \"{}\": it does not answer", agent.name));
  }
  for (const auto& stranger : evidence.view.strangers) {
    missing.push_back(
        fmt::format("what \"{}\" runs: a member of the group that is in no inventory, and one that is not "
                    "enabled voids the guarantee for all",
                    Printable(stranger.url)));
  }
  if (evidence.transactions_problem) {
    missing.push_back("transactions: " + Said(*evidence.transactions_problem));
  }
  for (const Problem& problem : evidence.markers_problems)
    missing.push_back("markers of transactions: " + Said(problem));
  for (const auto& [topic, seen] : evidence.markers) {
    if (!seen) {
      missing.push_back(
          fmt::format("markers of transactions in offsets topic \"{}\": none seen", Printable(topic)));
    }
  }
  if (evidence.view.connectors && tasks.empty())
    missing.emplace_back("source tasks: there are none, so nothing could be seen at work");
  return missing;
}

}  // namespace

std::string_view ToString(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "PASS";
    case Verdict::kUnverified:
      return "UNVERIFIED";
    case Verdict::kFail:
      return "FAIL";
  }
  return "UNVERIFIED";
}

std::vector<WorkerProof> ProveWorkers(const Evidence& evidence) {
  std::vector<WorkerProof> proofs;
  for (const WorkerView& worker : evidence.view.workers) proofs.push_back(ProveWorker(worker, evidence));
  return proofs;
}

std::optional<Time> SinceWhen(const std::vector<WorkerProof>& workers) {
  std::optional<Time> since;
  for (const WorkerProof& worker : workers) {
    if (worker.verdict != Verdict::kPass || !worker.since) return std::nullopt;
    since = since ? std::max(*since, *worker.since) : *worker.since;
  }
  return since;
}

std::string TransactionalId(const std::string& group_id, const std::string& connector, int task) {
  return fmt::format("{}-{}-{}", group_id, connector, task);
}

std::string OffsetsTopicOf(const fleet::FleetView& view, const ConnectorSettings& settings) {
  if (!settings.offsets_topic.empty()) return settings.offsets_topic;
  for (const WorkerView& worker : view.workers) {
    if (worker.facts.log && !worker.facts.log->cluster.offsets_topic.empty())
      return worker.facts.log->cluster.offsets_topic;
  }
  for (const WorkerView& worker : view.workers) {
    if (worker.facts.file && !worker.facts.file->cluster.offsets_topic.empty())
      return worker.facts.file->cluster.offsets_topic;
  }
  return {};
}

Verification Verify(const Evidence& evidence, const std::string& group_id, Time now) {
  Verification result;
  result.workers = ProveWorkers(evidence);
  if (evidence.view.connectors) {
    for (const ConnectorStatus& connector : *evidence.view.connectors) {
      if (connector.type == ConnectorType::kSink) continue;
      for (const TaskStatus& task : connector.tasks)
        result.tasks.push_back(ProveTask(evidence, connector, task, group_id, now));
    }
  }
  result.missing = Missing(evidence, result.tasks);
  result.verdict = result.workers.empty() || !result.missing.empty() ? Verdict::kUnverified : Verdict::kPass;
  for (const WorkerProof& worker : result.workers) result.verdict = Worse(result.verdict, worker.verdict);
  for (const TaskProof& task : result.tasks) result.verdict = Worse(result.verdict, task.verdict);
  const bool strangers = !evidence.view.strangers.empty() || !evidence.view.group;
  const bool all_answer = std::all_of(evidence.view.agents.begin(), evidence.view.agents.end(),
                                      [](const auto& agent) { return agent.facts.has_value(); });
  if (!strangers && all_answer && !result.workers.empty()) result.since = SinceWhen(result.workers);
  return result;
}

}  // namespace eos::proof
