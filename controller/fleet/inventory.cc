#include "controller/fleet/inventory.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "common/base/words.h"
#include "common/yaml/reader.h"

namespace eos::fleet {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

std::string Absolute(const std::string& path, const std::string& folder) {
  return path.empty() || path.front() == '/' || folder.empty() ? path : folder + "/" + path;
}

// "host:port" or "[v6]:port".
bool IsAddress(const std::string& address) {
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon == 0) return false;
  const std::string port = address.substr(colon + 1);
  if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != std::string::npos)
    return false;
  const int number = std::stoi(port);
  return number >= 1 && number <= 65535;
}

std::vector<AgentAddress> ReadAgents(yaml::Map& root) {
  std::vector<AgentAddress> agents;
  std::set<std::string> names;
  std::set<std::string> addresses;
  for (yaml::Map& map : root.Children("agents")) {
    AgentAddress agent;
    agent.name = map.String("name");
    agent.address = map.String("address");
    agent.tls_name = map.OptionalString("tls_name").value_or("");
    if (const Status status = map.Finish(); !status.ok()) root.Fail(status);
    if (!agent.address.empty() && !IsAddress(agent.address)) {
      map.Fail(map.ErrorAt("address", fmt::format("\"{}\" is not HOST:PORT", Printable(agent.address)),
                           "write it like c1.example:7443"));
    }
    if (!names.insert(agent.name).second) {
      map.Fail(map.ErrorAt("name", fmt::format("two agents are called \"{}\"", Printable(agent.name))));
    }
    if (!addresses.insert(agent.address).second) {
      map.Fail(map.ErrorAt("address",
                           fmt::format("two agents have the address \"{}\"", Printable(agent.address))));
    }
    agents.push_back(std::move(agent));
  }
  return agents;
}

Policy ReadPolicy(yaml::Map& root) {
  Policy policy;
  auto map = root.OptionalChild("policy");
  if (!map) return policy;
  const std::string rebalance = map->OneOf("rebalance", "fast", {"fast", "keep-user-delay"});
  policy.rebalance = rebalance == "fast" ? RebalancePolicy::kFast : RebalancePolicy::kKeepUser;
  policy.temporary_delay = map->Duration("temporary_delay", policy.temporary_delay, Millis{0}, minutes{1});
  policy.max_unavailable = map->Int("max_unavailable", policy.max_unavailable, 1, 100);
  policy.good_observations = map->Int("good_observations", policy.good_observations, 1, 100);
  policy.observe_every = map->Duration("observe_every", policy.observe_every, Millis{100}, minutes{1});
  policy.worker_limit = map->Duration("worker_limit", policy.worker_limit, seconds{1}, hours{24});
  policy.whole_limit = map->Duration("whole_limit", policy.whole_limit, seconds{1}, hours{24 * 7});
  policy.task_restarts = map->Int("task_restarts", policy.task_restarts, 0, 100);
  policy.start_limit = map->Duration("start_limit", policy.start_limit, seconds{1}, hours{1});
  policy.stop_limit = map->Duration("stop_limit", policy.stop_limit, seconds{1}, hours{1});
  policy.connect_limit = map->Duration("connect_limit", policy.connect_limit, Millis{100}, minutes{5});
  policy.lease_ttl = map->Duration("lease_ttl", policy.lease_ttl, seconds{5}, minutes{10});
  policy.clock_skew = map->Duration("clock_skew", policy.clock_skew, Millis{100}, hours{24});
  if (const Status status = map->Finish(); !status.ok()) root.Fail(status);
  return policy;
}

}  // namespace

StatusOr<Inventory> ParseInventory(const std::string& text, const std::string& name_for_messages,
                                   const std::string& folder) {
  EOS_ASSIGN_OR_RETURN(yaml::Map root, yaml::Map::Parse(text, name_for_messages));
  Inventory inventory;
  inventory.fleet = root.String("fleet");
  inventory.group_id = root.String("group_id");
  inventory.agents = ReadAgents(root);
  yaml::Map tls = root.Child("tls");
  inventory.tls.certificate = Absolute(tls.String("certificate"), folder);
  inventory.tls.key = Absolute(tls.String("key"), folder);
  inventory.tls.ca = Absolute(tls.String("ca"), folder);
  EOS_RETURN_IF_ERROR(tls.Finish());
  yaml::Map kafka = root.Child("kafka");
  for (auto& [name, value] : kafka.Scalars()) inventory.kafka[name] = std::move(value);
  if (!inventory.kafka.contains("bootstrap.servers")) {
    root.Fail(root.ErrorAt("kafka", "\"bootstrap.servers\" is missing in \"kafka\"",
                           "add: bootstrap.servers: HOST:PORT"));
  }
  inventory.policy = ReadPolicy(root);
  EOS_RETURN_IF_ERROR(root.Finish());
  return inventory;
}

StatusOr<Inventory> LoadInventory(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) {
    return Err(
        Reason::kUsage, fmt::format("reading the fleet file \"{}\": it cannot be read", path),
        "name it: eosctl --fleet FILE …, or set EOSCTL_FLEET; an example is deploy/examples/fleet.yaml");
  }
  const size_t slash = path.rfind('/');
  return ParseInventory(text.str(), path, slash == std::string::npos ? "" : path.substr(0, slash));
}

}  // namespace eos::fleet
