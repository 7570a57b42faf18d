// The Connect cluster as its group coordinator, its leader and its status topic make it: members, leader,
// rebalances with revocations, the rebalance delay, fencing, and a status topic that keeps old RUNNINGs.
// After what real clusters did, KIP-415 and KIP-618.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/model/connectors.h"
#include "common/model/mode.h"
#include "controller/kafka/group.h"
#include "tests/simulation/world.h"

namespace eos::simulation {

// What the group sees of a worker's process.
struct Peer {
  std::string url;
  bool alive = false;  // the process is there and does not stop
  bool rest = false;   // its REST answers
  Mode mode{};
  Millis delay{};
};

class Connect {
 public:
  using PeerOf = std::function<Peer(int worker)>;
  Connect(World& world, PeerOf peer_of) : world_(world), peer_of_(std::move(peer_of)) {}

  void AddConnector(const std::string& name, int tasks);
  void Join(int worker);
  void Leave(int worker);   // its last words: a graceful stop
  void Vanish(int worker);  // it was killed: the session runs out 10 s later
  void ChangeLeader();
  void FailTask();       // for a cause of the connector's own
  void RestartFailed();  // an operator does it, for every cause
  // As POST /connectors/NAME/restart: kRestUnavailable in mid-rebalance (409).
  Status RestartFailedTasks(const std::string& connector);

  kafka::GroupView View() const;
  std::vector<ConnectorStatus> Statuses() const;

  bool Holds(int worker) const;  // it is a member, dead or alive
  // Since when not everything is as it should be: the group in motion, a delay pending, something not run.
  // A task that failed for a cause of its own does not count.
  std::optional<Millis> unsettled_since() const { return unsettled_since_; }
  std::string Unsettled() const;  // what it is

 private:
  struct Member {
    int worker = 0;
    std::string id;
    bool dead = false;  // it does not answer any more; the coordinator does not know yet
  };
  struct Unit {  // a connector or one of its tasks
    std::string connector;
    int task = -1;
    std::string owner{};  // member id
    bool revoked = false;
    bool runs = false;
    TaskState state = TaskState::kUnassigned;  // as the status topic says
    std::string worker_id{};
    FailureKind failure = FailureKind::kNone;
    std::string name() const { return task < 0 ? connector : fmt::format("{}-{}", connector, task); }
  };

  void Remove(const std::string& member_id);
  void StopUnits(const std::string& member_id, bool graceful);
  void Rebalance();
  void Complete();
  bool HandOutLost(bool new_leader);
  void Balance();
  void Give(Unit& unit);
  void StartSoon(Unit& unit);
  void Start(Unit& unit);
  int Load(const std::string& member_id) const;
  const Member* Find(const std::string& member_id) const;
  const Member* Leader() const { return Find(leader_); }
  bool LeaderAnswers() const;
  bool LooksRunning(const Unit& unit) const;
  bool Settled(const Unit& unit) const;
  void NoteSettled();

  World& world_;
  const PeerOf peer_of_;
  std::vector<Member> members_;
  std::vector<Unit> units_;
  std::string leader_;
  bool stable_ = true;
  bool new_leader_ = false;
  int joins_ = 0;
  uint64_t generation_ = 0;
  std::optional<Millis> delay_ends_;
  Millis delay_told_{};
  std::optional<Millis> unsettled_since_;
};

}  // namespace eos::simulation
