#include "controller/rollout/executor.h"

#include <spdlog/fmt/fmt.h>

#include "common/base/words.h"
#include "controller/rollout/lease_keeper.h"

namespace eos::rollout {
namespace {

using fleet::AgentClient;
using fleet::FleetView;

// How long an agent that does not answer is asked again about an operation beyond the operation's own limits:
// its host may be rebooting.
constexpr Millis kAgentReturns{120'000};
constexpr Millis kBetweenTries{1'000};

class Run {
 public:
  Run(const Goal& goal, const fleet::Inventory& inventory, const std::map<std::string, AgentClient*>& agents,
      fleet::FleetObserver& observer, const Clock& clock, const Caller& caller,
      const std::function<void(const Event&)>& on_event, const fleet::StopFlag& stop)
      : goal_(goal),
        inventory_(inventory),
        policy_(inventory.policy),
        agents_(agents),
        observer_(observer),
        clock_(clock),
        caller_(caller),
        on_event_(on_event),
        stop_(stop),
        began_(clock.Now()),
        began_boot_(clock.SinceBoot()),
        lease_({inventory.fleet, caller.session, caller.holder, policy_.lease_ttl, caller.take_over},
               Clients(agents)) {}

  Outcome Go() {
    while (true) {
      if (stop_) return End(Interrupted());
      if (auto lost = lease_.Lost()) return End(*lost);
      Look();
      const Decision decision = Decide(view_, goal_, policy_, history_, Now());
      Tell(decision);
      if (decision.kind == DecisionKind::kStop) return End(*decision.problem);
      if (decision.kind == DecisionKind::kDone) return Done();
      // The lease is taken before the first wait: a second controller is refused at once, not after minutes.
      if (!leased_) {
        if (const Status status = lease_.Acquire(); !status.ok()) return End(ProblemOf(status));
        leased_ = true;
        Tell(Event::Kind::kLease,
             fmt::format("lease on \"{}\" at {} agents", inventory_.fleet, agents_.size()));
        continue;  // look again: what was seen may have been somebody else's last act
      }
      std::optional<Problem> problem;
      if (decision.kind == DecisionKind::kAct) problem = Act(decision);
      if (decision.kind == DecisionKind::kRepair) Repair(decision.repair_connector);
      if (problem) return End(*problem);
      if (decision.kind != DecisionKind::kAct) observer_.AwaitChange(policy_.observe_every, stop_);
    }
  }

 private:
  static std::vector<AgentClient*> Clients(const std::map<std::string, AgentClient*>& agents) {
    std::vector<AgentClient*> clients;
    for (const auto& [name, client] : agents) clients.push_back(client);
    return clients;
  }

  // Wall clock of the beginning plus what the boot clock says since: a step of the clock ends no limit.
  Time Now() const { return began_ + (clock_.SinceBoot() - began_boot_); }

  void Look() {
    view_ = observer_.Observe();
    history_ = Note(std::move(history_), view_, policy_, Now());
    Tell(Event::Kind::kObserved, Standing(view_));
  }

  std::optional<Problem> Act(const Decision& decision) {
    const Step& step = *decision.step;
    const auto found = agents_.find(step.agent);
    if (found == agents_.end())
      return Problem{Reason::kInternal, "no client for agent \"" + step.agent + "\"", {}};
    AgentClient& agent = *found->second;

    OperationRequest request;
    request.id = fmt::format("{}-{}", caller_.session, ++operations_);
    request.worker = step.worker;
    request.lease_session = caller_.session;
    request.lease_epoch = lease_.EpochAt(step.agent);
    request.expected_sha256 = decision.file_sha256;
    request.mode = step.to;
    request.delay = step.delay;
    request.temporary_delay = step.temporary_delay;
    request.restart = step.restart;
    request.stop_limit = policy_.stop_limit;
    request.start_limit = policy_.start_limit;

    if (step.restart) RememberMember(step.worker);
    history_.acted = true;
    history_.good_in_a_row = 0;
    history_.last_good.reset();
    history_.waiting_since.reset();

    const auto record = Carry(agent, request);
    if (!record.ok()) return ProblemOf(record.status());
    if (record->starts > 0) ++history_.restarts[step.worker];
    if (!record->new_sha256.empty()) history_.written[step.worker] = record->new_sha256;
    if (record->outcome == OperationOutcome::kDone || record->outcome == OperationOutcome::kUnchanged) {
      return std::nullopt;
    }
    if (record->outcome == OperationOutcome::kRolledBack) history_.written.erase(step.worker);
    return record->problem.value_or(Problem{
        Reason::kInternal,
        fmt::format("operation {} ended as {} without a reason", request.id, ToString(record->outcome)),
        {}});
  }

  // Starting is repeated under the same id until the agent is known to have it or to have refused it.
  StatusOr<OperationRecord> Carry(AgentClient& agent, const OperationRequest& request) {
    const Millis give_up = clock_.SinceBoot() + policy_.connect_limit + kAgentReturns;
    auto started = agent.StartOperation(request);
    while (!started.ok() && NotAnswered(started.status()) && clock_.SinceBoot() < give_up && !stop_) {
      observer_.AwaitChange(kBetweenTries, stop_);
      started = agent.StartOperation(request);
    }
    if (!started.ok())
      return Annotate(started.status(), fmt::format("starting the change of worker \"{}\"", request.worker));
    Tell(*started);
    if (started->finished()) return started;
    auto finished = agent.WatchOperation(
        request.id, request.stop_limit + 2 * request.start_limit + kAgentReturns,
        [&](const OperationRecord& record) { Tell(record); }, stop_);
    if (!finished.ok() && ReasonOf(finished.status()) == Reason::kInterrupted) {
      Problem problem = Interrupted();
      problem.message += fmt::format("; operation {} on worker \"{}\" is under way and its agent finishes it",
                                     request.id, request.worker);
      return Err(problem);
    }
    return finished;
  }

  static bool NotAnswered(const Status& status) {
    return ReasonOf(status) == Reason::kUnreachable || ReasonOf(status) == Reason::kTimeout;
  }

  // After its restart the worker must be in the group under another member id.
  void RememberMember(const std::string& worker) {
    const auto* seen = view_.Find(worker);
    if (!seen || !view_.group) return;
    for (const kafka::Member& member : view_.group->members) {
      if (fleet::NormalUrl(member.url) == fleet::NormalUrl(seen->facts.advertised_url)) {
        history_.old_member[worker] = member.member_id;
      }
    }
  }

  void Repair(const std::string& connector) {
    history_.repaired[connector] = Now();
    history_.good_in_a_row = 0;
    Status last = Err(Reason::kRestUnavailable, "no worker's REST answers");
    for (const auto& worker : view_.workers) {
      if (!worker.facts.rest || !worker.facts.rest->herder_answers) continue;
      const auto agent = agents_.find(worker.agent);
      if (agent == agents_.end()) continue;
      last = agent->second->RestartFailedTasks(worker.facts.name, connector, caller_.session,
                                               lease_.EpochAt(worker.agent));
      if (last.ok()) break;
    }
    // Connect refuses while it rebalances; such a try restarted nothing and does not count.
    if (last.ok()) ++history_.task_restarts[connector];
    const std::string name = Printable(connector);
    if (last.ok()) {
      Tell(Event::Kind::kRepaired, fmt::format("failed tasks of \"{}\" restarted", name));
    } else {
      Tell(Event::Kind::kRepaired, fmt::format("failed tasks of \"{}\" not restarted", name),
           ProblemOf(last));
    }
  }

  Problem Interrupted() const {
    return {Reason::kInterrupted, fmt::format("interrupted; {}", Standing(view_)),
            "run the same apply again: it goes on from here"};
  }

  Outcome Done() {
    lease_.Release();
    Tell(Event::Kind::kEnded, fmt::format("done in {}", FormatDuration(Took())));
    return {ExitCode::kDone, std::nullopt, std::move(view_), std::move(history_), Took()};
  }

  Outcome End(Problem problem) {
    ExitCode code = Info(problem.reason).exit_code;
    if (history_.acted && problem.reason != Reason::kInterrupted) {
      code = ExitCode::kStopped;
      problem.message = fmt::format("stopped in mid-rollout: {}; {}", problem.message, Standing(view_));
    }
    lease_.Release();
    Tell(Event::Kind::kEnded, problem.message, problem);
    return {code, std::move(problem), std::move(view_), std::move(history_), Took()};
  }

  Millis Took() const { return clock_.SinceBoot() - began_boot_; }

  void Tell(Event& event) {
    event.at = clock_.Now();
    event.view = &view_;
    on_event_(event);
  }
  void Tell(Event::Kind kind, std::string text, std::optional<Problem> problem = std::nullopt) {
    Event event;
    event.kind = kind;
    event.text = std::move(text);
    event.problem = std::move(problem);
    Tell(event);
  }
  void Tell(const Decision& decision) {
    Event event;
    event.kind = Event::Kind::kDecided;
    event.decision = &decision;
    event.text = Line(decision);
    Tell(event);
  }
  void Tell(const OperationRecord& record) {
    Event event;
    event.kind = Event::Kind::kOperation;
    event.operation = &record;
    event.text = Line(record);
    Tell(event);
  }

  static std::string Line(const Decision& decision) {
    switch (decision.kind) {
      case DecisionKind::kAct: {
        const Step& step = *decision.step;
        return fmt::format("worker \"{}\": {} to {}{}: {}", step.worker,
                           step.restart ? "restart" : "set file", ToString(step.to),
                           step.delay == DelayChange::kKeep ? "" : ", with its delay", step.why);
      }
      case DecisionKind::kRepair:
        return fmt::format("restart failed tasks of \"{}\"", Printable(decision.repair_connector));
      case DecisionKind::kWait:
        return "waiting: " + (decision.unmet.empty() ? std::string() : decision.unmet.front()) +
               (decision.unmet.size() > 1 ? fmt::format(" and {} more", decision.unmet.size() - 1) : "");
      case DecisionKind::kDone:
        return "nothing left to do";
      case DecisionKind::kStop:
        return "stop: " + decision.problem->message;
    }
    return {};
  }

  static std::string Line(const OperationRecord& record) {
    return fmt::format("worker \"{}\": {}{}", record.request.worker, ToString(record.step),
                       record.finished() ? fmt::format(" ({})", ToString(record.outcome)) : "");
  }

  const Goal& goal_;
  const fleet::Inventory& inventory_;
  const fleet::Policy& policy_;
  const std::map<std::string, AgentClient*>& agents_;
  fleet::FleetObserver& observer_;
  const Clock& clock_;
  const Caller& caller_;
  const std::function<void(const Event&)>& on_event_;
  const fleet::StopFlag& stop_;
  const Time began_;
  const Millis began_boot_;
  FleetView view_;
  History history_;
  LeaseKeeper lease_;
  bool leased_ = false;
  int operations_ = 0;
};

}  // namespace

Outcome Apply(const Goal& goal, const fleet::Inventory& inventory,
              const std::map<std::string, AgentClient*>& agents, fleet::FleetObserver& observer,
              const Clock& clock, const Caller& caller, const std::function<void(const Event&)>& on_event,
              const fleet::StopFlag& stop) {
  return Run(goal, inventory, agents, observer, clock, caller, on_event, stop).Go();
}

}  // namespace eos::rollout
