#include "common/model/connectors.h"

namespace eos {

std::optional<bool> ProvesEnabled(Probe probe) {
  switch (probe) {
    case Probe::kUnknown:
      return std::nullopt;
    case Probe::kWorkerNotEnabled:
      return false;
    case Probe::kCapable:
    case Probe::kConnectorNotCapable:
    case Probe::kConnectorUndeclared:
      return true;
  }
  return std::nullopt;
}

std::string_view ToString(TaskState state) {
  switch (state) {
    case TaskState::kUnknown:
      return "UNKNOWN";
    case TaskState::kUnassigned:
      return "UNASSIGNED";
    case TaskState::kRunning:
      return "RUNNING";
    case TaskState::kPaused:
      return "PAUSED";
    case TaskState::kFailed:
      return "FAILED";
    case TaskState::kRestarting:
      return "RESTARTING";
    case TaskState::kStopped:
      return "STOPPED";
    case TaskState::kDestroyed:
      return "DESTROYED";
  }
  return "?";
}

std::string_view ToString(FailureKind kind) {
  switch (kind) {
    case FailureKind::kNone:
      return "none";
    case FailureKind::kFencing:
      return "fencing";
    case FailureKind::kAuthorization:
      return "authorization";
    case FailureKind::kConfiguration:
      return "configuration";
    case FailureKind::kTransaction:
      return "transaction";
    case FailureKind::kConnector:
      return "connector";
  }
  return "?";
}

std::string_view ToString(ConnectorType type) {
  switch (type) {
    case ConnectorType::kUnknown:
      return "unknown";
    case ConnectorType::kSource:
      return "source";
    case ConnectorType::kSink:
      return "sink";
  }
  return "?";
}

std::string_view ToString(Probe probe) {
  switch (probe) {
    case Probe::kUnknown:
      return "unknown";
    case Probe::kCapable:
      return "capable";
    case Probe::kWorkerNotEnabled:
      return "worker-not-enabled";
    case Probe::kConnectorNotCapable:
      return "connector-not-capable";
    case Probe::kConnectorUndeclared:
      return "connector-does-not-say";
  }
  return "?";
}

std::string_view ToString(ReachStep step) {
  switch (step) {
    case ReachStep::kReached:
      return "reached";
    case ReachStep::kDns:
      return "dns";
    case ReachStep::kConnect:
      return "connect";
    case ReachStep::kTls:
      return "tls";
    case ReachStep::kHttp:
      return "http";
  }
  return "?";
}

}  // namespace eos
