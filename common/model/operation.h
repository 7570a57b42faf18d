// One change plus restart on one worker, as the controller asks for it and as the agent records it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/error.h"
#include "common/base/time.h"
#include "common/model/mode.h"
#include "common/model/worker_facts.h"

namespace eos {

enum class DelayChange {
  kKeep,          // leave kDelayKey alone
  kSetTemporary,  // write `temporary_delay`; the agent remembers the user's bytes, or that there were none
  kPutBack,       // write the remembered bytes again, or remove the line that kSetTemporary added
};

struct OperationRequest {
  std::string id;             // chosen by the controller: 8–64 of [a-z0-9-]
  std::string worker;         // name in the agent's configuration
  std::string lease_session;  // who asks; with `lease_epoch` the fence
  uint64_t lease_epoch = 0;
  std::string expected_sha256;  // of the file that was planned; another one is refused (kFileChanged)
  std::optional<Mode> mode;     // absent: leave kModeKey alone
  DelayChange delay = DelayChange::kKeep;
  Millis temporary_delay{};     // for kSetTemporary: 0 … 24 h
  bool restart = true;          // false: change the file only
  Millis stop_limit{180'000};   // 1 s … 1 h: until the old process is gone
  Millis start_limit{600'000};  // 1 s … 1 h: from start until REST answers

  bool operator==(const OperationRequest&) const = default;
};

// In the order in which an operation passes them; recorded before the step is carried out.
enum class OperationStep {
  kAccepted,      // recorded; nothing done
  kBackedUp,      // the old bytes are kept beside the record
  kFileReplaced,  // the new bytes are in force
  kStopping,      // stop was asked for; `old_process` must go
  kStarting,      // start was asked for; a new process must come
  kProcessUp,     // `new_process` is known
  kRestUp,        // its REST answers
  kRestoring,     // the old bytes are being put back (the worker rejected the new ones, or died on them)
  kRestarting,    // the worker is being started on the old bytes
  kFinished,      // see `outcome`
};

enum class OperationOutcome {
  kPending,     // not finished
  kDone,        // changed (where needed) and running
  kUnchanged,   // nothing needed changing and no restart was asked for
  kRolledBack,  // the worker runs again on the old bytes; `problem` says why
  kFailed,      // `problem` says what is left in which state
};

struct OperationRecord {
  OperationRequest request;
  OperationStep step = OperationStep::kAccepted;
  OperationOutcome outcome = OperationOutcome::kPending;
  std::optional<Problem> problem;
  std::string caller;  // SAN of the certificate that asked
  Time accepted;
  Time updated;
  std::string old_sha256;
  std::string new_sha256;
  std::optional<ProcessFacts> old_process;
  std::optional<ProcessFacts> new_process;
  int starts = 0;  // how often a start was asked for: shows that nothing was done twice

  bool finished() const { return step == OperationStep::kFinished; }
  bool operator==(const OperationRecord&) const = default;
};

std::string_view ToString(DelayChange change);
std::string_view ToString(OperationStep step);
std::string_view ToString(OperationOutcome outcome);

// Form and ranges of the request as the comments above give them; kInvalidArgument.
Status Validate(const OperationRequest& request);

}  // namespace eos
