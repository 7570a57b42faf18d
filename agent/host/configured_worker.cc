#include "agent/host/configured_worker.h"

#include <fcntl.h>
#include <poll.h>
#include <spdlog/fmt/fmt.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "agent/host/observe.h"
#include "agent/properties/change.h"
#include "agent/properties/properties.h"
#include "agent/properties/waiting.h"
#include "common/files/atomic_replace.h"
#include "common/files/sha256.h"

namespace eos::host {
namespace {

constexpr size_t kMaxFile = 4U << 20U;
constexpr size_t kLogTail = 512U << 10U;

}  // namespace

class ConfiguredWorker::Impl {
 public:
  Impl(WorkerIdentity own_identity, FileSystem& file_system, const worker::ProcessTable& table,
       std::unique_ptr<service::ServiceManager> manager, std::unique_ptr<worker::LogSource> source,
       std::unique_ptr<worker::RestClient> client)
      : identity(std::move(own_identity)),
        files(file_system),
        processes(table),
        service(std::move(manager)),
        log(std::move(source)),
        rest(std::move(client)) {}

  // Links are resolved each time: what they name may be switched.
  StatusOr<std::string> RealPath() const { return files.RealPath(identity.properties_file); }

  StatusOr<std::optional<ProcessFacts>> Process() const {
    EOS_ASSIGN_OR_RETURN(const std::string path, RealPath());
    EOS_ASSIGN_OR_RETURN(const auto all, processes.Find());
    std::vector<Problem> problems;
    const auto process = Pick(all, path, identity.name, problems);
    if (!problems.empty()) return Err(problems.front());
    return process;
  }

  // The file is read again only when its metadata changed. A change within the same clock tick as the reading
  // could be missed by its times alone, so a fresh one is always read.
  StatusOr<FileFacts> File(std::vector<Problem>& problems) {
    EOS_ASSIGN_OR_RETURN(const std::string path, RealPath());
    EOS_ASSIGN_OR_RETURN(const FileStat stat, files.Stat(path));
    const std::lock_guard lock(mutex);
    if (!known_file || known_path != path || !(known_stat == stat) || Fresh(stat)) {
      EOS_ASSIGN_OR_RETURN(const std::string bytes, files.Read(path, kMaxFile));
      std::vector<Problem> found;
      EOS_ASSIGN_OR_RETURN(FileFacts facts, properties::FactsOf(bytes, found));
      facts.changed = ChangedAt(stat);
      known_file = std::move(facts);
      known_problems = std::move(found);
      known_path = path;
      known_stat = stat;
    }
    problems.insert(problems.end(), known_problems.begin(), known_problems.end());
    return *known_file;
  }

  static bool Fresh(const FileStat& stat) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return now - std::chrono::nanoseconds{std::max(stat.mtime_ns, stat.ctime_ns)} < std::chrono::seconds{2};
  }

  // What this very process parsed does not change: it is looked for until it is found.
  std::optional<LogFacts> Log(const ProcessFacts& process, std::vector<Problem>& problems) {
    if (!log) return std::nullopt;
    const std::lock_guard lock(mutex);
    if (logged && logged_by.SameProcess(process)) return logged->facts;
    const auto lines = log->Tail(process, kLogTail);
    if (!lines.ok()) {
      problems.push_back(ProblemOf(lines.status()));
      return std::nullopt;
    }
    auto parsed = worker::ParsedConfiguration(*lines, process.started);
    if (!parsed) return std::nullopt;
    LogFacts facts = parsed->facts;
    if (facts.mode && facts.delay) {
      logged = std::move(parsed);
      logged_by = process;
      compared_sha256.clear();
    }
    return facts;
  }

  // Compared once for each pair of file and process; the file's values are not kept.
  std::vector<std::string> WaitingEdits(const ProcessFacts& process, const std::string& file_sha256) {
    const std::lock_guard lock(mutex);
    if (!logged || !logged_by.SameProcess(process)) return {};
    if (compared_sha256 == file_sha256) return waiting_edits;
    const auto bytes = files.Read(known_path, kMaxFile);
    if (!bytes.ok()) return {};
    waiting_edits = properties::WaitingEdits(*bytes, logged->values);
    compared_sha256 = file_sha256;
    return waiting_edits;
  }

  const WorkerIdentity identity;
  FileSystem& files;
  const worker::ProcessTable& processes;
  const std::unique_ptr<service::ServiceManager> service;
  const std::unique_ptr<worker::LogSource> log;
  const std::unique_ptr<worker::RestClient> rest;

  std::mutex mutex;
  std::optional<FileFacts> known_file;
  std::vector<Problem> known_problems;
  std::string known_path;
  FileStat known_stat;
  std::optional<worker::Parsed> logged;
  ProcessFacts logged_by;
  std::string compared_sha256;  // of the file that `waiting_edits` were found in
  std::vector<std::string> waiting_edits;
};

ConfiguredWorker::ConfiguredWorker(WorkerIdentity identity, FileSystem& files,
                                   const worker::ProcessTable& processes,
                                   std::unique_ptr<service::ServiceManager> service,
                                   std::unique_ptr<worker::LogSource> log,
                                   std::unique_ptr<worker::RestClient> rest)
    : impl_(std::make_unique<Impl>(std::move(identity), files, processes, std::move(service), std::move(log),
                                   std::move(rest))) {}
ConfiguredWorker::~ConfiguredWorker() = default;

const WorkerIdentity& ConfiguredWorker::identity() const { return impl_->identity; }
worker::RestClient& ConfiguredWorker::rest() { return *impl_->rest; }

WorkerFacts ConfiguredWorker::Observe() {
  WorkerFacts facts;
  facts.name = impl_->identity.name;
  facts.fleet = impl_->identity.fleet;
  facts.advertised_url = impl_->identity.advertised_url;
  const auto note = [&](const Status& status) {
    facts.problems.push_back(ProblemOf(Annotate(status, fmt::format("worker \"{}\"", facts.name))));
  };
  if (auto file = impl_->File(facts.problems); file.ok()) {
    facts.file = *std::move(file);
  } else {
    note(file.status());
  }
  const auto path = impl_->RealPath();
  const auto all = impl_->processes.Find();
  if (all.ok()) {
    facts.process_known = true;
    facts.process = Pick(*all, path.value_or(impl_->identity.properties_file), facts.name, facts.problems);
  } else {
    note(all.status());
  }
  if (auto service = impl_->service->Look(); service.ok()) {
    facts.service = *std::move(service);
  } else {
    note(service.status());
  }
  // The service runs, but not with our file: restarting it would change nothing.
  if (all.ok() && !facts.process && !all->empty() && facts.service &&
      facts.service->state == ServiceState::kRunning) {
    const auto pid = impl_->service->MainPid();
    for (const auto& other : *all) {
      if (!pid.ok() || !*pid || **pid != other.facts.pid) continue;
      facts.problems.push_back(
          {Reason::kFileNotInUse,
           fmt::format("worker \"{}\": its service runs process {} with another properties file", facts.name,
                       other.facts.pid),
           "correct properties_file in eos-agent's configuration, or the unit"});
    }
  }
  if (facts.process) facts.log = impl_->Log(*facts.process, facts.problems);
  if (facts.file && facts.process)
    facts.waiting_edits = impl_->WaitingEdits(*facts.process, facts.file->sha256);
  facts.rest = impl_->rest->Look();
  Judge(facts, facts.problems);
  return facts;
}

Status ConfiguredWorker::Check() {
  const std::string attempt = fmt::format("worker \"{}\", properties file \"{}\"", impl_->identity.name,
                                          impl_->identity.properties_file);
  const auto path = impl_->RealPath();
  const auto bytes = path.ok() ? impl_->files.Read(*path, kMaxFile) : path;
  if (!bytes.ok()) {
    return Err(Reason::kFileUnreadable, fmt::format("{}: {}", attempt, std::string(bytes.status().message())),
               "correct properties_file in eos-agent's configuration, or let its user read that file");
  }
  const std::string folder = path->substr(0, std::max<size_t>(path->rfind('/'), 1));
  EOS_RETURN_IF_ERROR(Annotate(properties::Document::Parse(*bytes).status(), attempt));
  // Writing to the file itself is never needed: it is replaced.
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    return Err(
        Reason::kFileUnreadable, attempt + ": eos-agent may not write the folder that it is in",
        fmt::format("let the user of eos-agent write the folder \"{}\": the file is replaced by a rename",
                    folder));
  }
  return Annotate(impl_->service->Check(), fmt::format("worker \"{}\"", impl_->identity.name));
}

Status ConfiguredWorker::Tidy() {
  EOS_ASSIGN_OR_RETURN(const std::string path, impl_->RealPath());
  return RemoveLeftOver(impl_->files, path);
}

StatusOr<std::string> ConfiguredWorker::ReadFile() {
  EOS_ASSIGN_OR_RETURN(const std::string path, impl_->RealPath());
  return impl_->files.Read(path, kMaxFile);
}

Status ConfiguredWorker::ReplaceFile(const std::string& expected_sha256, const std::string& bytes) {
  EOS_ASSIGN_OR_RETURN(const std::string path, impl_->RealPath());
  EOS_ASSIGN_OR_RETURN(const std::string now, impl_->files.Read(path, kMaxFile));
  if (Sha256Hex(now) != expected_sha256) {
    return Err(
        Reason::kFileChanged,
        fmt::format("replacing \"{}\": somebody else changed it meanwhile; it was left as it is", path),
        "see who writes it (configuration management?), then run apply again");
  }
  const Status replaced = AtomicReplace(impl_->files, path, bytes);
  if (replaced.ok()) return replaced;
  Problem problem = ProblemOf(replaced);
  problem.reason = Reason::kFileWriteFailed;
  return Err(problem);
}

StatusOr<std::optional<ProcessFacts>> ConfiguredWorker::Process() { return impl_->Process(); }
bool ConfiguredWorker::Alive(const ProcessFacts& process) { return impl_->processes.Alive(process); }

StatusOr<ServiceState> ConfiguredWorker::Service() {
  EOS_ASSIGN_OR_RETURN(const ServiceFacts facts, impl_->service->Look());
  return facts.state;
}

bool ConfiguredWorker::RestartsByItself() const { return impl_->service->RestartsByItself(); }
Status ConfiguredWorker::RequestRestart() { return impl_->service->RequestRestart(); }
Status ConfiguredWorker::RequestStop() { return impl_->service->RequestStop(); }
Status ConfiguredWorker::RequestStart() { return impl_->service->RequestStart(); }
bool ConfiguredWorker::RestAnswers() { return impl_->rest->Answers(); }

Death ConfiguredWorker::WhyDied(const ProcessFacts& process) {
  if (!impl_->log) return Death::kUnknown;
  const auto lines = impl_->log->Tail(process, kLogTail);
  return lines.ok() ? worker::CauseOfDeath(*lines, process.started) : Death::kUnknown;
}

std::optional<int> ConfiguredWorker::ExitStatus() {
  const auto facts = impl_->service->Look();
  return facts.ok() ? facts->exit_status : std::nullopt;
}

void ConfiguredWorker::AwaitEvent(Millis limit) {
  // A process that ends is seen at once (pidfd_open(2)); one that comes is looked for again after `limit`.
  const auto process = impl_->Process();
  if (process.ok() && *process) {
    const int fd = static_cast<int>(syscall(SYS_pidfd_open, (*process)->pid, 0));
    if (fd >= 0) {
      pollfd wait{fd, POLLIN, 0};
      poll(&wait, 1, static_cast<int>(limit.count()));
      close(fd);
      return;
    }
  }
  std::this_thread::sleep_for(std::min(limit, Millis{100}));
}

}  // namespace eos::host
