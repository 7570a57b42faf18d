// A Connect worker on a host: properties file, service manager and JVM. It lives on while no agent runs.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "agent/operations/lease_book.h"
#include "agent/operations/worker_host.h"
#include "common/base/clock.h"
#include "tests/fakes/faulty_file_system.h"
#include "tests/simulation/connect.h"
#include "tests/simulation/world.h"

namespace eos::simulation {

class Host;
class Worker;

// Sees what matters for safety at the moment at which it happens.
class Witness {
 public:
  virtual ~Witness() = default;
  virtual void LeaseGranted(const Host& host, const operations::LeaseRequest& request,
                            const Lease& lease) = 0;
  virtual void LeaseReleased(const Host& host, const std::string& session) = 0;
  virtual void Booted(const Host& host) = 0;
  virtual void Accepted(const Host& host, const OperationRequest& request) = 0;
  virtual void StopAsked(const Worker& worker, const std::string& operation) = 0;
  virtual void Parsed(const Worker& worker) = 0;
  virtual void FileChanged(const Worker& worker, const std::string& before) = 0;
};

// How the host runs it.
struct Habits {
  bool systemd = true;             // else: start and stop commands
  bool restart_on_failure = true;  // Restart=on-failure
  Millis restart_delay{1'000};     // RestartSec
  bool log = true;                 // the agent can read the worker's log
};

struct Jvm {
  ProcessFacts facts;
  std::string asked_for_by;  // operation whose request started it; empty: nobody's
  bool parsed = false;
  Millis parsed_at{};
  Time parsed_wall;
  Mode mode{};
  Millis delay{};
  bool mode_by_us = false;  // the mode in its file was our writing
  bool rest = false;
  bool herder = false;
  bool stopping = false;
};

class Worker final : public operations::WorkerHost {
 public:
  Worker(World& world, Connect& group, Witness& witness, int index, Habits habits,
         fakes::FaultyFileSystem& disk, const Clock& clock, const std::string& boot_id, std::string file);

  const int index;
  const std::string name;
  const std::string url;
  const std::string path;
  const Habits habits;

  // What is true.
  const std::optional<Jvm>& jvm() const { return jvm_; }
  bool up() const { return jvm_ && jvm_->herder && !jvm_->stopping; }
  std::optional<Millis> down_since() const { return down_since_; }
  bool down_by_us() const { return down_by_us_; }  // its last stop was asked for by an operation
  const std::string& file() const { return disk_.files.at(path); }
  Peer peer() const;
  WorkerFacts Facts() const;  // as an agent tells them, ledger and operations left out

  // What happens to it.
  void Boot();   // the host comes up
  void Crash();  // kill -9 of the JVM
  void PowerOff();
  void OutsiderRestarts();
  void OutsiderStarts();
  void OutsiderWrites(const std::string& bytes);
  void OnFile();           // its file has other content now
  std::set<Mode> refuses;  // it exits with a ConfigException where its file says this

  // The operation on whose behalf the calls below come.
  std::string acting;

  StatusOr<std::string> ReadFile() override;
  Status ReplaceFile(const std::string& expected_sha256, const std::string& bytes) override;
  StatusOr<std::optional<ProcessFacts>> Process() override;
  bool Alive(const ProcessFacts& process) override;
  StatusOr<ServiceState> Service() override { return ServiceNow(); }
  bool RestartsByItself() const override { return habits.systemd; }
  Status RequestRestart() override;
  Status RequestStop() override;
  Status RequestStart() override;
  bool RestAnswers() override { return jvm_ && jvm_->rest && !jvm_->stopping; }
  Death WhyDied(const ProcessFacts& process) override;
  std::optional<int> ExitStatus() override;
  void AwaitEvent(Millis) override {}

 private:
  ServiceState ServiceNow() const;
  void Stop(bool then_start, const std::string& asked_by);
  void Gone();
  void StartJvm(const std::string& asked_by);
  void Parse();
  void Died(Death death, int status);
  void NoteUp();
  void Later(Millis delay, void (Worker::*what)());  // unless this JVM is gone by then

  World& world_;
  Connect& group_;
  Witness& witness_;
  fakes::FaultyFileSystem& disk_;
  const Clock& clock_;
  const std::string& boot_id_;
  bool powered_ = true;
  std::optional<Jvm> jvm_;
  uint64_t life_ = 0;  // rises with every JVM and with every death
  int pid_ = 100;
  bool start_follows_ = false;  // a start is queued behind the stop
  std::string start_asked_by_;
  bool auto_restart_ = false;  // the manager waits RestartSec
  bool failed_ = false;
  std::optional<int> exit_status_;
  Death death_ = Death::kUnknown;
  Time death_wall_;
  std::optional<Millis> down_since_;
  bool down_by_us_ = false;
  std::string last_file_;
  bool mode_by_us_ = false;
};

}  // namespace eos::simulation
