// What an operation needs of the host that it works on. The real one is agent/host; tests and the simulation
// bring their own.
#pragma once

#include <optional>
#include <string>

#include "common/base/error.h"
#include "common/model/death.h"
#include "common/model/operation.h"
#include "common/model/worker_facts.h"

namespace eos::operations {

// One configured worker. Called by one thread at a time (the runner's for this worker). No method waits for
// the world to change, except AwaitEvent.
class WorkerHost {
 public:
  virtual ~WorkerHost() = default;

  virtual StatusOr<std::string> ReadFile() = 0;  // the properties file's bytes
  // Replaces them atomically if they still have this digest: kFileChanged, kFileWriteFailed (nothing changed
  // then).
  virtual Status ReplaceFile(const std::string& expected_sha256, const std::string& bytes) = 0;

  virtual StatusOr<std::optional<ProcessFacts>> Process() = 0;  // kConflict if several JVMs name the file
  virtual bool Alive(const ProcessFacts& process) = 0;
  virtual StatusOr<ServiceState> Service() = 0;

  virtual bool RestartsByItself() const = 0;
  virtual Status RequestRestart() = 0;
  virtual Status RequestStop() = 0;
  virtual Status RequestStart() = 0;

  virtual bool RestAnswers() = 0;
  virtual Death WhyDied(const ProcessFacts& process) = 0;
  // Exit status of the service's last main process, where the manager knows.
  virtual std::optional<int> ExitStatus() = 0;

  // Returns when something may have changed (a process went away), at the latest after `limit`.
  virtual void AwaitEvent(Millis limit) = 0;
};

}  // namespace eos::operations
