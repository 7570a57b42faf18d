#include "tests/simulation/connect.h"

#include <algorithm>

#include "controller/fleet/fleet_view.h"

namespace eos::simulation {
namespace {

constexpr Millis kSessionTimeout{10'000};

}  // namespace

void Connect::AddConnector(const std::string& name, int tasks) {
  for (int task = -1; task < tasks; ++task) units_.push_back({.connector = name, .task = task});
}

void Connect::Join(int worker) {
  members_.push_back({worker, fmt::format("connect-{}-{:04}", worker + 1, ++joins_), false});
  world_.Tell("group: worker {} joins as {}", worker + 1, members_.back().id);
  Rebalance();
}

void Connect::Leave(int worker) {
  for (const Member& member : std::vector<Member>(members_)) {
    if (member.worker == worker && !member.dead) {
      world_.Tell("group: {} leaves", member.id);
      Remove(member.id);
    }
  }
}

void Connect::Vanish(int worker) {
  for (Member& member : members_) {
    if (member.worker != worker || member.dead) continue;
    member.dead = true;
    StopUnits(member.id, false);
    world_.After(kSessionTimeout, [this, id = member.id] {
      if (!Find(id)) return;
      world_.Tell("group: the session of {} runs out", id);
      Remove(id);
    });
  }
  NoteSettled();
}

void Connect::Remove(const std::string& member_id) {
  StopUnits(member_id, true);
  std::erase_if(members_, [&](const Member& m) { return m.id == member_id; });
  Rebalance();
}

void Connect::StopUnits(const std::string& member_id, bool graceful) {
  for (Unit& unit : units_) {
    if (unit.owner != member_id || !unit.runs) continue;
    unit.runs = false;
    // The worker's last write may or may not come through; nobody writes it for a dead one.
    if (graceful && world_.rng.Chance(0.7)) unit.state = TaskState::kUnassigned;
  }
}

void Connect::Rebalance() {
  if (stable_) {
    stable_ = false;
    world_.After(world_.rng.Between(Millis{50}, Millis{world_.rng.Chance(0.2) ? 3'000 : 400}),
                 [this] { Complete(); });
  }
  NoteSettled();
}

void Connect::Complete() {
  // Who does not answer holds the generation up until its session runs out.
  if (std::any_of(members_.begin(), members_.end(), [](const Member& m) { return m.dead; })) {
    world_.After(Millis{200}, [this] { Complete(); });
    return;
  }
  stable_ = true;
  ++generation_;
  delay_told_ = Millis{0};
  if (members_.empty()) {
    leader_.clear();
    for (Unit& unit : units_) unit.owner.clear();
    return NoteSettled();
  }
  if (!Leader()) {
    leader_ = world_.rng.Of(members_).id;
    new_leader_ = true;
  }
  const bool new_leader = std::exchange(new_leader_, false);
  world_.Tell("group: generation {}, {} members, {}{} leads", generation_, members_.size(), leader_,
              new_leader ? " now" : "");
  for (Unit& unit : units_) {
    if (!unit.owner.empty() && !Find(unit.owner)) unit.owner.clear();
    if (unit.owner.empty() && unit.revoked) {
      unit.revoked = false;
      Give(unit);
    }
  }
  if (HandOutLost(new_leader)) Balance();
  NoteSettled();
}

// True: nothing is held back. Only a leader that knows the last assignment holds lost tasks back (KIP-415).
bool Connect::HandOutLost(bool new_leader) {
  const bool lost =
      std::any_of(units_.begin(), units_.end(), [](const Unit& unit) { return unit.owner.empty(); });
  if (new_leader || !lost) delay_ends_.reset();
  if (!lost) return true;
  const Millis delay = peer_of_(Leader()->worker).delay;
  if (!new_leader && delay > Millis{0}) {
    if (!delay_ends_) {
      delay_ends_ = world_.now() + delay;
      world_.After(delay, [this, ends = *delay_ends_] {
        if (delay_ends_ == ends) Rebalance();
      });
    }
    if (world_.now() < *delay_ends_) {
      delay_told_ = *delay_ends_ - world_.now();
      world_.Tell("group: what was lost is held back for {} ms", delay_told_.count());
      return false;
    }
  }
  delay_ends_.reset();
  for (Unit& unit : units_) {
    if (unit.owner.empty()) Give(unit);
  }
  return true;
}

// Takes from the fullest for the emptiest: revoked in this generation, given in the next.
void Connect::Balance() {
  const auto by_load = [&](const Member& a, const Member& b) { return Load(a.id) < Load(b.id); };
  const auto [least, most] = std::minmax_element(members_.begin(), members_.end(), by_load);
  int surplus = (Load(most->id) - Load(least->id)) / 2;
  bool revoked = false;
  for (Unit& unit : units_) {
    if (surplus <= 0 || unit.owner != most->id) continue;
    --surplus;
    revoked = true;
    if (unit.runs) unit.state = TaskState::kUnassigned;
    unit.runs = false;
    unit.revoked = true;
    unit.owner.clear();
  }
  if (revoked) Rebalance();
}

void Connect::Give(Unit& unit) {
  const auto least = std::min_element(members_.begin(), members_.end(),
                                      [&](const auto& a, const auto& b) { return Load(a.id) < Load(b.id); });
  unit.owner = least->id;
  StartSoon(unit);
}

void Connect::StartSoon(Unit& unit) {
  world_.After(world_.rng.Between(Millis{100}, Millis{1'500}),
               [this, index = static_cast<size_t>(&unit - units_.data()), owner = unit.owner] {
                 if (units_[index].owner == owner) Start(units_[index]);
                 NoteSettled();
               });
}

void Connect::Start(Unit& unit) {
  const Member* member = Find(unit.owner);
  if (!member || member->dead || unit.runs) return;
  const Peer own = peer_of_(member->worker);
  if (!own.alive) return;
  unit.worker_id = fleet::WorkerIdOf(own.url);
  unit.failure = FailureKind::kNone;
  // KIP-618: a task's start asks the leader to fence its predecessors; what fails here is never tried again.
  if (own.mode == Mode::kEnabled && unit.task >= 0 && !LeaderAnswers()) {
    unit.state = TaskState::kFailed;
    unit.failure = FailureKind::kFencing;
    world_.Tell("task {} FAILED: the leader did not answer its fencing", unit.name());
    return;
  }
  unit.state = TaskState::kRunning;
  unit.runs = true;
}

void Connect::ChangeLeader() {
  if (members_.size() < 2) return;
  world_.Tell("group: the leader loses its place");
  std::vector<Member> others = members_;
  std::erase_if(others, [&](const Member& m) { return m.id == leader_; });
  leader_ = world_.rng.Of(others).id;
  new_leader_ = true;
  Rebalance();
}

void Connect::FailTask() {
  std::vector<Unit*> running;
  for (Unit& unit : units_) {
    if (unit.runs && unit.task >= 0) running.push_back(&unit);
  }
  if (running.empty()) return;
  Unit& unit = *world_.rng.Of(running);
  unit.runs = false;
  unit.state = TaskState::kFailed;
  unit.failure = world_.rng.Chance(0.5) ? FailureKind::kConnector : FailureKind::kAuthorization;
  world_.Tell("task {} FAILED for {}", unit.name(), ToString(unit.failure));
  NoteSettled();
}

void Connect::RestartFailed() {
  for (Unit& unit : units_) {
    if (unit.state == TaskState::kFailed && Find(unit.owner)) StartSoon(unit);
  }
}

Status Connect::RestartFailedTasks(const std::string& connector) {
  if (!stable_) return Err(Reason::kRestUnavailable, "Connect answered 409: it rebalances");
  for (Unit& unit : units_) {
    if (unit.connector != connector || unit.state != TaskState::kFailed) continue;
    unit.state = TaskState::kRestarting;
    StartSoon(unit);
  }
  return OkStatus();
}

kafka::GroupView Connect::View() const {
  kafka::GroupView view;
  view.state = members_.empty() ? "Empty" : stable_ ? "Stable" : "PreparingRebalance";
  view.protocol_type = "connect";
  view.protocol = "sessioned";
  for (const Member& member : members_) {
    kafka::Member told;
    told.member_id = member.id;
    told.client_id = member.id;
    if (stable_) {
      told.url = peer_of_(member.worker).url;
      told.delay = delay_told_;
      for (const Unit& unit : units_) {
        if (unit.owner == member.id) told.assigned.push_back(unit.name());
      }
    }
    view.members.push_back(std::move(told));
  }
  if (stable_ && Leader()) {
    view.leader_id = leader_;
    view.leader_url = peer_of_(Leader()->worker).url;
  }
  return view;
}

std::vector<ConnectorStatus> Connect::Statuses() const {
  std::vector<ConnectorStatus> all;
  for (const Unit& unit : units_) {
    if (unit.task < 0) {
      ConnectorStatus connector;
      connector.name = unit.connector;
      connector.type = ConnectorType::kSource;
      connector.state = unit.state;
      connector.worker_id = unit.worker_id;
      connector.failure = unit.failure;
      all.push_back(std::move(connector));
    } else {
      all.back().tasks.push_back({unit.task, unit.state, unit.worker_id, unit.failure, {}});
    }
  }
  return all;
}

bool Connect::Holds(int worker) const {
  return std::any_of(members_.begin(), members_.end(), [&](const Member& m) { return m.worker == worker; });
}

std::string Connect::Unsettled() const {
  if (!stable_) return "it rebalances";
  if (delay_told_ > Millis{0}) return "a delay is pending";
  for (const Unit& unit : units_) {
    if (Settled(unit)) continue;
    return fmt::format("{} is {} on \"{}\", {} has it", unit.name(), ToString(unit.state), unit.worker_id,
                       unit.owner.empty() ? "nobody" : unit.owner);
  }
  return "nothing";
}

int Connect::Load(const std::string& member_id) const {
  return static_cast<int>(
      std::count_if(units_.begin(), units_.end(), [&](const Unit& unit) { return unit.owner == member_id; }));
}

const Connect::Member* Connect::Find(const std::string& member_id) const {
  const auto found =
      std::find_if(members_.begin(), members_.end(), [&](const Member& m) { return m.id == member_id; });
  return found == members_.end() ? nullptr : &*found;
}

bool Connect::LeaderAnswers() const {
  const Member* leader = Leader();
  return leader && !leader->dead && peer_of_(leader->worker).rest;
}

// An old RUNNING of the worker that is to start it again: Connect's REST does not tell the two apart.
bool Connect::LooksRunning(const Unit& unit) const {
  const Member* owner = Find(unit.owner);
  return owner && !owner->dead && unit.state == TaskState::kRunning &&
         unit.worker_id == fleet::WorkerIdOf(peer_of_(owner->worker).url);
}

bool Connect::Settled(const Unit& unit) const {
  return unit.runs || LooksRunning(unit) ||
         (unit.state == TaskState::kFailed && unit.failure != FailureKind::kFencing);
}

void Connect::NoteSettled() {
  const bool settled =
      stable_ && delay_told_ == Millis{0} &&
      std::all_of(units_.begin(), units_.end(), [this](const Unit& unit) { return Settled(unit); });
  if (settled) {
    unsettled_since_.reset();
  } else if (!unsettled_since_) {
    unsettled_since_ = world_.now();
  }
}

}  // namespace eos::simulation
