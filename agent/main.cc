// eos-agent: composes the parts from its configuration, serves until it is told to end.
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <spdlog/fmt/fmt.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>

#include "agent/config/config.h"
#include "agent/host/configured_worker.h"
#include "agent/operations/ledger.h"
#include "agent/operations/runner.h"
#include "agent/rpc/server.h"
#include "agent/worker/log_sources.h"
#include "common/files/file_system.h"

namespace eos {
namespace {

struct Options {
  std::string config;
  std::string port_file;
  bool check = false;
};

std::unique_ptr<service::ServiceManager> ServiceOf(const config::WorkerConfig& worker) {
  if (const auto* systemd = std::get_if<service::SystemdSettings>(&worker.service)) {
    return service::NewSystemdManager(*systemd);
  }
  return service::NewCommandManager(std::get<service::CommandSettings>(worker.service));
}

std::unique_ptr<worker::LogSource> LogOf(const config::WorkerConfig& worker) {
  if (const auto* file = std::get_if<config::LogFile>(&worker.log)) return worker::NewLogFile(file->path);
  if (std::holds_alternative<config::Journal>(worker.log)) {
    return worker::NewJournal(std::get<service::SystemdSettings>(worker.service).unit);
  }
  return nullptr;
}

// One agent a state directory: two would carry out the same operations.
Status TakeLock(const std::string& directory) {
  const std::string path = directory + "/lock";
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);  // held until the program ends
  if (fd < 0)
    return Err(Reason::kStorageFailed, fmt::format("opening \"{}\": {}", path, std::strerror(errno)));
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return OkStatus();
  return Err(Reason::kStorageFailed,
             fmt::format("locking \"{}\": another eos-agent uses this state directory", path),
             "end the other one, or give this one a state_directory of its own");
}

Status WritePort(const std::string& path, int port) {
  if (path.empty()) return OkStatus();
  std::ofstream file(path);
  if (file << port << "\n" << std::flush) return OkStatus();
  return Err(Reason::kUsage, fmt::format("writing the port to \"{}\": it cannot be written", path));
}

// Starting touches much of the libraries' code that serving never needs again. Dropping our mapping of those
// pages costs a minor fault where one is needed after all; code pages are never dirty, so nothing can be lost
// (madvise(2)).
void GiveBackStartUpPages() {
  malloc_trim(0);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    char flags[5] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, flags) != 3) continue;
    if (std::string_view(flags) != "r-xp" || line.find('/') == std::string::npos) continue;
    madvise(reinterpret_cast<void*>(begin), end - begin,
            MADV_DONTNEED);  // NOLINT: the kernel wants a pointer
  }
}

int AwaitSignal(const sigset_t& signals) {
  int number = 0;
  while (sigwait(&signals, &number) != 0 || number == SIGHUP) {
  }
  return number;
}

Status Serve(const Options& options, const sigset_t& signals) {
  EOS_ASSIGN_OR_RETURN(const config::AgentConfig config, config::LoadConfig(options.config));
  const RealClock clock;
  PosixFileSystem files;
  EOS_RETURN_IF_ERROR(tls::Check(config.tls, clock.Now()).status());
  EOS_RETURN_IF_ERROR(files.MakeDirectories(config.state_directory, 0700));
  const worker::ProcessTable processes(clock);
  EOS_ASSIGN_OR_RETURN(const std::string boot_id, processes.BootId());

  std::vector<std::unique_ptr<host::ConfiguredWorker>> workers;
  std::vector<host::ConfiguredWorker*> pointers;
  std::vector<operations::DeskWorker> lanes;
  for (const config::WorkerConfig& worker : config.workers) {
    workers.push_back(std::make_unique<host::ConfiguredWorker>(
        host::WorkerIdentity{worker.name, worker.fleet, worker.advertised_url, worker.properties_file}, files,
        processes, ServiceOf(worker), LogOf(worker), worker::NewCurlRestClient(worker.rest)));
    EOS_RETURN_IF_ERROR(workers.back()->Check());
    pointers.push_back(workers.back().get());
    lanes.push_back({worker.name, worker.fleet, workers.back().get()});
  }
  if (options.check) {
    std::cout << fmt::format("configuration \"{}\": {} worker{}, certificates, files and services are fine\n",
                             options.config, workers.size(), workers.size() == 1 ? "" : "s");
    return OkStatus();
  }

  EOS_RETURN_IF_ERROR(TakeLock(config.state_directory));
  for (host::ConfiguredWorker* worker : pointers) EOS_RETURN_IF_ERROR(worker->Tidy());
  operations::Ledger ledger(files, config.state_directory);
  EOS_ASSIGN_OR_RETURN(const std::vector<Problem> problems, ledger.Open());
  for (const Problem& problem : problems) spdlog::error("{}", Render(problem));
  operations::LeaseBook leases(ledger, clock, boot_id);
  operations::Runner runner(ledger, leases, clock, lanes);
  EOS_RETURN_IF_ERROR(runner.Recover());

  EOS_ASSIGN_OR_RETURN(const auto server,
                       rpc::AgentServer::Start({runner, leases, ledger, clock, pointers, boot_id, problems},
                                               {.listen = config.listen,
                                                .tls = config.tls,
                                                .runtime_directory = config.state_directory,
                                                .tls_refresh = config.tls_refresh,
                                                .callers = config.callers}));
  EOS_RETURN_IF_ERROR(WritePort(options.port_file, server->port()));
  spdlog::info("eos-agent {} serves {} worker{} on port {}", EOS_VERSION, workers.size(),
               workers.size() == 1 ? "" : "s", server->port());
  sd_notify(0, "READY=1");
  GiveBackStartUpPages();
  const int number = AwaitSignal(signals);
  sd_notify(0, "STOPPING=1");
  spdlog::info("ending on signal {}; an operation under way goes on at the next start", number);
  return OkStatus();
}

int Main(int argc, char** argv) {
  CLI::App app{"eos-agent looks after the Kafka Connect workers of this host, on behalf of eosctl"};
  Options options;
  app.add_option("--config", options.config, "YAML configuration; deploy/examples/agent.yaml explains it")
      ->required();
  app.add_option("--port-file", options.port_file,
                 "write the port that is listened on to this file (for listen: …:0)");
  app.add_flag("--check", options.check, "check configuration, certificates, files and services, then end");
  app.set_version_flag("--version", std::string("eos-agent ") + EOS_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // help, version
    std::cerr << "eos-agent: reading the command line: " << error.what()
              << "\nTo fix: see eos-agent --help\n";
    return static_cast<int>(ExitCode::kUsage);
  }
  spdlog::set_default_logger(spdlog::stderr_logger_mt("eos-agent"));
  spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
  mallopt(M_ARENA_MAX, 2);  // an idle agent is to be small

  // Before the first thread: all inherit it, and only sigwait takes these.
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, number);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);

  const Status status = Serve(options, signals);
  if (status.ok()) return 0;
  std::cerr << "eos-agent: " << Render(status) << "\n";
  return static_cast<int>(ExitCode::kUsage);
}

}  // namespace
}  // namespace eos

int main(int argc, char** argv) { return eos::Main(argc, argv); }
