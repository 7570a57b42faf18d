// eos-agent's configuration (deploy/examples/agent.yaml explains each key).
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "agent/service/command_manager.h"
#include "agent/service/systemd_manager.h"
#include "agent/worker/rest_client.h"
#include "common/base/error.h"
#include "common/tls/certificates.h"

namespace eos::config {

struct LogFile {
  std::string path;
};
struct Journal {};  // of the worker's own unit; only with systemd

struct WorkerConfig {
  std::string name;
  std::string fleet;
  std::string properties_file;
  std::string advertised_url;  // as the group knows it; scheme, host and port
  worker::RestSettings rest;
  std::variant<service::SystemdSettings, service::CommandSettings> service;
  std::variant<std::monostate, LogFile, Journal> log;
};

struct AgentConfig {
  std::string listen;  // "0.0.0.0:7443"; port 0: any free one
  std::string state_directory;
  tls::Files tls;
  Millis tls_refresh{10'000};
  // Who may call: an exact URI SAN, a prefix that ends in "/*", or "dns:NAME" for certificates without a URI
  // SAN.
  std::vector<std::string> callers;
  std::vector<WorkerConfig> workers;
};

// kUsage with "FILE:LINE: …". Relative paths count from the file's folder. Refused: no caller, two workers
// with one name, file or URL.
StatusOr<AgentConfig> LoadConfig(const std::string& path);
StatusOr<AgentConfig> ParseConfig(const std::string& text, const std::string& name_for_messages,
                                  const std::string& folder);

}  // namespace eos::config
