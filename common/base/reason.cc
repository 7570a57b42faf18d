#include "common/base/reason.h"

#include <algorithm>
#include <array>

namespace eos {
namespace {

constexpr std::array kReasons = std::to_array<ReasonInfo>({
    {Reason::kUnspecified, "UNSPECIFIED", ExitCode::kRefused, false},
    {Reason::kUsage, "USAGE", ExitCode::kUsage, false},
    {Reason::kInvalidArgument, "INVALID_ARGUMENT", ExitCode::kUsage, false},
    {Reason::kNotFound, "NOT_FOUND", ExitCode::kUsage, false},
    {Reason::kConflict, "CONFLICT", ExitCode::kRefused, true},
    {Reason::kUnauthenticated, "UNAUTHENTICATED", ExitCode::kUnreachable, false},
    {Reason::kPermissionDenied, "PERMISSION_DENIED", ExitCode::kRefused, false},
    {Reason::kLeaseHeld, "LEASE_HELD", ExitCode::kRefused, true},
    {Reason::kLeaseLost, "LEASE_LOST", ExitCode::kStopped, false},
    {Reason::kCertificateExpired, "CERTIFICATE_EXPIRED", ExitCode::kUnreachable, false},
    {Reason::kCertificateNotYetValid, "CERTIFICATE_NOT_YET_VALID", ExitCode::kUnreachable, false},
    {Reason::kCertificateUntrusted, "CERTIFICATE_UNTRUSTED", ExitCode::kUnreachable, false},
    {Reason::kCertificateNameMismatch, "CERTIFICATE_NAME_MISMATCH", ExitCode::kUnreachable, false},
    {Reason::kCertificateInvalid, "CERTIFICATE_INVALID", ExitCode::kRefused, false},
    {Reason::kClockSkew, "CLOCK_SKEW", ExitCode::kRefused, false},
    {Reason::kUnreachable, "UNREACHABLE", ExitCode::kUnreachable, true},
    {Reason::kTimeout, "TIMEOUT", ExitCode::kUnreachable, true},
    {Reason::kVersionMismatch, "VERSION_MISMATCH", ExitCode::kUnreachable, false},
    {Reason::kFileUnreadable, "FILE_UNREADABLE", ExitCode::kRefused, false},
    {Reason::kFileUnparsable, "FILE_UNPARSABLE", ExitCode::kRefused, false},
    {Reason::kFileChanged, "FILE_CHANGED", ExitCode::kStopped, false},
    {Reason::kFileIndirect, "FILE_INDIRECT", ExitCode::kRefused, false},
    {Reason::kFileWriteFailed, "FILE_WRITE_FAILED", ExitCode::kRefused, false},
    {Reason::kFileNotInUse, "FILE_NOT_IN_USE", ExitCode::kRefused, false},
    {Reason::kFileValueInvalid, "FILE_VALUE_INVALID", ExitCode::kRefused, false},
    {Reason::kServiceNotFound, "SERVICE_NOT_FOUND", ExitCode::kRefused, false},
    {Reason::kServiceDenied, "SERVICE_DENIED", ExitCode::kRefused, false},
    {Reason::kServiceFailed, "SERVICE_FAILED", ExitCode::kStopped, false},
    {Reason::kStopTimeout, "STOP_TIMEOUT", ExitCode::kStopped, false},
    {Reason::kStartTimeout, "START_TIMEOUT", ExitCode::kStopped, false},
    {Reason::kConfigRejected, "CONFIG_REJECTED", ExitCode::kStopped, false},
    {Reason::kWorkerDied, "WORKER_DIED", ExitCode::kStopped, false},
    {Reason::kWorkerDown, "WORKER_DOWN", ExitCode::kRefused, true},
    {Reason::kWorkerStandalone, "WORKER_STANDALONE", ExitCode::kRefused, false},
    {Reason::kWorkerTooOld, "WORKER_TOO_OLD", ExitCode::kRefused, false},
    {Reason::kRestUnavailable, "REST_UNAVAILABLE", ExitCode::kRefused, true},
    {Reason::kStrangerInGroup, "STRANGER_IN_GROUP", ExitCode::kRefused, false},
    {Reason::kMemberMissing, "MEMBER_MISSING", ExitCode::kRefused, true},
    {Reason::kGroupUnreadable, "GROUP_UNREADABLE", ExitCode::kUnreachable, true},
    {Reason::kDuplicateIdentity, "DUPLICATE_IDENTITY", ExitCode::kRefused, false},
    {Reason::kForbiddenMix, "FORBIDDEN_MIX", ExitCode::kRefused, false},
    {Reason::kModeUnknown, "MODE_UNKNOWN", ExitCode::kRefused, false},
    {Reason::kTaskFailed, "TASK_FAILED", ExitCode::kStopped, false},
    {Reason::kGateTimeout, "GATE_TIMEOUT", ExitCode::kStopped, true},
    {Reason::kForeignChange, "FOREIGN_CHANGE", ExitCode::kStopped, false},
    {Reason::kInterrupted, "INTERRUPTED", ExitCode::kInterrupted, false},
    {Reason::kPaused, "PAUSED", ExitCode::kPaused, false},
    {Reason::kTopicUnreadable, "TOPIC_UNREADABLE", ExitCode::kInconclusive, false},
    {Reason::kProofFailed, "PROOF_FAILED", ExitCode::kProofFailed, false},
    {Reason::kInconclusive, "INCONCLUSIVE", ExitCode::kInconclusive, true},
    {Reason::kLedgerDamaged, "LEDGER_DAMAGED", ExitCode::kRefused, false},
    {Reason::kStorageFailed, "STORAGE_FAILED", ExitCode::kRefused, false},
    {Reason::kInternal, "INTERNAL", ExitCode::kRefused, false},
});

}  // namespace

const ReasonInfo& Info(Reason reason) {
  const auto* found = std::find_if(kReasons.begin(), kReasons.end(),
                                   [reason](const ReasonInfo& row) { return row.reason == reason; });
  return found == kReasons.end() ? kReasons.front() : *found;
}

std::span<const ReasonInfo> AllReasons() { return kReasons; }

}  // namespace eos
