#include "controller/cli/context.h"

#include "controller/rpc/agent_client.h"

namespace eos::cli {

StatusOr<std::unique_ptr<Connections>> Connections::Open(const std::string& fleet_file, const Clock& clock) {
  auto connections = std::make_unique<Connections>();
  EOS_ASSIGN_OR_RETURN(connections->inventory_, fleet::LoadInventory(fleet_file));
  const fleet::Inventory& inventory = connections->inventory_;
  EOS_RETURN_IF_ERROR(rpc::CheckOwnCertificate(inventory.tls, clock.Now()));
  EOS_ASSIGN_OR_RETURN(connections->group_, kafka::NewGroupReader(inventory.kafka, inventory.group_id));
  std::vector<fleet::AgentClient*> clients;
  for (const fleet::AgentAddress& agent : inventory.agents) {
    connections->clients_.push_back(
        rpc::NewAgentClient(agent, inventory.tls, inventory.policy.connect_limit));
    clients.push_back(connections->clients_.back().get());
  }
  connections->observer_ = fleet::NewFleetObserver(inventory, clients, *connections->group_, clock);
  connections->topics_ = [&inventory](const std::string& topic, kafka::Isolation isolation,
                                      std::optional<Time> since) {
    return kafka::OpenTopic(inventory.kafka, topic, isolation, since, inventory.policy.connect_limit);
  };
  return connections;
}

std::map<std::string, fleet::AgentClient*> Connections::Agents() const {
  std::map<std::string, fleet::AgentClient*> agents;
  for (const auto& client : clients_) agents[client->name()] = client.get();
  return agents;
}

}  // namespace eos::cli
