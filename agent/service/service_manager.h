// Who stops and starts the Connect service of one worker.
#pragma once

#include "common/base/error.h"
#include "common/model/worker_facts.h"

namespace eos::service {

// Requests return when the manager took them, not when they have come true: look at the process (a return
// value of a service manager proves nothing: Type=simple units are "active" at fork). Thread-safe; calls may
// take seconds, never more than 30 s. Errors: kServiceNotFound, kServiceDenied (with the polkit rule to add),
// kServiceFailed.
class ServiceManager {
 public:
  virtual ~ServiceManager() = default;

  virtual StatusOr<ServiceFacts> Look() = 0;
  virtual StatusOr<std::optional<int>> MainPid() = 0;  // where the manager knows one

  virtual Status RequestStop() = 0;
  virtual Status RequestStart() = 0;  // running already: OK
  // Stop and start as one job that the manager finishes even if this program dies.
  // Only where RestartsByItself().
  virtual Status RequestRestart() = 0;
  virtual bool RestartsByItself() const = 0;

  // Start-up and preflight: does the unit or the command exist, and may we use it? Changes nothing.
  virtual Status Check() = 0;
};

}  // namespace eos::service
