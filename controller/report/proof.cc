#include "controller/report/proof.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/base/words.h"
#include "controller/report/text_table.h"

namespace eos::report {
namespace {

using nlohmann::json;
using proof::TaskProof;
using proof::Verdict;
using proof::Verification;
using proof::WorkerProof;

Colour ColourOf(Verdict verdict) {
  return verdict == Verdict::kPass ? Colour::kGood : verdict == Verdict::kFail ? Colour::kBad : Colour::kWarn;
}

Cell CellOf(Verdict verdict) { return {std::string(ToString(verdict)), ColourOf(verdict)}; }

template <typename Proof>
size_t Count(const std::vector<Proof>& proofs, Verdict verdict) {
  return static_cast<size_t>(
      std::count_if(proofs.begin(), proofs.end(), [&](const Proof& one) { return one.verdict == verdict; }));
}

// The sentence that everybody wants, and no more than was seen.
std::string Sentence(const Verification& verification, const std::string& fleet) {
  const std::string since = verification.since ? FormatUtc(*verification.since) : std::string();
  switch (verification.verdict) {
    case Verdict::kPass:
      return fmt::format(
          "{}: exactly-once holds since {}: the start of the last worker that came to run enabled", fleet,
          since);
    case Verdict::kFail:
      return fmt::format(
          "{}: exactly-once does not hold{}", fleet,
          since.empty() ? "" : fmt::format(" everywhere, though every worker runs enabled since {}", since));
    case Verdict::kUnverified:
      break;
  }
  return since.empty()
             ? fmt::format("{}: that exactly-once holds is not verified", fleet)
             : fmt::format(
                   "{}: every worker runs enabled since {}; that exactly-once holds is not verified for all",
                   fleet, since);
}

// Nobody reads a thousand lines of PASS: what is not fine comes first.
template <typename Proof>
std::vector<const Proof*> WorstFirst(const std::vector<Proof>& proofs) {
  std::vector<const Proof*> sorted;
  for (const Proof& one : proofs) sorted.push_back(&one);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Proof* a, const Proof* b) { return a->verdict > b->verdict; });
  return sorted;
}

json TimeOrNull(const std::optional<Time>& time) { return time ? json(FormatUtc(*time)) : json(nullptr); }

}  // namespace

std::string VerificationText(const Verification& verification, const std::string& fleet, bool colour) {
  std::string text =
      Paint(Sentence(verification, Printable(fleet)), ColourOf(verification.verdict), colour) + "\n\n";
  std::vector<std::vector<Cell>> rows;
  for (const WorkerProof* worker : WorstFirst(verification.workers)) {
    rows.push_back({worker->worker, CellOf(worker->verdict), worker->since ? FormatUtc(*worker->since) : "?",
                    worker->why});
  }
  text += Table({"WORKER", "ENABLED", "JVM SINCE", "WHY"}, rows, colour) + "\n";
  rows.clear();
  for (const TaskProof* task : WorstFirst(verification.tasks)) {
    rows.push_back({fmt::format("{}-{}", Printable(task->connector), task->task), CellOf(task->verdict),
                    std::to_string(task->commits), std::to_string(task->aborts),
                    task->last_commit ? FormatUtc(*task->last_commit) : "-", task->why});
  }
  if (!rows.empty())
    text += Table({"SOURCE TASK", "ATOMIC", "COMMITS", "ABORTS", "LAST", "WHY"}, rows, colour) + "\n";
  for (const std::string& missing : verification.missing) text += "missing: " + missing + "\n";
  text += fmt::format(
      "{} of {} workers and {} of {} source tasks proven. Seen in Kafka's transaction log; records written "
      "before "
      "may hold duplicates, and readers must use isolation.level=read_committed.\n",
      Count(verification.workers, Verdict::kPass), verification.workers.size(),
      Count(verification.tasks, Verdict::kPass), verification.tasks.size());
  return text;
}

json VerificationJson(const Verification& verification, const std::string& fleet) {
  json root{{"format", "connect-eos/verify/1"},
            {"fleet", fleet},
            {"verdict", ToString(verification.verdict)},
            {"since", TimeOrNull(verification.since)},
            {"workers", json::array()},
            {"tasks", json::array()},
            {"missing", verification.missing}};
  for (const WorkerProof& worker : verification.workers) {
    root["workers"].push_back({{"name", worker.worker},
                               {"verdict", ToString(worker.verdict)},
                               {"why", worker.why},
                               {"jvm_since", TimeOrNull(worker.since)}});
  }
  for (const TaskProof& task : verification.tasks) {
    root["tasks"].push_back({{"connector", task.connector},
                             {"task", task.task},
                             {"transactional_id", task.transactional_id},
                             {"verdict", ToString(task.verdict)},
                             {"why", task.why},
                             {"commits", task.commits},
                             {"aborts", task.aborts},
                             {"last_commit", TimeOrNull(task.last_commit)}});
  }
  return root;
}

}  // namespace eos::report
