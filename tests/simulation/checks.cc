#include "tests/simulation/checks.h"

#include <algorithm>

#include "agent/properties/properties.h"

namespace eos::simulation {
namespace {

template <typename... T>
[[noreturn]] void Broken(const char* rule, fmt::format_string<T...> text, T&&... values) {
  throw Violation(rule, fmt::format(text, std::forward<T>(values)...));
}

std::optional<std::string> RawDelay(const std::string& bytes) {
  const auto document = properties::Document::Parse(bytes);
  if (!document.ok()) return std::nullopt;
  const properties::Entry* entry = document->Find(kDelayKey);
  if (!entry) return std::nullopt;
  return std::string(document->RawValue(*entry));
}

// The file without the two keys that may differ.
std::string Rest(const std::string& bytes) {
  const auto document = properties::Document::Parse(bytes);
  if (!document.ok()) return "not a properties file";
  std::string rest;
  size_t from = 0;
  for (const properties::Entry& entry : document->entries()) {
    if (entry.key != kModeKey && entry.key != kDelayKey) continue;
    rest += bytes.substr(from, entry.begin - from);
    from = entry.end;
  }
  rest += bytes.substr(from);
  while (!rest.empty() && (rest.back() == '\n' || rest.back() == '\r')) rest.pop_back();
  return rest;
}

}  // namespace

void Checks::Begin() {
  for (const Worker* worker : workers) users_delay_[worker->name] = RawDelay(worker->file());
}

const Controller* Checks::RunOf(const std::string& session) const {
  for (const Controller* run : controllers) {
    if (run->order.session == session) return run;
  }
  Broken("S4", "an operation of session {}, which nobody ran", session);
}

Millis Checks::DecidedOn(const std::string& operation) const {
  return RunOf(operations_.at(operation).request.lease_session)->DecidedOn(operation).value();
}

const Host& Checks::HostOf(const Worker& worker) const {
  for (Host* host : hosts) {
    if (host->Find(worker.name)) return *host;
  }
  std::abort();
}

void Checks::LeaseGranted(const Host& host, const operations::LeaseRequest& request, const Lease& lease) {
  Held& held = leases_[&host];
  const bool free = held.session.empty() || held.released || world_.now() >= held.expires;
  if (!free && held.session != request.session && held.session != request.take_over) {
    Broken("S4", "{} grants the lease to {} while {} holds it", host.name, request.session, held.session);
  }
  if (lease.epoch < held.epoch || (held.session != request.session && lease.epoch == held.epoch)) {
    Broken("S4", "{}: the lease's epoch does not rise: {} after {}", host.name, lease.epoch, held.epoch);
  }
  held = {request.session, lease.epoch, world_.now() + request.ttl, false, false};
}

void Checks::LeaseReleased(const Host& host, const std::string& session) {
  if (leases_[&host].session == session) leases_[&host].released = true;
}

void Checks::Booted(const Host& host) { leases_[&host].rebooted = true; }

void Checks::Accepted(const Host& host, const OperationRequest& request) {
  const Held& held = leases_[&host];
  const Controller& run = *RunOf(request.lease_session);
  const bool ran_out = world_.now() >= held.expires && !held.rebooted;
  if (held.session != request.lease_session || held.epoch != request.lease_epoch || held.released ||
      ran_out) {
    Broken("S4", "{} takes operation {} under a lease that is not held", host.name, request.id);
  }
  for (const auto& [id, other] : operations_) {
    if (other.request.lease_session != request.lease_session && other.host->UnderWay(id)) {
      Broken("S4", "operation {} begins while {} of another run is under way", request.id, id);
    }
  }
  operations_[request.id] = {request, &host, std::nullopt, false};
  if (run.SentAfterFailure(request.id)) {
    Broken("S6", "operation {} was begun after the run had been told of a failure", request.id);
  }
  if (request.lease_session == idle_) Broken("S5", "operation {} on a fleet where all is done", request.id);
  const auto unsettled = group_.unsettled_since();
  if (request.restart && unsettled && *unsettled < DecidedOn(request.id)) {
    Broken("S2", "operation {} begins while the group has been unsettled for {} ms: {}", request.id,
           (world_.now() - *unsettled).count(), group_.Unsettled());
  }
}

void Checks::StopAsked(const Worker& worker, const std::string& operation) {
  ++restarts_;
  CheckOthersUp(worker, operation);
  CheckNeeded(worker, operations_.at(operation).request);
  const Jvm& jvm = *worker.jvm();
  Operation& of = operations_.at(operation);
  if (!jvm.parsed || of.mode_before) return;
  of.mode_before = jvm.mode;
  of.in_foreign_mix = std::any_of(workers.begin(), workers.end(), [&](const Worker* other) {
    return other->jvm() && other->jvm()->parsed && Forbidden(jvm.mode, other->jvm()->mode);
  });
}

void Checks::CheckOthersUp(const Worker& worker, const std::string& operation) const {
  const Controller& run = *RunOf(operations_.at(operation).request.lease_session);
  const Millis decided = DecidedOn(operation);
  int ours = 1;
  for (const Worker* other : workers) {
    if (other == &worker || other->up()) continue;
    const bool ours_too = other->down_by_us();
    if (ours_too) ++ours;
    if (!ours_too && *other->down_since() < decided) {
      Broken("S2", "{} is taken down while {} has been down for {} ms", worker.name, other->name,
             (world_.now() - *other->down_since()).count());
    }
  }
  if (ours > run.order.policy.max_unavailable) {
    Broken("S2", "{} workers are down by our doing, max_unavailable is {}", ours,
           run.order.policy.max_unavailable);
  }
}

void Checks::CheckNeeded(const Worker& worker, const OperationRequest& request) const {
  const Jvm& jvm = *worker.jvm();
  if (jvm.asked_for_by == request.id) {
    Broken("S5", "operation {} stops the JVM that it started", request.id);
  }
  const bool known = worker.habits.log && jvm.parsed && jvm.parsed_at < DecidedOn(request.id);
  if (known && request.mode == jvm.mode) {
    Broken("S5", "operation {} restarts {}, which runs {} already", request.id, worker.name,
           ToString(jvm.mode));
  }
}

void Checks::Parsed(const Worker& worker) {
  const Jvm& jvm = *worker.jvm();
  const auto asked = operations_.find(jvm.asked_for_by);
  const bool ours_started = asked != operations_.end();
  // Put back as it was, among others that ran the forbidden mode before: better than leaving it down (S7).
  if (ours_started && asked->second.in_foreign_mix && jvm.mode == asked->second.mode_before) return;
  const Millis decided = ours_started ? DecidedOn(jvm.asked_for_by) : Millis{0};
  for (const Worker* other : workers) {
    if (other == &worker || !other->jvm() || !other->jvm()->parsed) continue;
    if (!Forbidden(jvm.mode, other->jvm()->mode)) continue;
    const bool could_be_known = ours_started && other->jvm()->parsed_at < decided;
    const bool ours = jvm.mode_by_us && other->jvm()->mode_by_us;
    if (could_be_known || ours) {
      Broken("S1", "{} starts in {} while {} runs {}", worker.name, ToString(jvm.mode), other->name,
             ToString(other->jvm()->mode));
    }
  }
  for (const Stranger& stranger : strangers) {
    if (stranger.present && ours_started && stranger.since < decided && Forbidden(jvm.mode, stranger.mode)) {
      Broken("S1", "{} starts in {} beside {}, which runs {}", worker.name, ToString(jvm.mode), stranger.url,
             ToString(stranger.mode));
    }
  }
}

void Checks::FileChanged(const Worker& worker, const std::string& before) {
  const Host& host = HostOf(worker);
  if (!host.disk.files.contains(worker.path)) Broken("S3", "the properties file of {} is gone", worker.name);
  if (worker.acting.empty()) {
    const auto raw = RawDelay(worker.file());
    if (raw != RawDelay(before)) users_delay_[worker.name] = raw;
    return;
  }
  if (Rest(before) != Rest(worker.file())) {
    Broken("S3", "more than the two keys differs in the properties file of {}", worker.name);
  }
  CheckFence(worker);
  CheckDelayRemembered(worker);
}

// An operation that was taken in long ago may still be finished, but not begun.
void Checks::CheckFence(const Worker& worker) const {
  const Host& host = HostOf(worker);
  const auto record = host.ledger()->ReadOperation(worker.acting);
  if (record.ok() && record->step != OperationStep::kBackedUp) return;
  if (!leases_.at(&host).Covers(operations_.at(worker.acting).request, world_.now())) {
    Broken("S4", "operation {} changes the file of {} under a lease that is not held", worker.acting,
           worker.name);
  }
}

void Checks::CheckDelayRemembered(const Worker& worker) const {
  const auto& users = users_delay_.at(worker.name);
  if (RawDelay(worker.file()) == users) return;
  const auto remembered = HostOf(worker).ledger()->ReadDelay(worker.name);
  if (!remembered.ok() || !*remembered || (*remembered)->original != users) {
    Broken("S8", "the file of {} holds a temporary delay, and nobody remembers the user's own", worker.name);
  }
}

void Checks::RunEnded(const Controller& run) {
  if (!run.outcome()) return;  // killed
  const auto& outcome = *run.outcome();
  if (outcome.code != ExitCode::kDone) {
    if (!outcome.problem || outcome.problem->message.empty()) {
      Broken("S6", "{} stopped and does not say why", run.order.session);
    }
    if (outcome.problem->fix.empty()) {
      Broken("S6", "{} stopped and does not say what to do: {}", run.order.session, outcome.problem->message);
    }
    if (outcome.problem->reason == Reason::kLeaseHeld &&
        outcome.problem->message.find("session") == std::string::npos) {
      Broken("S4", "{} is refused, and the holder is not named", run.order.session);
    }
    return;
  }
  for (const Worker* worker : workers) {
    if (worker->jvm() && worker->jvm()->parsed && worker->jvm()->parsed_at < run.looked_at() &&
        worker->jvm()->mode != run.order.goal.target) {
      Broken("done", "{} calls it done, but {} runs {}", run.order.session, worker->name,
             ToString(worker->jvm()->mode));
    }
  }
}

void Checks::AtQuiet() const {
  for (const Worker* worker : workers) {
    if (!worker->up() && worker->down_by_us()) {
      Broken("S7", "{} was stopped by an operation and is still down", worker->name);
    }
  }
}

void Checks::Converged(Mode target) const {
  for (const Worker* worker : workers) {
    if (!worker->up()) Broken("S7", "{} is down at the end", worker->name);
    if (worker->jvm()->mode != target) {
      Broken("done", "{} runs {} at the end", worker->name, ToString(worker->jvm()->mode));
    }
    if (RawDelay(worker->file()) != users_delay_.at(worker->name)) {
      Broken("S8", "the file of {} has not got its own delay back", worker->name);
    }
  }
  for (const Host* host : hosts) {
    for (const auto& [path, bytes] : host->disk.files) {
      // In the agent's own folders the next write or start removes them.
      const bool beside_the_file = path.starts_with("/etc/");
      if (beside_the_file && path.ends_with(".connect-eos-tmp"))
        Broken("S3", "{}: {} was left behind", host->name, path);
      if (path.find("/delays/") != std::string::npos) {
        Broken("S8", "{}: {} still remembers a delay", host->name, path);
      }
    }
  }
}

}  // namespace eos::simulation
