// The fixed questions to a worker's own REST. No path, no body and no header comes from the wire.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/model/connectors.h"
#include "common/model/worker_facts.h"

namespace eos::worker {

struct RestSettings {
  std::string url;               // "http://127.0.0.1:8083"
  std::string ca_file;           // for https; empty: the system's
  std::string certificate_file;  // mutual TLS, both or none
  std::string key_file;
  std::string basic_auth_file;  // "user:password", mode 0600; empty: none
  Millis timeout{5'000};        // of one ordinary question
  Millis slow_timeout{95'000};  // of validate and restart: Connect itself answers within 90 s
};

// Errors: kRestUnavailable (no connection, HTTP 404/409/5xx, not JSON), kNotFound (no such connector),
// kTimeout. Response bodies never get into a message. Thread-safe; each call blocks up to its limit.
class RestClient {
 public:
  virtual ~RestClient() = default;

  virtual RestFacts Look() = 0;  // never fails: what did not answer is left out; may wait for the herder
  virtual bool Answers() = 0;    // GET / alone, which does not wait for the herder
  virtual StatusOr<std::vector<ConnectorStatus>> ListConnectors() = 0;
  // Empty name: validates a built-in class that is a plugin there.
  struct ProbeAnswer {
    Probe result = Probe::kUnknown;
    std::string connector_class;
    std::string message;
  };
  virtual StatusOr<ProbeAnswer> ProbeExactlyOnce(const std::string& connector) = 0;
  virtual StatusOr<ConnectorSettings> DescribeConnector(const std::string& connector) = 0;
  virtual Status RestartFailedTasks(const std::string& connector) = 0;
  virtual Reachability Reach(const std::string& url) = 0;  // GET / there, with this worker's trust
};

std::unique_ptr<RestClient> NewCurlRestClient(RestSettings settings);

// Pure: the kind of failure and the exception classes in a task's trace.
FailureKind ClassifyTrace(std::string_view trace, std::vector<std::string>& exceptions);

}  // namespace eos::worker
