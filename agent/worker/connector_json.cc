#include "agent/worker/connector_json.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

namespace eos::worker {
namespace {

using nlohmann::json;

constexpr size_t kMaxUser = 200;

// Connect keeps a configuration as strings; numbers are what a careless client may have put there.
std::string Text(const json& config, const std::string& key) {
  const auto found = config.find(key);
  if (found == config.end()) return {};
  if (found->is_string()) return found->get<std::string>();
  return found->is_number_integer() ? std::to_string(found->get<int64_t>()) : std::string();
}

std::optional<int64_t> Number(const json& config, const std::string& key) {
  const std::string text = Text(config, key);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The value of `username` in a JAAS line: LoginModule required username="alice" password="…";
std::string UserOf(const std::string& jaas) {
  constexpr std::string_view kKey = "username=";
  const size_t at = jaas.find(kKey);
  if (at == std::string::npos || jaas.find("${") != std::string::npos) return kUnknownUser;
  const size_t begin = at + kKey.size();
  const char quote = begin < jaas.size() && (jaas[begin] == '"' || jaas[begin] == '\'') ? jaas[begin] : ' ';
  const size_t from = quote == ' ' ? begin : begin + 1;
  const size_t to = quote == ' ' ? jaas.find_first_of(" ;", from) : jaas.find(quote, from);
  if (to == std::string::npos || to - from > kMaxUser) return kUnknownUser;
  return jaas.substr(from, to - from);
}

std::string OverriddenUser(const json& config, const std::string& client) {
  const std::string prefix = client + ".override.";
  if (const std::string jaas = Text(config, prefix + "sasl.jaas.config"); !jaas.empty()) return UserOf(jaas);
  // A certificate of its own: its name is in the key store.
  return config.contains(prefix + "ssl.keystore.location") || config.contains(prefix + "ssl.keystore.key")
             ? kUnknownUser
             : "";
}

}  // namespace

StatusOr<ConnectorSettings> SettingsFrom(const std::string& config) {
  const json root = json::parse(config, nullptr, /*allow_exceptions=*/false);
  ConnectorSettings settings;
  if (root.is_object()) settings.connector_class = Text(root, "connector.class");
  if (settings.connector_class.empty()) {
    return Err(Reason::kRestUnavailable,
               "reading the worker's connector configuration: it is not what Kafka Connect answers");
  }
  settings.exactly_once_support = Text(root, "exactly.once.support");
  settings.boundary = Text(root, "transaction.boundary");
  settings.boundary_interval_ms = Number(root, "transaction.boundary.interval.ms");
  settings.offsets_topic = Text(root, "offsets.storage.topic");
  settings.transaction_timeout_ms = Number(root, "producer.override.transaction.timeout.ms");
  settings.other_cluster = root.contains("producer.override.bootstrap.servers");
  settings.tasks_max =
      static_cast<int>(std::clamp<int64_t>(Number(root, "tasks.max").value_or(1), 1, 100'000));
  settings.producer_user = OverriddenUser(root, "producer");
  settings.consumer_user = OverriddenUser(root, "consumer");
  settings.admin_user = OverriddenUser(root, "admin");
  return settings;
}

std::vector<std::string> TopicsFrom(const std::string& body, const std::string& connector) {
  std::vector<std::string> topics;
  const json root = json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object() || !root.contains(connector) || !root[connector].is_object()) return topics;
  const json& own = root[connector];
  if (!own.contains("topics") || !own["topics"].is_array()) return topics;
  for (const json& topic : own["topics"]) {
    if (topic.is_string()) topics.push_back(topic.get<std::string>());
  }
  std::sort(topics.begin(), topics.end());
  return topics;
}

}  // namespace eos::worker
