#include "common/model/operation.h"

#include <fmt/format.h>

#include <algorithm>

namespace eos {
namespace {

bool IsOperationId(std::string_view id) {
  return id.size() >= 8 && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

bool IsSha256(std::string_view hex) {
  return hex.size() == 64 && std::all_of(hex.begin(), hex.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

Status CheckRange(std::string_view what, Millis value, Millis low, Millis high) {
  if (value >= low && value <= high) return OkStatus();
  return Err(Reason::kInvalidArgument, fmt::format("{} is {} ms; it must be {} to {} ms", what, value.count(),
                                                   low.count(), high.count()));
}

}  // namespace

std::string_view ToString(DelayChange change) {
  switch (change) {
    case DelayChange::kKeep:
      return "keep";
    case DelayChange::kSetTemporary:
      return "set-temporary";
    case DelayChange::kPutBack:
      return "put-back";
  }
  return "?";
}

std::string_view ToString(OperationStep step) {
  switch (step) {
    case OperationStep::kAccepted:
      return "accepted";
    case OperationStep::kBackedUp:
      return "backed-up";
    case OperationStep::kFileReplaced:
      return "file-replaced";
    case OperationStep::kStopping:
      return "stopping";
    case OperationStep::kStarting:
      return "starting";
    case OperationStep::kProcessUp:
      return "process-up";
    case OperationStep::kRestUp:
      return "rest-up";
    case OperationStep::kRestoring:
      return "restoring";
    case OperationStep::kRestarting:
      return "restarting";
    case OperationStep::kFinished:
      return "finished";
  }
  return "?";
}

std::string_view ToString(OperationOutcome outcome) {
  switch (outcome) {
    case OperationOutcome::kPending:
      return "pending";
    case OperationOutcome::kDone:
      return "done";
    case OperationOutcome::kUnchanged:
      return "unchanged";
    case OperationOutcome::kRolledBack:
      return "rolled-back";
    case OperationOutcome::kFailed:
      return "failed";
  }
  return "?";
}

Status Validate(const OperationRequest& request) {
  using std::chrono::hours;
  using std::chrono::seconds;
  if (!IsOperationId(request.id)) {
    return Err(Reason::kInvalidArgument, "operation id is not 8 to 64 characters of a-z, 0-9 and '-'");
  }
  if (request.worker.empty()) return Err(Reason::kInvalidArgument, "operation names no worker");
  if (!IsSha256(request.expected_sha256)) {
    return Err(Reason::kInvalidArgument, "expected digest is not a SHA-256 in lower-case hex");
  }
  if (request.delay == DelayChange::kSetTemporary) {
    EOS_RETURN_IF_ERROR(CheckRange("temporary delay", request.temporary_delay, Millis(0), hours(24)));
  }
  EOS_RETURN_IF_ERROR(CheckRange("stop limit", request.stop_limit, seconds(1), hours(1)));
  return CheckRange("start limit", request.start_limit, seconds(1), hours(1));
}

}  // namespace eos
