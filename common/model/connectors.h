// Connectors and tasks as a worker's REST tells them, and the fixed questions about them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"

namespace eos {

enum class TaskState { kUnknown, kUnassigned, kRunning, kPaused, kFailed, kRestarting, kStopped, kDestroyed };

// Why something is FAILED, by its trace. Only the classes named in the trace leave the host, never its text:
// traces quote connection strings.
enum class FailureKind {
  kNone,     // not FAILED
  kFencing,  // transient: the leader could not be asked to fence (connection refused, end-of-input, 409, 503,
             // time-out, not leader). Connect never retries it; a restart of the task heals
  kAuthorization,  // a transactional id, topic or cluster right is missing
  kConfiguration,  // ConfigException, validation
  kTransaction,    // transaction timed out, producer fenced by a rival
  kConnector,      // anything else: the connector's own
};

struct TaskStatus {
  int id = 0;
  TaskState state = TaskState::kUnknown;
  std::string worker_id;  // "host:port" of the advertised URL
  FailureKind failure = FailureKind::kNone;
  std::vector<std::string> exceptions;  // class names of the cause chain, outermost first, at most 8

  bool operator==(const TaskStatus&) const = default;
};

enum class ConnectorType { kUnknown, kSource, kSink };

struct ConnectorStatus {
  std::string name;
  ConnectorType type = ConnectorType::kUnknown;
  std::string connector_class;
  TaskState state = TaskState::kUnknown;  // the connector's own
  std::string worker_id;
  FailureKind failure = FailureKind::kNone;
  std::vector<TaskStatus> tasks;

  bool operator==(const ConnectorStatus&) const = default;
};

inline constexpr char kUnknownUser[] = "?";

// Those parts of a connector's configuration that exactly-once depends on; no secret is among them.
struct ConnectorSettings {
  std::string connector_class{};
  std::string exactly_once_support{};  // exactly.once.support; empty: not set, which means "requested"
  std::string boundary{};              // transaction.boundary; empty: not set, which means "poll"
  std::optional<int64_t> boundary_interval_ms{};    // transaction.boundary.interval.ms
  std::string offsets_topic{};                      // offsets.storage.topic; empty: the worker's
  std::optional<int64_t> transaction_timeout_ms{};  // producer.override.transaction.timeout.ms
  bool other_cluster = false;  // producer.override.bootstrap.servers: its records go to a cluster of its own
  int tasks_max = 1;
  // User names in …override.sasl.jaas.config; empty: the worker's principal; kUnknownUser: its own, not
  // legible here.
  std::string producer_user{};
  std::string consumer_user{};
  std::string admin_user{};
  std::vector<std::string> topics{};  // that it has used, as Connect keeps record of them (KIP-558)

  bool operator==(const ConnectorSettings&) const = default;
};

// Answer of one worker to a validation of exactly.once.support=required.
enum class Probe {
  kUnknown,  // no usable answer (4xx/5xx, or an error text of another version)
  kCapable,  // worker enabled, connector capable
  kWorkerNotEnabled,
  kConnectorNotCapable,  // worker enabled; not with this configuration
  kConnectorUndeclared,  // worker enabled; the connector does not say
};

// Does this answer prove that the worker that gave it runs `enabled`? Nothing for kUnknown.
std::optional<bool> ProvesEnabled(Probe probe);

enum class ReachStep { kReached, kDns, kConnect, kTls, kHttp };

struct Reachability {
  std::string url;
  ReachStep failed_at = ReachStep::kReached;
  std::string message;  // of the failing step; empty when reached
};

std::string_view ToString(TaskState state);
std::string_view ToString(FailureKind kind);
std::string_view ToString(ConnectorType type);
std::string_view ToString(Probe probe);
std::string_view ToString(ReachStep step);

}  // namespace eos
