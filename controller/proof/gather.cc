#include "controller/proof/gather.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "common/base/words.h"

namespace eos::proof {
namespace {

using fleet::FleetView;
using fleet::ProbeAnswer;
using fleet::WorkerView;

constexpr Millis kPoll{500};

std::vector<const ConnectorStatus*> SourceConnectors(const FleetView& view) {
  std::vector<const ConnectorStatus*> sources;
  if (!view.connectors) return sources;
  for (const ConnectorStatus& connector : *view.connectors) {
    if (connector.type != ConnectorType::kSink) sources.push_back(&connector);
  }
  return sources;
}

bool Usable(const StatusOr<ProbeAnswer>& answer) { return answer.ok() && answer->result != Probe::kUnknown; }

// A class that every distribution holds is asked about first, since validating it opens no connection; a
// worker without it is asked about one of its own connectors.
StatusOr<ProbeAnswer> AskWorker(fleet::AgentClient& agent, const std::string& worker,
                                const std::vector<const ConnectorStatus*>& connectors) {
  auto answer = agent.ProbeExactlyOnce(worker, "");
  if (Usable(answer) || connectors.empty()) return answer;
  auto second = agent.ProbeExactlyOnce(worker, connectors.front()->name);
  return Usable(second) ? second : answer;
}

class Gathering {
 public:
  Gathering(const std::string& group_id, const Sources& sources,
            const std::function<void(const std::string&)>& on_progress)
      : group_id_(group_id), sources_(sources), on_progress_(on_progress) {}

  Evidence Go(Millis wait) {
    evidence_.view = sources_.observer.Observe();
    AskWorkers();
    AskConnectors();
    const auto since = SinceWhen(ProveWorkers(evidence_));
    if (!since) {
      evidence_.transactions_problem =
          Problem{Reason::kInconclusive, "not read, since not every worker is proven to run enabled", {}};
      return std::move(evidence_);
    }
    ReadTransactions(*since, wait);
    LookForMarkers(*since);
    return std::move(evidence_);
  }

 private:
  void AskWorkers() {
    const auto& workers = evidence_.view.workers;
    const auto connectors = SourceConnectors(evidence_.view);
    std::mutex mutex;
    sources_.background.ForEach(workers.size(), [&](size_t i) {
      const auto agent = sources_.agents.find(workers[i].agent);
      if (sources_.stop || agent == sources_.agents.end()) return;
      auto answer = AskWorker(*agent->second, workers[i].facts.name, connectors);
      const std::lock_guard lock(mutex);
      evidence_.workers.emplace(workers[i].facts.name, std::move(answer));
    });
  }

  // Any worker that runs enabled can tell; they are asked in turn so that no one has to answer for all.
  void AskConnectors() {
    std::vector<const WorkerView*> enabled;
    for (const WorkerView& worker : evidence_.view.workers) {
      const auto answer = evidence_.workers.find(worker.facts.name);
      if (answer != evidence_.workers.end() && Usable(answer->second) &&
          ProvesEnabled(answer->second->result) == true)
        enabled.push_back(&worker);
    }
    if (enabled.empty()) return;
    const auto connectors = SourceConnectors(evidence_.view);
    std::mutex mutex;
    sources_.background.ForEach(connectors.size(), [&](size_t i) {
      if (sources_.stop) return;
      const WorkerView& worker = *enabled[i % enabled.size()];
      fleet::AgentClient& agent = *sources_.agents.at(worker.agent);
      const std::string& name = connectors[i]->name;
      auto settings = agent.DescribeConnector(worker.facts.name, name);
      auto capability = agent.ProbeExactlyOnce(worker.facts.name, name);
      const std::lock_guard lock(mutex);
      evidence_.connectors.emplace(name, std::move(settings));
      evidence_.capability.emplace(name, std::move(capability));
    });
  }

  // How many running tasks have not been seen to commit records and offsets together.
  size_t StillToSee() const {
    const Verification so_far = Verify(evidence_, group_id_, sources_.clock.Now());
    std::set<std::pair<std::string, int>> running;
    for (const ConnectorStatus* connector : SourceConnectors(evidence_.view)) {
      for (const TaskStatus& task : connector->tasks) {
        if (task.state == TaskState::kRunning) running.emplace(connector->name, task.id);
      }
    }
    return static_cast<size_t>(
        std::count_if(so_far.tasks.begin(), so_far.tasks.end(), [&](const TaskProof& task) {
          return !task.last_commit && running.contains({task.connector, task.task});
        }));
  }

  void ReadTransactions(Time since, Millis wait) {
    const auto fail = [&](const Status& status) { evidence_.transactions_problem = ProblemOf(status); };
    auto reader = sources_.topics(kafka::kTransactionLogTopic, kafka::Isolation::kReadUncommitted, since);
    if (!reader.ok()) return fail(reader.status());
    evidence_.transactions.emplace();
    Millis since_boot = sources_.clock.SinceBoot();
    bool at_end = false;
    while (!sources_.stop) {
      const auto records = ReadLog(**reader, kPoll, *evidence_.transactions);
      if (!records.ok()) return fail(records.status());
      const Millis now = sources_.clock.SinceBoot();
      if (!at_end && ((*reader)->AtEnd() || *records > 0)) since_boot = now;
      at_end = at_end || (*reader)->AtEnd();
      const size_t to_see = at_end ? StillToSee() : 1;
      if (to_see == 0) return;
      if (at_end) {
        on_progress_(fmt::format("waiting for commits: {} task{} to go, {} left", to_see,
                                 to_see == 1 ? "" : "s",
                                 FormatDuration(std::max(Millis{0}, since_boot + wait - now))));
      }
      if (now - since_boot < wait) continue;
      if (!at_end) {
        fail(Err(Reason::kTimeout, fmt::format("reading {}: nothing came for {}, and its end was not reached",
                                               kafka::kTransactionLogTopic, FormatDuration(wait))));
      }
      return;
    }
  }

  // Offsets that no record uses are those of markers.
  void LookForMarkers(Time since) {
    std::set<std::string> topics;
    for (const auto& [name, settings] : evidence_.connectors) {
      if (!settings.ok() || settings->other_cluster) continue;
      const std::string topic = OffsetsTopicOf(evidence_.view, *settings);
      if (!topic.empty()) topics.insert(topic);
    }
    for (const std::string& topic : topics) {
      if (sources_.stop) return;
      auto reader = sources_.topics(topic, kafka::Isolation::kReadUncommitted, since);
      if (!reader.ok()) {
        evidence_.markers_problems.push_back(ProblemOf(reader.status()));
        continue;
      }
      bool seen = false;
      const Millis began = sources_.clock.SinceBoot();
      while (!sources_.stop && !seen && sources_.clock.SinceBoot() - began < kMarkersLimit) {
        const auto records = (*reader)->Poll(kPoll, [](const kafka::Record&) {});
        if (!records.ok()) break;
        for (const auto& [partition, position] : (*reader)->positions()) seen = seen || position.hidden > 0;
        if ((*reader)->AtEnd()) break;
      }
      evidence_.markers[topic] = seen;
    }
  }

  static constexpr Millis kMarkersLimit{30'000};
  const std::string& group_id_;
  const Sources& sources_;
  const std::function<void(const std::string&)>& on_progress_;
  Evidence evidence_;
};

}  // namespace

Evidence Gather(const std::string& group_id, const Sources& sources, Millis wait,
                const std::function<void(const std::string&)>& on_progress) {
  return Gathering(group_id, sources, on_progress).Go(wait);
}

StatusOr<size_t> ReadLog(kafka::TopicReader& reader, Millis limit, Tally& tally) {
  Status broken;
  const auto records = reader.Poll(limit, [&](const kafka::Record& record) {
    if (!broken.ok()) return;
    auto entry = kafka::DecodeLogEntry(record.key.value_or(std::string_view()), record.value);
    if (entry.ok()) {
      tally.Add(*entry);
    } else {
      broken = entry.status();
    }
  });
  if (!broken.ok()) return broken;
  return records;
}

}  // namespace eos::proof
