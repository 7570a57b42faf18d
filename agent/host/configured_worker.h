// One configured worker on this host as a whole: what an operation needs of it, and all facts about it.
#pragma once

#include <memory>
#include <string>

#include "agent/operations/worker_host.h"
#include "agent/service/service_manager.h"
#include "agent/worker/log_source.h"
#include "agent/worker/process_table.h"
#include "agent/worker/rest_client.h"
#include "common/base/clock.h"
#include "common/files/file_system.h"

namespace eos::host {

struct WorkerIdentity {
  std::string name;
  std::string fleet;
  std::string advertised_url;
  std::string properties_file;  // as configured; may be a link
};

// Observe may be called by any thread at any time, beside the runner's.
class ConfiguredWorker final : public operations::WorkerHost {
 public:
  // `log` may be null: none configured. The parts are owned.
  ConfiguredWorker(WorkerIdentity identity, FileSystem& files, const worker::ProcessTable& processes,
                   std::unique_ptr<service::ServiceManager> service, std::unique_ptr<worker::LogSource> log,
                   std::unique_ptr<worker::RestClient> rest);
  ~ConfiguredWorker() override;

  const WorkerIdentity& identity() const;
  worker::RestClient& rest();

  // Facts from file, process, service, log and REST; `temporary_delay` and `running_operation` are the
  // caller's. Adds as problems, beside what could not be learned: another file on the JVM's command line
  // (kFileNotInUse), standalone (kWorkerStandalone), below 3.3.0 (kWorkerTooOld), several JVMs for one file
  // (kConflict).
  WorkerFacts Observe();

  // Start-up check: file readable as Kafka reads it and writable (with its folder), unit or commands there.
  // The first that fails.
  Status Check();

  // Removes what a crash of this program left beside the properties file. Once, before anything writes it.
  Status Tidy();

  StatusOr<std::string> ReadFile() override;
  Status ReplaceFile(const std::string& expected_sha256, const std::string& bytes) override;
  StatusOr<std::optional<ProcessFacts>> Process() override;
  bool Alive(const ProcessFacts& process) override;
  StatusOr<ServiceState> Service() override;
  bool RestartsByItself() const override;
  Status RequestRestart() override;
  Status RequestStop() override;
  Status RequestStart() override;
  bool RestAnswers() override;
  Death WhyDied(const ProcessFacts& process) override;
  std::optional<int> ExitStatus() override;
  void AwaitEvent(Millis limit) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace eos::host
