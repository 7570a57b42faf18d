#include "controller/rollout/executor.h"

#include <spdlog/fmt/fmt.h>

#include "common/base/words.h"
#include "controller/rollout/lease_keeper.h"

namespace eos::rollout {
namespace {

using fleet::AgentClient;
using fleet::FleetView;

// How long an agent that does not answer is asked again about its operation: its host may be rebooting.
constexpr Millis kAgentReturns{120'000};

struct UnderWay {
  OperationRequest request;
  AgentClient* agent = nullptr;
  bool known = false;  // the agent said that it has it
  OperationStep step = OperationStep::kAccepted;
  std::optional<Problem> problem;  // that the agent has told of it so far
  Millis began{};                  // boot clock
  Millis answered{};               // boot clock: the agent's last answer, or when it was first asked
  bool ended = false;
};

class Run {
 public:
  Run(const Goal& goal, const fleet::Inventory& inventory, const Means& means, const Caller& caller,
      const std::function<void(const Event&)>& on_event, const fleet::StopFlag& stop)
      : goal_(goal),
        inventory_(inventory),
        policy_(inventory.policy),
        agents_(means.agents),
        observer_(means.observer),
        clock_(means.clock),
        caller_(caller),
        on_event_(on_event),
        stop_(stop),
        began_(clock_.Now()),
        began_boot_(clock_.SinceBoot()),
        lease_({inventory.fleet, caller.session, caller.holder, policy_.lease_ttl, caller.take_over},
               Clients(agents_), means.background) {}

  Outcome Go() {
    while (true) {
      if (stop_) return End(Interrupted());
      if (auto lost = lease_.Lost()) return End(*lost);
      Look();
      // What was begun is followed to its end, whatever the gates say; then nothing more is begun if it
      // failed.
      Follow();
      if (under_way_.empty() && failed_) return End(*failed_);
      if (!under_way_.empty()) {
        observer_.AwaitChange(policy_.observe_every, stop_);
        continue;
      }
      const Decision decision = Decide(view_, goal_, policy_, history_, Now());
      Tell(decision);
      if (decision.kind == DecisionKind::kStop) return End(*decision.problem);
      if (decision.kind == DecisionKind::kDone) return Done();
      if (decision.kind == DecisionKind::kPause) return Paused(*decision.problem);
      // The lease is taken before the first wait: a second controller is refused at once, not after minutes.
      if (!leased_) {
        if (const Status status = lease_.Acquire(); !status.ok()) return End(ProblemOf(status));
        leased_ = true;
        Tell(Event::Kind::kLease,
             fmt::format("lease on \"{}\" at {} agents", inventory_.fleet, agents_.size()));
        continue;  // look again: what was seen may have been somebody else's last act
      }
      if (decision.kind == DecisionKind::kAct) Act(decision);
      if (decision.kind == DecisionKind::kRepair) Repair(decision.repair_connector);
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

  void Act(const Decision& decision) {
    history_.acted = true;
    history_.good_in_a_row = 0;
    history_.last_good.reset();
    history_.waiting_since.reset();
    history_.timings.acted_at = Now();
    for (const Step& step : decision.steps) Begin(step);
    Follow();
  }

  void Begin(const Step& step) {
    const auto found = agents_.find(step.agent);
    if (found == agents_.end()) {
      failed_ = Problem{Reason::kInternal, "no client for agent \"" + step.agent + "\"", {}};
      return;
    }
    UnderWay operation;
    operation.agent = found->second;
    OperationRequest& request = operation.request;
    request.id = fmt::format("{}-{}", caller_.session, ++operations_);
    request.worker = step.worker;
    request.lease_session = caller_.session;
    request.lease_epoch = lease_.EpochAt(step.agent);
    request.expected_sha256 = step.file_sha256;
    request.mode = step.to;
    request.delay = step.delay;
    request.temporary_delay = step.temporary_delay;
    request.restart = step.restart;
    request.stop_limit = policy_.stop_limit;
    request.start_limit = policy_.start_limit;
    if (step.restart) RememberMember(step.worker);
    operation.began = operation.answered = clock_.SinceBoot();
    history_.under_way[request.worker] = request.id;
    under_way_.push_back(std::move(operation));
  }

  // Asks after every operation under way, and tells what is new. The first problem is kept.
  void Follow() {
    for (UnderWay& operation : under_way_) Ask(operation);
    std::erase_if(under_way_, [&](const UnderWay& operation) {
      if (!operation.ended) return false;
      history_.under_way.erase(operation.request.worker);
      return true;
    });
  }

  // Starting is repeated under the same id until the agent is known to have it or to have refused it: a
  // request that is only late must not meet another one. After a failure nothing is begun any more (S6).
  void Ask(UnderWay& operation) {
    const OperationRequest& request = operation.request;
    auto record = operation.known || failed_ ? operation.agent->GetOperation(request.id)
                                             : operation.agent->StartOperation(request);
    if (!record.ok()) {
      if (failed_ && !operation.known && ReasonOf(record.status()) == Reason::kNotFound) {
        operation.ended = true;  // it never got there
        return;
      }
      const bool silent = NotAnswered(record.status());
      const Millis limit = policy_.connect_limit + kAgentReturns;
      if (silent && clock_.SinceBoot() - operation.answered < limit) return;
      operation.ended = true;
      Fail(ProblemOf(Annotate(record.status(),
                              fmt::format("{} the change of worker \"{}\"",
                                          operation.known ? "following" : "starting", request.worker))));
      return;
    }
    operation.answered = clock_.SinceBoot();
    const bool news =
        !operation.known || record->step != operation.step || record->problem != operation.problem;
    operation.known = true;
    operation.step = record->step;
    operation.problem = record->problem;
    if (news) Tell(*record);
    if (record->finished()) {
      Conclude(operation, *record);
    } else if (StopHangs(*record)) {
      operation.ended = true;  // as below; the service manager or a person ends that process
      Fail(*record->problem);
    } else if (const Millis limit = LimitOf(request); clock_.SinceBoot() - operation.began > limit) {
      // The agent goes on with it, so that the worker is not left down (S7); this run does not wait for that.
      operation.ended = true;
      Fail(record->problem.value_or(
          Problem{Reason::kTimeout,
                  fmt::format("operation {} on worker \"{}\" has not ended within {}, it is at {}; its agent "
                              "goes on with it",
                              request.id, request.worker, FormatDuration(limit), ToString(record->step)),
                  "see the logs of eos-agent and of the worker there"}));
    }
  }

  static bool StopHangs(const OperationRecord& record) {
    return record.step == OperationStep::kStopping && record.problem &&
           record.problem->reason == Reason::kStopTimeout;
  }

  // Its own limits, a start on the old bytes included, and some.
  static Millis LimitOf(const OperationRequest& request) {
    return request.stop_limit + 2 * request.start_limit + kAgentReturns;
  }

  void Conclude(UnderWay& operation, const OperationRecord& record) {
    operation.ended = true;
    const std::string& worker = record.request.worker;
    if (record.starts > 0) ++history_.restarts[worker];
    if (!record.new_sha256.empty()) history_.written[worker] = record.new_sha256;
    if (record.outcome == OperationOutcome::kDone || record.outcome == OperationOutcome::kUnchanged) return;
    if (record.outcome == OperationOutcome::kRolledBack) history_.written.erase(worker);
    Fail(record.problem.value_or(Problem{
        Reason::kInternal,
        fmt::format("operation {} ended as {} without a reason", record.request.id, ToString(record.outcome)),
        {}}));
  }

  void Fail(Problem problem) {
    if (!failed_) failed_ = std::move(problem);
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
    std::string text = fmt::format("interrupted; {}", Standing(view_));
    for (const UnderWay& operation : under_way_) {
      text += fmt::format("; operation {} on worker \"{}\" is under way and its agent finishes it",
                          operation.request.id, operation.request.worker);
    }
    return {Reason::kInterrupted, std::move(text), "run the same apply again: it goes on from here"};
  }

  Outcome Done() {
    lease_.Release();
    Tell(Event::Kind::kEnded, fmt::format("done in {}", FormatDuration(Took())));
    return {ExitCode::kDone, std::nullopt, std::move(view_), std::move(history_), Took()};
  }

  Outcome Paused(Problem problem) {
    lease_.Release();
    problem.message += "; " + Standing(view_);
    Tell(Event::Kind::kEnded, problem.message, problem);
    return {ExitCode::kPaused, std::move(problem), std::move(view_), std::move(history_), Took()};
  }

  Outcome End(Problem problem) {
    ExitCode code = Info(problem.reason).exit_code;
    // Whatever stopped it, and wherever that was made: nobody is left without a next step (S6).
    if (problem.fix.empty())
      problem.fix = "clear what is named, then run the same apply again: it goes on from here";
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
    if (decision.kind == DecisionKind::kAct) event.text += Left();
    Tell(event);
  }
  void Tell(const OperationRecord& record) {
    Event event;
    event.kind = Event::Kind::kOperation;
    event.operation = &record;
    event.text = Line(record);
    Tell(event);
  }

  // What is left, once a step of this run has been timed.
  std::string Left() const {
    if (history_.timings.steps.empty()) return {};
    const auto left = ForecastOf(MakePlan(view_, goal_, policy_), history_);
    if (!left) return {};
    return fmt::format(" ({} restart{} left: about {} and {:.0f} task-seconds, going by those so far)",
                       left->restarts, left->restarts == 1 ? "" : "s", FormatDuration(left->time),
                       static_cast<double>(left->task_time.count()) / 1000);
  }

  static std::string Line(const Decision& decision) {
    switch (decision.kind) {
      case DecisionKind::kAct: {
        std::string text;
        for (const Step& step : decision.steps) {
          text += fmt::format("{}worker \"{}\": {} to {}{}: {}", text.empty() ? "" : "; ", step.worker,
                              step.restart ? "restart" : "set file", ToString(step.to),
                              step.delay == DelayChange::kKeep ? "" : ", with its delay", step.why);
        }
        return text;
      }
      case DecisionKind::kRepair:
        return fmt::format("restart failed tasks of \"{}\"", Printable(decision.repair_connector));
      case DecisionKind::kWait:
        return "waiting: " + (decision.unmet.empty() ? std::string() : decision.unmet.front()) +
               (decision.unmet.size() > 1 ? fmt::format(" and {} more", decision.unmet.size() - 1) : "");
      case DecisionKind::kDone:
        return "nothing left to do";
      case DecisionKind::kPause:
        return decision.problem->message;
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
  std::vector<UnderWay> under_way_;
  std::optional<Problem> failed_;
};

}  // namespace

Outcome Apply(const Goal& goal, const fleet::Inventory& inventory, const Means& means, const Caller& caller,
              const std::function<void(const Event&)>& on_event, const fleet::StopFlag& stop) {
  return Run(goal, inventory, means, caller, on_event, stop).Go();
}

}  // namespace eos::rollout
