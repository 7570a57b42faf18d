// The steps that stop and start the worker, and watch it come up.
#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include "agent/operations/steps.h"

namespace eos::operations {
namespace {

// A service that a start was asked for may look stopped for a moment (a restart job between its two halves).
constexpr Millis kDeadForGood{2'000};
// Between two requests for the same thing, where the first had no effect.
constexpr Millis kAskAgain{5'000};

Millis Elapsed(Millis since, const World& world) { return world.clock.SinceBoot() - since; }

// A process of the worker that is not the one that was to go.
std::optional<ProcessFacts> NewProcess(const OperationRecord& record, World& world) {
  const auto process = world.host.Process();
  if (!process.ok() || !*process) return std::nullopt;
  if (record.old_process && (*process)->SameProcess(*record.old_process)) return std::nullopt;
  return **process;
}

bool Down(const StatusOr<ServiceState>& state) {
  return state.ok() && (*state == ServiceState::kStopped || *state == ServiceState::kFailed);
}

bool Stopping(const StatusOr<ServiceState>& state) { return state.ok() && *state == ServiceState::kStopping; }

void MarkRequested(World& world) {
  world.progress.requested = true;
  world.progress.requested_at = world.clock.SinceBoot();
  world.progress.requested_wall = world.clock.Now();
}

bool MayAsk(const World& world) {
  return !world.progress.requested || Elapsed(world.progress.requested_at, world) >= kAskAgain;
}

// Counts and records the start before it is asked for.
Status AskToStart(OperationRecord& record, World& world, Status (WorkerHost::*request)()) {
  ++record.starts;
  record.updated = world.clock.Now();
  const Status written = world.ledger.WriteOperation(record);
  if (!written.ok()) spdlog::error("operation {}: {}", record.request.id, std::string(written.message()));
  MarkRequested(world);
  return (world.host.*request)();
}

void NoteRefusal(OperationRecord& record, const Status& status) {
  if (!status.ok()) record.problem = ProblemOf(status);
}

Next Restore(OperationRecord& record, World& world, Problem problem) {
  record.problem = std::move(problem);
  Enter(record, world, OperationStep::kRestoring);
  return Next::kAgain;
}

Problem Rejected(const OperationRecord& record) {
  return {Reason::kConfigRejected,
          fmt::format("worker \"{}\" refuses its configuration with the new value (it exited with a "
                      "ConfigException); the "
                      "old bytes are back",
                      record.request.worker),
          "read the first ERROR in the worker's log after its start; correct the file, then run apply again"};
}

Problem Died(const OperationRecord& record) {
  return {
      Reason::kWorkerDied,
      fmt::format(
          "worker \"{}\" died at its start, for a cause that its log does not name; the old bytes are back",
          record.request.worker),
      "read the worker's log; clear the cause, then run apply again"};
}

// What to do about a worker that died on the new bytes. Nothing: the edit is not to blame, it is started
// again; so it is after a first death without a cause (killed, out of memory), since the old bytes may be
// worse: in a fleet that somebody else mixed they say a forbidden mode.
std::optional<Problem> Blame(const OperationRecord& record, World& world, const ProcessFacts& process) {
  const Death death = world.host.WhyDied(process);
  if (death == Death::kKafkaUnreachable) return std::nullopt;
  if (death == Death::kConfigRejected || world.host.ExitStatus() == 2) return Rejected(record);
  if (++world.progress.deaths == 1) return std::nullopt;
  return Died(record);
}

Next TimedOut(OperationRecord& record, World& world) {
  return Finish(
      record, world, OperationOutcome::kFailed,
      Problem{Reason::kStartTimeout,
              fmt::format("worker \"{}\" was started, but its REST did not answer within {}; it was left "
                          "starting, with the new value in its file",
                          record.request.worker, FormatDuration(record.request.start_limit)),
              "see the end of its log (a long plug-in scan?); raise start_limit in fleet.yaml if it is only "
              "slow, then run apply again"});
}

}  // namespace

Next Stop(OperationRecord& record, World& world) {
  if (!record.old_process || !world.host.Alive(*record.old_process)) {
    const bool asked_to_restart = world.progress.requested && world.host.RestartsByItself();
    Enter(record, world, OperationStep::kStarting);
    world.progress.start_began = world.clock.SinceBoot();
    if (asked_to_restart) MarkRequested(world);
    return Next::kAgain;
  }
  if (MayAsk(world) && (!world.progress.requested || !Stopping(world.host.Service()))) {
    if (world.host.RestartsByItself()) {
      NoteRefusal(record, AskToStart(record, world, &WorkerHost::RequestRestart));
    } else {
      MarkRequested(world);
      NoteRefusal(record, world.host.RequestStop());
    }
  }
  if (Elapsed(world.progress.step_began, world) > record.request.stop_limit) {
    const bool refused = record.problem && record.problem->reason != Reason::kStopTimeout;
    if (refused)
      return Finish(record, world, OperationOutcome::kFailed);  // it was never taken: the worker runs on
    if (!record.problem) {
      record.problem =
          Problem{Reason::kStopTimeout,
                  fmt::format("worker \"{}\" was asked to stop, but its process {} is still there after {}; "
                              "it is started again as soon as it goes",
                              record.request.worker, record.old_process->pid,
                              FormatDuration(record.request.stop_limit)),
                  fmt::format("see what holds process {} up; kill it if it hangs", record.old_process->pid)};
      const Status written = world.ledger.WriteOperation(record);
      if (!written.ok()) spdlog::error("operation {}: {}", record.request.id, std::string(written.message()));
    }
  }
  return Next::kWait;
}

Next Start(OperationRecord& record, World& world) {
  if (const auto process = NewProcess(record, world)) {
    record.new_process = process;
    Enter(record, world, OperationStep::kProcessUp);
    return Next::kAgain;
  }
  // A start that failed at once shows as no process at all; what it printed since the request tells why.
  // Looked at before the first request too: an agent that died after the start must not start a refused file
  // again.
  ProcessFacts unseen;
  unseen.started = world.progress.requested_wall;
  if (record.starts > 0 && world.host.WhyDied(unseen) == Death::kConfigRejected) {
    return Restore(record, world, Rejected(record));
  }
  const auto state = world.host.Service();
  const bool down = Down(state);
  if (!world.progress.requested) {
    // After a crash of ours the start may have been asked for already: a service on its way up is left alone.
    if (!state.ok() || down || *state == ServiceState::kUnknown) {
      NoteRefusal(record, AskToStart(record, world, &WorkerHost::RequestStart));
      return Next::kAgain;
    }
    MarkRequested(world);
  }
  if (!down) world.progress.dead_since.reset();
  if (down && !world.progress.dead_since) world.progress.dead_since = world.clock.SinceBoot();
  if (world.progress.dead_since && Elapsed(*world.progress.dead_since, world) >= kDeadForGood) {
    if (const auto blame = Blame(record, world, unseen)) return Restore(record, world, *blame);
    if (MayAsk(world)) NoteRefusal(record, AskToStart(record, world, &WorkerHost::RequestStart));
    world.progress.dead_since.reset();
  }
  if (Elapsed(world.progress.start_began, world) > record.request.start_limit) {
    return Restore(record, world, Died(record));
  }
  return Next::kWait;
}

Next AwaitRest(OperationRecord& record, World& world) {
  if (!world.host.Alive(*record.new_process)) {
    if (const auto blame = Blame(record, world, *record.new_process)) return Restore(record, world, *blame);
    record.old_process = record.new_process;  // the one that must not be taken for the next
    record.new_process.reset();
    Enter(record, world, OperationStep::kStarting);
    return Next::kAgain;
  }
  if (world.host.RestAnswers()) {
    Enter(record, world, OperationStep::kRestUp);
    return Next::kAgain;
  }
  if (Elapsed(world.progress.start_began, world) > record.request.start_limit) return TimedOut(record, world);
  return Next::kWait;
}

Next StartOnOldBytes(OperationRecord& record, World& world) {
  const auto process = world.host.Process();
  const bool runs = process.ok() && process->has_value();
  if (runs && world.host.RestAnswers()) {
    record.new_process = *process;
    return Finish(record, world, OperationOutcome::kRolledBack);
  }
  if (!runs && MayAsk(world)) {
    const Status asked = AskToStart(record, world, &WorkerHost::RequestStart);
    if (!asked.ok()) spdlog::error("operation {}: {}", record.request.id, std::string(asked.message()));
  }
  if (Elapsed(world.progress.step_began, world) > record.request.start_limit) {
    record.problem->message += fmt::format("; it does not come up on them within {} either",
                                           FormatDuration(record.request.start_limit));
    return Finish(record, world, OperationOutcome::kFailed);
  }
  return Next::kWait;
}

}  // namespace eos::operations
