#include "common/base/error.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

#include "absl/strings/cord.h"

namespace eos {
namespace {

constexpr char kReasonUrl[] = "connect-eos/reason";
constexpr char kFixUrl[] = "connect-eos/fix";

// gRPC's litmus test (doc/statuscodes.md): UNAVAILABLE repeats the call, ABORTED the sequence,
// FAILED_PRECONDITION needs a person.
absl::StatusCode CodeOf(Reason reason) {
  switch (reason) {
    case Reason::kUsage:
    case Reason::kInvalidArgument:
      return absl::StatusCode::kInvalidArgument;
    case Reason::kNotFound:
    case Reason::kServiceNotFound:
      return absl::StatusCode::kNotFound;
    case Reason::kConflict:
      return absl::StatusCode::kAlreadyExists;
    case Reason::kUnauthenticated:
      return absl::StatusCode::kUnauthenticated;
    case Reason::kPermissionDenied:
      return absl::StatusCode::kPermissionDenied;
    case Reason::kLeaseLost:
    case Reason::kFileChanged:
      return absl::StatusCode::kAborted;
    case Reason::kUnreachable:
    case Reason::kRestUnavailable:
    case Reason::kGroupUnreadable:
      return absl::StatusCode::kUnavailable;
    case Reason::kTimeout:
      return absl::StatusCode::kDeadlineExceeded;
    case Reason::kLedgerDamaged:
      return absl::StatusCode::kDataLoss;
    case Reason::kInterrupted:
    case Reason::kPaused:
      return absl::StatusCode::kCancelled;
    case Reason::kInternal:
    case Reason::kUnspecified:
      return absl::StatusCode::kInternal;
    default:
      return absl::StatusCode::kFailedPrecondition;
  }
}

}  // namespace

Status Err(Reason reason, std::string message, std::string fix) {
  Status status(CodeOf(reason), message);
  status.SetPayload(kReasonUrl, absl::Cord(std::to_string(static_cast<int>(reason))));
  if (!fix.empty()) status.SetPayload(kFixUrl, absl::Cord(fix));
  return status;
}

Status Err(const Problem& problem) { return Err(problem.reason, problem.message, problem.fix); }

Reason ReasonOf(const Status& status) {
  if (status.ok()) return Reason::kUnspecified;
  const auto payload = status.GetPayload(kReasonUrl);
  if (!payload) return Reason::kInternal;
  const std::string text(*payload);
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return Info(static_cast<Reason>(number)).reason;
}

Problem ProblemOf(const Status& status) {
  if (status.ok()) return {};
  const auto fix = status.GetPayload(kFixUrl);
  return {ReasonOf(status), std::string(status.message()), fix ? std::string(*fix) : std::string()};
}

Status Annotate(const Status& status, const std::string& attempt) {
  if (status.ok()) return status;
  Problem problem = ProblemOf(status);
  return Err(problem.reason, attempt + ": " + problem.message, problem.fix);
}

std::string Render(const Problem& problem) {
  return problem.fix.empty() ? problem.message : problem.message + "\nTo fix: " + problem.fix;
}

std::string Render(const Status& status) { return Render(ProblemOf(status)); }

}  // namespace eos
