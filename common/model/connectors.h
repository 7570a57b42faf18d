// Connectors and tasks as a worker's REST tells them, and the fixed questions about them.
#pragma once

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
