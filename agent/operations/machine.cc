#include "agent/operations/machine.h"

#include <spdlog/spdlog.h>

#include "agent/operations/steps.h"

namespace eos::operations {

namespace {

constexpr Millis kRecordAgain{5'000};

// From here on an operation is finished by whoever finds it; before that only under the lease (see
// ReplaceFile).
bool Irreversible(OperationStep step) {
  return step != OperationStep::kAccepted && step != OperationStep::kBackedUp;
}

}  // namespace

Problem CannotRecord() {
  return {Reason::kStorageFailed, "recording the operation: the state directory cannot be written",
          "make room in eos-agent's state_directory"};
}

bool Enter(OperationRecord& record, World& world, OperationStep step) {
  record.step = step;
  record.updated = world.clock.Now();
  world.progress.step_began = world.clock.SinceBoot();
  world.progress.requested = false;
  world.progress.dead_since.reset();
  const Status written = world.ledger.WriteOperation(record);
  if (!written.ok()) spdlog::error("operation {}: {}", record.request.id, std::string(written.message()));
  return written.ok();
}

Next Finish(OperationRecord& record, World& world, OperationOutcome outcome, std::optional<Problem> problem) {
  if (world.progress.unrecorded && world.clock.SinceBoot() - *world.progress.unrecorded < kRecordAgain) {
    return Next::kWait;
  }
  ForgetStaleDelay(record.request.worker, world);
  record.outcome = outcome;
  if (problem) record.problem = std::move(problem);
  // A refusal that a later try overcame is no news; an unclean stop is.
  const bool went_well = outcome == OperationOutcome::kDone || outcome == OperationOutcome::kUnchanged;
  if (went_well && record.problem && record.problem->reason != Reason::kStopTimeout) record.problem.reset();
  const OperationStep before = record.step;
  Progress progress = world.progress;
  if (Enter(record, world, OperationStep::kFinished) || !Irreversible(before)) return Next::kFinished;
  // The agent's next start would go on from `before`, maybe days later: it is not over until that is
  // recorded.
  record.step = before;
  progress.unrecorded = world.clock.SinceBoot();
  world.progress = progress;
  record.outcome = OperationOutcome::kPending;
  if (!record.problem) record.problem = CannotRecord();
  return Next::kWait;
}

Next Fail(OperationRecord& record, World& world, const Status& status) {
  return Finish(record, world, OperationOutcome::kFailed, ProblemOf(status));
}

void Resume(const OperationRecord& record, World& world) {
  world.progress = {};
  world.progress.step_began = world.clock.SinceBoot();
  world.progress.start_began = world.clock.SinceBoot();
  world.progress.requested_wall = record.updated;  // a start is recorded before it is asked for
}

Next Advance(OperationRecord& record, World& world) {
  switch (record.step) {
    case OperationStep::kAccepted:
      return Accept(record, world);
    case OperationStep::kBackedUp:
      return ReplaceFile(record, world);
    case OperationStep::kFileReplaced:
      return AfterReplacing(record, world);
    case OperationStep::kStopping:
      return Stop(record, world);
    case OperationStep::kStarting:
      return Start(record, world);
    case OperationStep::kProcessUp:
      return AwaitRest(record, world);
    case OperationStep::kRestUp:
      return Finish(record, world, OperationOutcome::kDone);
    case OperationStep::kRestoring:
      return RestoreFile(record, world);
    case OperationStep::kRestarting:
      return StartOnOldBytes(record, world);
    case OperationStep::kFinished:
      return Next::kFinished;
  }
  return Next::kFinished;
}

}  // namespace eos::operations
