#include "controller/proof/tally.h"

#include <algorithm>

namespace eos::proof {

using kafka::Transaction;
using kafka::TransactionState;

namespace {

std::vector<std::string> TopicsOf(const Transaction& transaction) {
  std::vector<std::string> topics;
  for (const auto& [topic, partitions] : transaction.partitions) topics.push_back(topic);
  return topics;
}

bool Holds(const std::vector<std::string>& topics, const std::string& topic) {
  return std::find(topics.begin(), topics.end(), topic) != topics.end();
}

// The partitions are in the Prepare record; the Complete one, which follows, has none any more. Where
// compaction has left the second only, it counts.
bool Decided(const Transaction& now, TransactionState prepare, TransactionState complete,
             TransactionState before) {
  return now.state == prepare || (now.state == complete && before != prepare);
}

}  // namespace

std::optional<Time> IdHistory::CommittedWith(const std::string& topic) const {
  std::optional<Time> latest;
  for (const auto& [topics, at] : committed) {
    if (topics.size() > 1 && Holds(topics, topic)) latest = latest ? std::max(*latest, at) : at;
  }
  return latest;
}

bool IdHistory::CommittedAlone(const std::string& topic) const {
  return std::any_of(committed.begin(), committed.end(),
                     [&](const auto& one) { return one.first.size() == 1 && one.first.front() == topic; });
}

bool IdHistory::CommittedWithout(const std::string& topic) const {
  return std::any_of(committed.begin(), committed.end(),
                     [&](const auto& one) { return !one.first.empty() && !Holds(one.first, topic); });
}

bool IdHistory::Hanging(Time now, Millis slack) const {
  return last.state == TransactionState::kOngoing && last.started &&
         now - *last.started > last.timeout + slack;
}

void Tally::Add(const kafka::LogEntry& entry) {
  if (entry.forgotten) {
    ids_.erase(entry.transaction.id);
    return;
  }
  const Transaction& now = entry.transaction;
  const auto [found, is_new] = ids_.try_emplace(now.id);
  IdHistory& id = found->second;
  const TransactionState before = is_new ? TransactionState::kEmpty : id.last.state;
  if (is_new) id.first_seen = now.updated;
  if (Decided(now, TransactionState::kPrepareCommit, TransactionState::kCompleteCommit, before)) {
    ++id.commits;
    const auto topics = TopicsOf(now);
    if (!topics.empty() && (id.committed.contains(topics) || id.committed.size() < IdHistory::kMaxSets))
      id.committed[topics] = now.updated;
  } else if (Decided(now, TransactionState::kPrepareAbort, TransactionState::kCompleteAbort, before) &&
             before != TransactionState::kPrepareEpochFence) {
    ++id.aborts;
  } else if (now.state == TransactionState::kPrepareEpochFence && before == TransactionState::kOngoing) {
    ++id.aborts;  // a successor took the id while a transaction of its predecessor was open
  }
  id.last = now;
}

const IdHistory* Tally::Find(const std::string& id) const {
  const auto found = ids_.find(id);
  return found == ids_.end() ? nullptr : &found->second;
}

}  // namespace eos::proof
