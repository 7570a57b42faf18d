#include "controller/rollout/gate.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <set>

#include "common/base/words.h"

namespace eos::rollout {
namespace {

using fleet::FleetView;
using fleet::WorkerView;

// Members by their URL: once a view, since fleets are large.
using Members = std::map<std::string, std::vector<const kafka::Member*>>;

Members MembersOf(const FleetView& view) {
  Members members;
  if (!view.group) return members;
  for (const kafka::Member& member : view.group->members) {
    if (!member.url.empty()) members[fleet::NormalUrl(member.url)].push_back(&member);
  }
  return members;
}

// The group's assignment has the last word on where something runs: the status topic goes on saying RUNNING
// for a worker that was restarted. Where no member is known to hold it, the status alone counts.
bool HeldElsewhere(const Placement& placement, const std::string& held, const std::string& worker_id) {
  const auto found = placement.holders.find(held);
  return found != placement.holders.end() &&
         std::find(found->second.begin(), found->second.end(), worker_id) == found->second.end();
}

// What is still true of `last` while the group says nothing of assignments: members whose process is the
// same.
Placement StillThere(const Placement& last, const FleetView& view) {
  Placement placement{{}, last.holders};
  for (const WorkerView& worker : view.workers) {
    if (!worker.facts.process) continue;
    const auto found = last.live.find(fleet::WorkerIdOf(worker.facts.advertised_url));
    if (found != last.live.end() && found->second.SameProcess(*worker.facts.process))
      placement.live.insert(*found);
  }
  return placement;
}

// What keeps this worker from being up, by the ladder process → REST → herder → member; nothing: it is up.
std::string UnmetByWorker(const WorkerView& worker, const Members& by_url, const History& history) {
  const WorkerFacts& facts = worker.facts;
  if (!facts.running_operation.empty())
    return fmt::format("operation {} is under way", facts.running_operation);
  if (const auto ours = history.under_way.find(facts.name); ours != history.under_way.end())
    return fmt::format("operation {} is not known to have ended", ours->second);
  if (!facts.process) return facts.process_known ? "its process is not there" : "its process cannot be seen";
  if (!facts.rest || !facts.rest->answers) return "its REST does not answer";
  if (facts.rest->health == Health::kUnhealthy) return "its REST says that it is unhealthy";
  if (!facts.rest->herder_answers) return "its REST answers, its herder does not yet";
  const auto found = by_url.find(fleet::NormalUrl(facts.advertised_url));
  if (found == by_url.end()) return "it has not joined the group";
  const auto& members = found->second;
  if (members.size() > 1) return "the group holds two members under its URL";
  const auto old = history.old_member.find(facts.name);
  if (old != history.old_member.end() && members.front()->member_id == old->second) {
    return "the group still holds the member that was stopped";
  }
  return {};
}

struct Told {
  TaskState state = TaskState::kUnknown;
  std::string worker_id;
  FailureKind failure = FailureKind::kNone;
};

std::optional<Told> Lookup(const ConnectorStatus& connector, int task) {
  if (task < 0) return Told{connector.state, connector.worker_id, connector.failure};
  for (const TaskStatus& t : connector.tasks) {
    if (t.id == task) return Told{t.state, t.worker_id, t.failure};
  }
  return std::nullopt;
}

std::string NameOf(const TaskKey& key) {
  return key.task < 0 ? fmt::format("connector \"{}\"", Printable(key.connector))
                      : fmt::format("task \"{}-{}\"", Printable(key.connector), key.task);
}

// Whatever it was before this run: taking a worker down now could meet its start.
std::vector<TaskKey> OnTheirWay(const std::vector<ConnectorStatus>& connectors) {
  const auto starts = [](TaskState state) {
    return state == TaskState::kUnassigned || state == TaskState::kRestarting;
  };
  std::vector<TaskKey> keys;
  for (const ConnectorStatus& connector : connectors) {
    if (starts(connector.state)) keys.push_back({connector.name, -1});
    for (const TaskStatus& task : connector.tasks) {
      if (starts(task.state)) keys.push_back({connector.name, task.id});
    }
  }
  return keys;
}

struct OneTask {
  std::string unmet;       // empty: as it should be, or FAILED for cause
  bool for_cause = false;  // FAILED, and no restart heals it
};

OneTask CheckOne(const TaskKey& key, const ConnectorStatus& connector, const Placement& placement) {
  const auto told = Lookup(connector, key.task);
  if (!told) return {NameOf(key) + " is not reported"};
  if (told->state == TaskState::kFailed) {
    if (!HealsByRestart(told->failure)) return {{}, true};
    return {NameOf(key) + " is FAILED by fencing"};
  }
  if (told->state == TaskState::kPaused || told->state == TaskState::kStopped)
    return {};  // by somebody's wish
  if (told->state != TaskState::kRunning)
    return {fmt::format("{} is {}", NameOf(key), ToString(told->state))};
  if (!placement.live.contains(told->worker_id)) {
    return {fmt::format("{} is said to run on \"{}\", which is no live member", NameOf(key),
                        Printable(told->worker_id))};
  }
  const std::string held = key.task < 0 ? key.connector : key.connector + "-" + std::to_string(key.task);
  if (HeldElsewhere(placement, held, told->worker_id)) {
    return {fmt::format("{} is said to run on \"{}\", the group gave it to another member", NameOf(key),
                        Printable(told->worker_id))};
  }
  return {};
}

using ConnectorsByName = std::map<std::string, const ConnectorStatus*>;

ConnectorsByName ByName(const std::vector<ConnectorStatus>& connectors) {
  ConnectorsByName by_name;
  for (const ConnectorStatus& connector : connectors) by_name[connector.name] = &connector;
  return by_name;
}

}  // namespace

bool HealsByRestart(FailureKind kind) {
  return kind == FailureKind::kFencing || kind == FailureKind::kTransaction;
}

std::vector<std::string> UnmetByGroup(const FleetView& view, const History& history) {
  std::vector<std::string> unmet;
  for (const auto& agent : view.agents) {
    if (!agent.facts) unmet.push_back(fmt::format("agent \"{}\" does not answer", agent.name));
  }
  if (!view.group) {
    unmet.push_back("Kafka does not tell the group's state");
  } else {
    if (!view.group->stable()) unmet.push_back(fmt::format("the group is {}, not Stable", view.group->state));
    if (view.group->pending_delay() > Millis{0}) {
      unmet.push_back(fmt::format("a rebalance delay is pending: at most {} left",
                                  FormatDuration(view.group->pending_delay())));
    }
    for (const auto& stranger : view.strangers) {
      unmet.push_back(fmt::format("member \"{}\" of the group is in no inventory", Printable(stranger.url)));
    }
  }
  // Who is a member is told by a Stable group only; what moves comes first.
  const Members members = MembersOf(view);
  for (const WorkerView& worker : view.workers) {
    if (auto what = UnmetByWorker(worker, members, history); !what.empty()) {
      unmet.push_back(fmt::format("worker \"{}\": {}", worker.facts.name, what));
    }
  }
  return unmet;
}

TaskCheck CheckTasks(const FleetView& view, const History& history) {
  TaskCheck check;
  if (!view.connectors) {
    check.unmet.push_back("no worker tells the connectors' state");
    return check;
  }
  for (const ConnectorStatus& connector : *view.connectors) {
    const auto fenced = [](TaskState state, FailureKind kind) {
      return state == TaskState::kFailed && HealsByRestart(kind);
    };
    if (fenced(connector.state, connector.failure) ||
        std::any_of(connector.tasks.begin(), connector.tasks.end(),
                    [&](const TaskStatus& t) { return fenced(t.state, t.failure); })) {
      check.fenced.push_back(connector.name);
    }
  }
  if (!history.ran_before) return check;
  const Placement placement = PlacementOf(view);
  const ConnectorsByName by_name = ByName(*view.connectors);
  for (const TaskKey& key : *history.ran_before) {
    const auto found = by_name.find(key.connector);
    if (found == by_name.end()) continue;  // deleted by its owner meanwhile
    OneTask one = CheckOne(key, *found->second, placement);
    if (one.for_cause) check.failed_for_cause.push_back(key);
    if (!one.unmet.empty()) check.unmet.push_back(std::move(one.unmet));
  }
  for (const TaskKey& key : OnTheirWay(*view.connectors)) {
    if (std::binary_search(history.ran_before->begin(), history.ran_before->end(), key)) continue;
    check.unmet.push_back(NameOf(key) + " is about to start");
  }
  return check;
}

Placement PlacementOf(const FleetView& view) {
  Placement placement;
  if (view.group) {
    for (const kafka::Member& member : view.group->members) {
      for (const std::string& held : member.assigned)
        placement.holders[held].push_back(fleet::WorkerIdOf(member.url));
    }
  }
  for (const WorkerView& worker : view.workers) {
    if (worker.member && worker.facts.process)
      placement.live.emplace(fleet::WorkerIdOf(worker.facts.advertised_url), *worker.facts.process);
  }
  return placement;
}

std::vector<TaskKey> TasksDown(const FleetView& view, const History& history) {
  std::vector<TaskKey> down;
  if (!view.connectors || !history.ran_before) return down;
  const bool told = view.group && view.group->stable();
  const Placement placement = told ? PlacementOf(view) : StillThere(history.placement, view);
  const ConnectorsByName by_name = ByName(*view.connectors);
  for (const TaskKey& key : *history.ran_before) {
    if (key.task < 0) continue;  // the connector itself moves no records
    const auto found = by_name.find(key.connector);
    if (found == by_name.end()) continue;
    const OneTask one = CheckOne(key, *found->second, placement);
    if (one.for_cause || !one.unmet.empty()) down.push_back(key);
  }
  return down;
}

std::vector<std::string> Unmet(const std::vector<std::string>& by_group, const TaskCheck& tasks) {
  std::vector<std::string> unmet = by_group;
  unmet.insert(unmet.end(), tasks.unmet.begin(), tasks.unmet.end());
  for (const TaskKey& key : tasks.failed_for_cause) unmet.push_back(NameOf(key) + " is FAILED");
  return unmet;
}

std::vector<std::string> UnmetConditions(const FleetView& view, const History& history) {
  return Unmet(UnmetByGroup(view, history), CheckTasks(view, history));
}

}  // namespace eos::rollout
