// Why something did not go as asked, for programs. One list for both programs and the wire
// (proto/eos/agent/v1/failure.proto carries the same numbers; common/wire checks that at compile time).
//
// Adding one: here, in the table of reason.cc, in failure.proto, and in docs/errors.md (a test compares).
#pragma once

#include <span>
#include <string_view>

namespace eos {

enum class Reason : int {
  kUnspecified = 0,  // never sent on purpose; a newer peer's unknown number is read as this

  // 1..: what was asked
  kUsage = 1,            // command line or configuration cannot be understood
  kInvalidArgument = 2,  // a request names something that cannot be (range, form)
  kNotFound = 3,         // a worker, operation or connector of that name is not here
  kConflict = 4,         // same id, other content; or another operation is running on that worker (BUSY)

  // 10..: who asks
  kUnauthenticated = 10,   // no certificate, or none that the CA signed
  kPermissionDenied = 11,  // the certificate's URI/DNS SAN is not on the allow-list
  kLeaseHeld = 12,         // somebody else holds the fleet's lease; the message names the holder
  kLeaseLost = 13,         // the lease's epoch is not the current one any more (fenced), or it ran out
  kCertificateExpired = 14,
  kCertificateNotYetValid = 15,   // usually a wrong clock
  kCertificateUntrusted = 16,     // signed by another CA
  kCertificateNameMismatch = 17,  // SANs do not hold the name that was dialled
  kCertificateInvalid = 18,       // unreadable, key does not match, key file's mode too open
  kClockSkew = 19,

  // 30..: who does not answer
  kUnreachable = 30,  // connection refused, no route, no name, time-out while connecting
  kTimeout = 31,      // connected, but no answer in time
  kVersionMismatch = 32,

  // 40..: the properties file
  kFileUnreadable = 40,
  kFileUnparsable = 41,    // Kafka could not load it (malformed \u escape)
  kFileChanged = 42,       // somebody else changed it since it was planned or read
  kFileIndirect = 43,      // the value comes from a config provider: ${…}
  kFileWriteFailed = 44,   // nothing was changed
  kFileNotInUse = 45,      // the running JVM names another file
  kFileValueInvalid = 46,  // Kafka would refuse the value of an allowed key at the next start

  // 60..: the service and its process
  kServiceNotFound = 60,
  kServiceDenied = 61,  // polkit or D-Bus: not allowed to manage the unit
  kServiceFailed = 62,  // stop or start command failed, start limit hit
  kStopTimeout = 63,
  kStartTimeout = 64,    // the process lives but REST does not answer within the limit
  kConfigRejected = 65,  // the worker exited because it refuses its configuration; old bytes are back
  kWorkerDied = 66,      // the worker exited for another cause
  kWorkerDown = 67,      // a worker is down that should be up
  kWorkerStandalone = 68,
  kWorkerTooOld = 69,     // below 3.3.0
  kRestUnavailable = 70,  // the worker's REST did not answer, or not as Connect does

  // 80..: the fleet and its gates
  kStrangerInGroup = 80,    // a live group member that is in no inventory
  kMemberMissing = 81,      // an inventoried worker is not in the group
  kGroupUnreadable = 82,    // Kafka did not tell the group's state
  kDuplicateIdentity = 83,  // two workers with one advertised URL, or a loopback one on a multi-host fleet
  kForbiddenMix = 84,       // enabled and disabled side by side
  kModeUnknown = 85,        // no evidence tells what a worker runs
  kTaskFailed = 86,         // FAILED for cause
  kGateTimeout = 87,        // a gate did not open within its limit; the message names what was missing
  kForeignChange = 88,      // somebody else restarted a worker or changed a file in mid-rollout
  kInterrupted = 89,
  kPaused = 90,  // the rollout went as far as this run was allowed to

  // 91..: evidence from Kafka
  kTopicUnreadable =
      91,  // a topic that the proof needs: a right is missing, it is not there, or of no known format
  kProofFailed = 92,   // evidence against exactly-once
  kInconclusive = 93,  // evidence for it is missing

  // 100..: the agent's own memory
  kLedgerDamaged = 100,  // a record is truncated, altered or foreign
  kStorageFailed = 101,  // the state directory cannot be written

  kInternal = 120,  // a bug of ours
};

// Exit codes of both programs (docs/errors.md).
enum class ExitCode : int {
  kDone = 0,
  kChangesPending = 1,  // `plan` only
  kUsage = 2,
  kRefused = 3,
  kStopped = 4,  // in mid-rollout; safe, resumable
  kUnreachable = 5,
  kProofFailed = 6,
  kInconclusive = 7,
  kPaused =
      8,  // as far as --limit, --canary, --pause-between-phases or --deadline let it; healthy, resumable
  kInterrupted = 130,
};

struct ReasonInfo {
  Reason reason;
  std::string_view name;  // "LEASE_HELD": upper snake, stable, for programs
  ExitCode exit_code;     // when nothing more special applies
  bool retry_helps;       // the same call may succeed later without anybody doing anything
};

const ReasonInfo& Info(Reason reason);  // an unknown number answers as kUnspecified
std::span<const ReasonInfo> AllReasons();

}  // namespace eos
