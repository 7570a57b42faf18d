// One agent, as the controller sees it.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/model/connectors.h"
#include "common/model/host_report.h"
#include "common/model/lease.h"
#include "common/model/operation.h"
#include "controller/fleet/inventory.h"

namespace eos::fleet {

// Set from the signal thread; every blocking call looks at it at least each 200 ms and returns kInterrupted.
using StopFlag = std::atomic<bool>;

struct ProbeAnswer {
  Probe result = Probe::kUnknown;
  std::string connector_class;
  std::string message;
};

// Thread-safe. Every call has a deadline. Nothing is repeated here but WatchOperation's stream: callers look
// again, and start an operation again under its own id. Errors: what the agent answered, with its reason;
// kUnreachable / kTimeout; the TLS reasons (kCertificate…, kUnauthenticated, kClockSkew), told apart by a
// handshake of our own; kVersionMismatch.
class AgentClient {
 public:
  virtual ~AgentClient() = default;
  virtual const std::string& name() const = 0;

  virtual StatusOr<HostReport> Observe(const std::string& fleet) = 0;
  // Blocks: calls `on_report` for each report until the stream breaks or `stop` is set.
  virtual Status WatchReports(const std::string& fleet, Millis heartbeat,
                              const std::function<void(const HostReport&)>& on_report,
                              const StopFlag& stop) = 0;

  virtual StatusOr<std::optional<Lease>> GetLease(const std::string& fleet) = 0;
  virtual StatusOr<Lease> AcquireLease(const std::string& fleet, const std::string& session,
                                       const std::string& holder, Millis ttl,
                                       const std::string& take_over) = 0;
  virtual Status ReleaseLease(const std::string& fleet, const std::string& session) = 0;

  virtual StatusOr<OperationRecord> StartOperation(const OperationRequest& request) = 0;
  virtual StatusOr<OperationRecord> GetOperation(const std::string& id) = 0;
  // Blocks until the operation is finished and returns its last record; calls `on_record` for every step
  // seen. A broken stream is taken up again until `limit` has passed without an answer.
  virtual StatusOr<OperationRecord> WatchOperation(
      const std::string& id, Millis limit, const std::function<void(const OperationRecord&)>& on_record,
      const StopFlag& stop) = 0;

  virtual StatusOr<std::vector<ConnectorStatus>> ListConnectors(const std::string& worker) = 0;
  virtual StatusOr<ProbeAnswer> ProbeExactlyOnce(const std::string& worker, const std::string& connector) = 0;
  virtual StatusOr<ConnectorSettings> DescribeConnector(const std::string& worker,
                                                        const std::string& connector) = 0;
  virtual Status RestartFailedTasks(const std::string& worker, const std::string& connector,
                                    const std::string& session, uint64_t epoch) = 0;
  virtual StatusOr<std::vector<Reachability>> CheckReachability(const std::string& worker,
                                                                const std::vector<std::string>& urls) = 0;
};

}  // namespace eos::fleet
