#include "controller/fleet/fleet_view.h"

#include <algorithm>
#include <set>

namespace eos::fleet {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

const WorkerView* FleetView::Find(const std::string& worker) const {
  const auto found = std::find_if(workers.begin(), workers.end(),
                                  [&](const WorkerView& w) { return w.facts.name == worker; });
  return found == workers.end() ? nullptr : &*found;
}

std::string NormalUrl(const std::string& url) {
  std::string normal = url;
  while (!normal.empty() && normal.back() == '/') normal.pop_back();
  std::transform(normal.begin(), normal.end(), normal.begin(), Lower);
  return normal;
}

std::string WorkerIdOf(const std::string& url) {
  const std::string normal = NormalUrl(url);
  const size_t scheme = normal.find("://");
  return scheme == std::string::npos ? normal : normal.substr(scheme + 3);
}

FleetView Join(Observations seen) {
  FleetView view;
  view.at = seen.at;
  view.agents = std::move(seen.agents);
  view.group = std::move(seen.group);
  view.group_problem = std::move(seen.group_problem);
  view.connectors = std::move(seen.connectors);
  view.connectors_problem = std::move(seen.connectors_problem);
  std::set<std::string> members;
  if (view.group) {
    for (const kafka::Member& member : view.group->members) members.insert(NormalUrl(member.url));
  }
  const std::string leader = view.group ? NormalUrl(view.group->leader_url) : "";
  std::set<std::string> inventoried;
  for (auto& [agent, facts] : seen.workers) {
    const std::string url = NormalUrl(facts.advertised_url);
    inventoried.insert(url);
    WorkerView worker;
    worker.agent = agent;
    worker.running = ConcludeRunningMode(facts);
    worker.running_delay = ConcludeRunningDelay(facts);
    worker.member = members.contains(url);
    worker.leader = !leader.empty() && leader == url;
    worker.facts = std::move(facts);
    view.workers.push_back(std::move(worker));
  }
  if (!view.group) return view;
  for (const kafka::Member& member : view.group->members) {
    // In mid-rebalance nobody's URL is told.
    if (!member.url.empty() && !inventoried.contains(NormalUrl(member.url))) view.strangers.push_back(member);
  }
  return view;
}

}  // namespace eos::fleet
