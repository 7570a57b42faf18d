#include "tests/simulation/worker.h"

#include "agent/properties/change.h"
#include "common/files/atomic_replace.h"
#include "common/files/sha256.h"

namespace eos::simulation {
namespace {

std::optional<FileFacts> FactsIn(const std::string& bytes) {
  std::vector<Problem> ignored;
  auto facts = properties::FactsOf(bytes, ignored);
  if (!facts.ok()) return std::nullopt;
  return *std::move(facts);
}

}  // namespace

Worker::Worker(World& world, Connect& group, Witness& witness, int number, Habits own_habits,
               fakes::FaultyFileSystem& disk, const Clock& clock, const std::string& boot_id,
               std::string file)
    : index(number),
      name(fmt::format("w{}", number + 1)),
      url(fmt::format("http://{}:8083/", name)),
      path(fmt::format("/etc/kafka/{}.properties", name)),
      habits(own_habits),
      world_(world),
      group_(group),
      witness_(witness),
      disk_(disk),
      clock_(clock),
      boot_id_(boot_id),
      last_file_(file) {
  disk_.files[path] = std::move(file);
}

Peer Worker::peer() const {
  if (!jvm_) return {url, false, false, Mode::kDisabled, Millis{0}};
  return {url, !jvm_->stopping, jvm_->rest && !jvm_->stopping, jvm_->mode, jvm_->delay};
}

WorkerFacts Worker::Facts() const {
  WorkerFacts facts;
  facts.name = name;
  facts.fleet = "payments";
  facts.advertised_url = url;
  auto file = properties::FactsOf(disk_.files.at(path), facts.problems);
  if (file.ok()) {
    facts.file = *std::move(file);
    facts.file->changed = Time{Millis{disk_.Stat(path)->mtime_ns / 1'000'000}};
  } else {
    facts.problems.push_back(ProblemOf(file.status()));
  }
  facts.process_known = true;
  if (jvm_) facts.process = jvm_->facts;
  facts.service = ServiceFacts{ServiceNow(), "", exit_status_, std::nullopt, {}};
  if (jvm_ && jvm_->parsed && habits.log) facts.log = LogFacts{jvm_->mode, jvm_->delay, jvm_->parsed_wall};
  const bool answers = jvm_ && jvm_->rest && !jvm_->stopping;
  const bool herder = answers && jvm_->herder;
  facts.rest =
      answers ? RestFacts{true, "4.0.0", "cluster-a", herder ? Health::kHealthy : Health::kStarting, herder}
              : RestFacts{};
  return facts;
}

void Worker::Boot() {
  powered_ = true;
  StartJvm("");
}

void Worker::Crash() {
  if (!jvm_) return;
  world_.Tell("{}: its JVM is killed", name);
  down_by_us_ = false;
  Died(Death::kOther, 137);
}

void Worker::PowerOff() {
  powered_ = false;
  if (jvm_) {
    jvm_.reset();
    group_.Vanish(index);
  }
  ++life_;
  start_follows_ = auto_restart_ = failed_ = false;
  exit_status_.reset();
  down_by_us_ = false;
  NoteUp();
}

void Worker::OutsiderRestarts() {
  if (!powered_) return;
  world_.Tell("{}: somebody restarts it", name);
  down_by_us_ = false;
  if (jvm_) {
    Stop(true, "");
  } else if (!auto_restart_) {
    StartJvm("");
  }
}

void Worker::OutsiderStarts() {
  if (jvm_ || !powered_) return;
  world_.Tell("{}: somebody starts it", name);
  StartJvm("");
}

void Worker::OutsiderWrites(const std::string& bytes) { disk_.Put(path, bytes); }

StatusOr<std::string> Worker::ReadFile() { return disk_.Read(path, 1U << 20U); }

// As host::ConfiguredWorker does it.
Status Worker::ReplaceFile(const std::string& expected_sha256, const std::string& bytes) {
  if (Sha256Hex(disk_.files.at(path)) != expected_sha256) {
    return Err(Reason::kFileChanged, "replacing: somebody else changed it meanwhile", "see who writes it");
  }
  const Status replaced = AtomicReplace(disk_, path, bytes);
  if (replaced.ok()) return replaced;
  Problem problem = ProblemOf(replaced);
  problem.reason = Reason::kFileWriteFailed;
  problem.fix = "make room";
  return Err(problem);
}

StatusOr<std::optional<ProcessFacts>> Worker::Process() {
  if (!jvm_) return std::optional<ProcessFacts>();
  return std::optional<ProcessFacts>(jvm_->facts);
}

bool Worker::Alive(const ProcessFacts& process) { return jvm_ && jvm_->facts.SameProcess(process); }

ServiceState Worker::ServiceNow() const {
  if (jvm_) return jvm_->stopping ? ServiceState::kStopping : ServiceState::kRunning;
  if (auto_restart_ || start_follows_) return ServiceState::kStarting;
  return failed_ ? ServiceState::kFailed : ServiceState::kStopped;
}

Status Worker::RequestRestart() {
  if (jvm_) witness_.StopAsked(*this, acting);
  if (jvm_) down_by_us_ = true;
  if (jvm_) {
    Stop(true, acting);
  } else {
    StartJvm(acting);
  }
  return OkStatus();
}

Status Worker::RequestStop() {
  if (jvm_) witness_.StopAsked(*this, acting);
  if (jvm_) down_by_us_ = true;
  Stop(false, acting);
  return OkStatus();
}

Status Worker::RequestStart() {
  if (jvm_ && jvm_->stopping) {
    start_follows_ = true;
    start_asked_by_ = acting;
  } else if (!jvm_) {
    StartJvm(acting);
  }
  return OkStatus();
}

Death Worker::WhyDied(const ProcessFacts& process) {
  return habits.log && death_wall_ >= process.started ? death_ : Death::kUnknown;
}

std::optional<int> Worker::ExitStatus() { return habits.systemd ? exit_status_ : std::nullopt; }

void Worker::Stop(bool then_start, const std::string& asked_by) {
  start_follows_ = then_start;
  start_asked_by_ = asked_by;
  auto_restart_ = false;
  if (!jvm_) return;
  if (jvm_->stopping) return;
  jvm_->stopping = true;
  NoteUp();
  world_.Tell("{}: its JVM {} stops", name, jvm_->facts.pid);
  const bool hangs = world_.rng.Chance(0.03);
  if (jvm_->herder) group_.Leave(index);
  Later(hangs ? world_.rng.Between(Millis{15'000}, Millis{40'000})
              : world_.rng.Between(Millis{200}, Millis{3'000}),
        &Worker::Gone);
}

void Worker::Gone() {
  jvm_.reset();
  ++life_;
  exit_status_ = 143;
  failed_ = false;
  NoteUp();
  if (start_follows_) {
    start_follows_ = false;
    StartJvm(start_asked_by_);
  }
}

void Worker::StartJvm(const std::string& asked_by) {
  ++life_;
  auto_restart_ = start_follows_ = failed_ = false;
  exit_status_.reset();
  jvm_.emplace();
  jvm_->asked_for_by = asked_by;
  jvm_->facts = {++pid_, static_cast<uint64_t>(clock_.SinceBoot().count() / 10), boot_id_, clock_.Now(), true,
                 true};
  world_.Tell("{}: JVM {} starts{}", name, pid_, asked_by.empty() ? "" : " for " + asked_by);
  NoteUp();
  Later(world_.rng.Between(Millis{300}, Millis{1'200}), &Worker::Parse);
}

void Worker::Parse() {
  const auto facts = FactsIn(file());
  if (!facts || !facts->mode || refuses.contains(*facts->mode)) {
    world_.Tell("{}: it refuses its configuration", name);
    return Died(Death::kConfigRejected, 2);
  }
  jvm_->parsed = true;
  jvm_->parsed_at = world_.now();
  jvm_->parsed_wall = clock_.Now();
  jvm_->mode = *facts->mode;
  jvm_->delay = facts->delay.value_or(Millis{kDefaultDelayMs});
  jvm_->mode_by_us = mode_by_us_;
  world_.Tell("{}: JVM {} runs {}, delay {} ms", name, pid_, ToString(jvm_->mode), jvm_->delay.count());
  witness_.Parsed(*this);
  const Millis rest = world_.rng.Between(Millis{1'500}, Millis{6'000});
  const Millis join = rest + world_.rng.Between(Millis{0}, Millis{1'000});
  const auto mine = [this, life = life_] { return life == life_ && jvm_ && !jvm_->stopping; };
  world_.After(rest, [this, mine] {
    if (mine()) jvm_->rest = true;
  });
  world_.After(join, [this, mine] {
    if (mine()) group_.Join(index);
    if (mine()) jvm_->herder = true;
    NoteUp();
  });
}

void Worker::Died(Death death, int status) {
  const bool was_stopping = jvm_ && jvm_->stopping;
  const bool joined = jvm_ && jvm_->herder;
  jvm_.reset();
  ++life_;
  failed_ = true;
  death_ = death;
  death_wall_ = clock_.Now();
  exit_status_ = status;
  if (joined && !was_stopping) group_.Vanish(index);
  NoteUp();
  if (start_follows_) {
    start_follows_ = false;
    return StartJvm(start_asked_by_);
  }
  if (!habits.systemd || !habits.restart_on_failure || was_stopping) return;
  auto_restart_ = true;
  world_.After(habits.restart_delay, [this, life = life_] {
    if (life == life_ && auto_restart_) StartJvm("");
  });
}

void Worker::NoteUp() {
  if (up()) {
    down_since_.reset();
    down_by_us_ = false;
  } else if (!down_since_) {
    down_since_ = world_.now();
  }
}

void Worker::Later(Millis delay, void (Worker::*what)()) {
  world_.After(delay, [this, what, life = life_] {
    if (life == life_) (this->*what)();
  });
}

void Worker::OnFile() {
  const std::string before = std::exchange(last_file_, disk_.files.contains(path) ? file() : std::string());
  const auto old_facts = FactsIn(before);
  const auto new_facts = FactsIn(last_file_);
  if (!old_facts || !new_facts || old_facts->mode != new_facts->mode) mode_by_us_ = !acting.empty();
  witness_.FileChanged(*this, before);
}

}  // namespace eos::simulation
