// The steps that read and write the properties file.
#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include "agent/operations/steps.h"
#include "agent/properties/change.h"
#include "common/files/sha256.h"

namespace eos::operations {
namespace {

StatusOr<properties::Change> Planned(const OperationRecord& record, const std::string& bytes, World& world) {
  EOS_ASSIGN_OR_RETURN(const auto remembered, world.ledger.ReadDelay(record.request.worker));
  return properties::Apply(bytes, record.request.mode, record.request.delay, record.request.temporary_delay,
                           remembered, record.accepted);
}

Status ChangedUnderUs(const OperationRecord& record) {
  return Err(
      Reason::kFileChanged,
      fmt::format(
          "changing the properties file of worker \"{}\": somebody else changed it since it was planned; "
          "it was left as it is",
          record.request.worker),
      "see who writes it (configuration management?), then run apply again");
}

// All that is decided before anything shows: nothing but our own records is written here.
Status Prepare(OperationRecord& record, World& world) {
  EOS_RETURN_IF_ERROR(world.may_act());
  EOS_ASSIGN_OR_RETURN(const std::string bytes, world.host.ReadFile());
  record.old_sha256 = Sha256Hex(bytes);
  if (record.old_sha256 != record.request.expected_sha256) return ChangedUnderUs(record);
  EOS_ASSIGN_OR_RETURN(record.old_process, world.host.Process());
  EOS_ASSIGN_OR_RETURN(const properties::Change change, Planned(record, bytes, world));
  record.new_sha256 = Sha256Hex(change.bytes);
  EOS_RETURN_IF_ERROR(world.ledger.KeepOldBytes(record.request.id, bytes));
  // Before the file says it: whoever dies in between, the user's value is not lost (S8).
  if (record.request.delay == DelayChange::kSetTemporary && change.temporary) {
    EOS_RETURN_IF_ERROR(world.ledger.WriteDelay(record.request.worker, change.temporary));
  }
  return OkStatus();
}

}  // namespace

void ForgetStaleDelay(const std::string& worker, World& world) {
  const auto remembered = world.ledger.ReadDelay(worker);
  if (!remembered.ok() || !*remembered) return;
  const auto bytes = world.host.ReadFile();
  if (!bytes.ok()) return;
  std::vector<Problem> ignored;
  const auto facts = properties::FactsOf(*bytes, ignored);
  if (!facts.ok() || facts->delay == (*remembered)->value) return;
  const Status forgotten = world.ledger.WriteDelay(worker, std::nullopt);
  if (!forgotten.ok()) spdlog::warn("worker {}: {}", worker, std::string(forgotten.message()));
}

Next Accept(OperationRecord& record, World& world) {
  if (const Status status = Prepare(record, world); !status.ok()) return Fail(record, world, status);
  if (record.old_sha256 == record.new_sha256 && !record.request.restart) {
    return Finish(record, world, OperationOutcome::kUnchanged);
  }
  if (!Enter(record, world, OperationStep::kBackedUp)) {
    return Fail(record, world, Err(CannotRecord()));
  }
  return Next::kAgain;
}

Next ReplaceFile(OperationRecord& record, World& world) {
  const auto bytes = world.host.ReadFile();
  if (!bytes.ok()) return Fail(record, world, bytes.status());
  const std::string now = Sha256Hex(*bytes);
  if (now != record.new_sha256) {
    if (now != record.old_sha256) return Fail(record, world, ChangedUnderUs(record));
    // Once more: the agent may have been away since it took the operation in.
    if (const Status fence = world.may_act(); !fence.ok()) return Fail(record, world, fence);
    const auto change = Planned(record, *bytes, world);
    if (!change.ok()) return Fail(record, world, change.status());
    if (const Status replaced = world.host.ReplaceFile(record.old_sha256, change->bytes); !replaced.ok()) {
      return Fail(record, world, replaced);
    }
    // What was planned may differ from what was recorded only if the delay's memory changed in between.
    record.new_sha256 = Sha256Hex(change->bytes);
  }
  Enter(record, world, OperationStep::kFileReplaced);
  return Next::kAgain;
}

Next AfterReplacing(OperationRecord& record, World& world) {
  if (!record.request.restart) {
    return Finish(
        record, world,
        record.old_sha256 == record.new_sha256 ? OperationOutcome::kUnchanged : OperationOutcome::kDone);
  }
  Enter(record, world, OperationStep::kStopping);
  return Next::kAgain;
}

Next RestoreFile(OperationRecord& record, World& world) {
  const auto bytes = world.host.ReadFile();
  const auto old = world.ledger.OldBytes(record.request.id);
  Status restored = bytes.ok() ? old.status() : bytes.status();
  if (restored.ok() && Sha256Hex(*bytes) != record.old_sha256) {
    restored = Sha256Hex(*bytes) == record.new_sha256 ? world.host.ReplaceFile(record.new_sha256, *old)
                                                      : ChangedUnderUs(record);
  }
  if (!restored.ok() && record.problem) {
    // The worker is started all the same: on whatever the file says, it is better tried than left down (S7).
    record.problem->message +=
        fmt::format("; the old bytes could not be put back: {}", std::string(restored.message()));
  }
  Enter(record, world, OperationStep::kRestarting);
  return Next::kAgain;
}

}  // namespace eos::operations
