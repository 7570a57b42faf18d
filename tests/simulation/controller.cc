#include "tests/simulation/controller.h"

namespace eos::simulation {
namespace {

using rollout::Event;

}  // namespace

class Controller::OwnClock final : public Clock {
 public:
  explicit OwnClock(const Controller& own) : own_(own) {}
  Time Now() const override { return own_.world_.wall() + own_.order.skew; }
  Millis SinceBoot() const override { return own_.world_.now() + Millis{7'000'000}; }

 private:
  const Controller& own_;
};

// A request that nobody waits for any more may still arrive.
template <typename T>
void Controller::Send(Host& host, const std::function<T(Host&)>& handle,
                      const std::function<void(T)>& answer) {
  Rng& rng = world_.rng;
  const bool bad = world_.now() < network_.lossy_until;
  const Millis there =
      bad && rng.Chance(0.2) ? rng.Between(Millis{100}, Millis{8'000}) : rng.Between(Millis{1}, Millis{20});
  const bool lost = bad && rng.Chance(0.1);
  if (lost) return;
  world_.After(there, [this, &host, handle, answer, bad] {
    if (!host.powered() || world_.now() < network_.cut_until[&host]) return;
    T result = handle(host);
    Rng& chance = world_.rng;
    if (bad && chance.Chance(0.1)) return;  // the answer is lost
    world_.After(chance.Between(Millis{1}, Millis{20}),
                 [answer, result = std::move(result)] { answer(result); });
  });
}

template <typename T>
T Controller::Call(Host& host, const std::function<T(Host&)>& handle) {
  struct Pending {
    std::optional<T> answer;
    Program::Handle waits;
  };
  if (!program_.alive()) return Err(Reason::kUnreachable, "this program is dead");
  const auto pending = std::make_shared<Pending>();
  pending->waits = Program::Current();
  const std::function<void(T)> answered = [pending](T result) {
    if (!pending->answer) pending->answer = std::move(result);
    Program::Wake(pending->waits);
  };
  const bool cut = !host.powered() || world_.now() < network_.cut_until[&host];
  if (!cut) {
    Send<T>(host, handle, answered);
    if (world_.now() < network_.lossy_until && world_.rng.Chance(0.05)) Send<T>(host, handle, answered);
  }
  const Millis end = world_.now() + inventory_.policy.connect_limit;
  while (!pending->answer && world_.now() < end) program_.Wait(end - world_.now());
  if (pending->answer) return *std::move(pending->answer);
  if (cut)
    return Err(Reason::kUnreachable, fmt::format("agent \"{}\" cannot be reached", host.name),
               "see its host");
  return Err(Reason::kTimeout, fmt::format("agent \"{}\" did not answer", host.name), "see its host");
}

class Controller::Client final : public fleet::AgentClient {
 public:
  Client(Controller& own, Host& host) : own_(own), host_(host) {}

  const std::string& name() const override { return host_.name; }
  StatusOr<HostReport> Observe(const std::string&) override {
    return own_.Call<StatusOr<HostReport>>(host_, [](Host& host) { return host.Observe(); });
  }
  StatusOr<std::optional<Lease>> GetLease(const std::string& fleet) override {
    return own_.Call<StatusOr<std::optional<Lease>>>(host_,
                                                     [fleet](Host& host) { return host.GetLease(fleet); });
  }
  StatusOr<Lease> AcquireLease(const std::string& fleet, const std::string& session,
                               const std::string& holder, Millis ttl, const std::string& take_over) override {
    const operations::LeaseRequest request{fleet, session,  holder, "URI:spiffe://test/operator/alice",
                                           ttl,   take_over};
    return own_.Call<StatusOr<Lease>>(host_, [request](Host& host) { return host.AcquireLease(request); });
  }
  Status ReleaseLease(const std::string& fleet, const std::string& session) override {
    return own_.Call<Status>(host_,
                             [fleet, session](Host& host) { return host.ReleaseLease(fleet, session); });
  }
  StatusOr<OperationRecord> StartOperation(const OperationRequest& request) override {
    own_.decided_on_.emplace(request.id, own_.looked_at_);
    if (own_.failure_told_) own_.too_late_.insert(request.id);
    return own_.Call<StatusOr<OperationRecord>>(
        host_, [request](Host& host) { return host.StartOperation(request); });
  }
  StatusOr<OperationRecord> GetOperation(const std::string& id) override {
    return own_.Call<StatusOr<OperationRecord>>(host_, [id](Host& host) { return host.GetOperation(id); });
  }
  StatusOr<std::vector<ConnectorStatus>> ListConnectors(const std::string& worker) override {
    return own_.Call<StatusOr<std::vector<ConnectorStatus>>>(
        host_, [worker](Host& host) { return host.ListConnectors(worker); });
  }
  Status RestartFailedTasks(const std::string& worker, const std::string& connector,
                            const std::string& session, uint64_t epoch) override {
    return own_.Call<Status>(
        host_, [=](Host& host) { return host.RestartFailedTasks(worker, connector, session, epoch); });
  }
  // The executor asks none of these.
  Status WatchReports(const std::string&, Millis, const std::function<void(const HostReport&)>&,
                      const fleet::StopFlag&) override {
    return Err(Reason::kInternal, "not simulated");
  }
  StatusOr<OperationRecord> WatchOperation(const std::string&, Millis,
                                           const std::function<void(const OperationRecord&)>&,
                                           const fleet::StopFlag&) override {
    return Err(Reason::kInternal, "not simulated");
  }
  StatusOr<fleet::ProbeAnswer> ProbeExactlyOnce(const std::string&, const std::string&) override {
    return Err(Reason::kInternal, "not simulated");
  }
  StatusOr<ConnectorSettings> DescribeConnector(const std::string&, const std::string&) override {
    return Err(Reason::kInternal, "not simulated");
  }
  StatusOr<std::vector<Reachability>> CheckReachability(const std::string&,
                                                        const std::vector<std::string>&) override {
    return Err(Reason::kInternal, "not simulated");
  }

 private:
  Controller& own_;
  Host& host_;
};

class Controller::Background final : public fleet::Background {
 public:
  explicit Background(Controller& own) : own_(own) {}

  void ForEach(size_t n, const std::function<void(size_t)>& work) override {
    if (n == 0) return;
    if (n == 1 || !own_.program_.alive()) {
      for (size_t i = 0; i < n; ++i) work(i);
      return;
    }
    const auto left = std::make_shared<size_t>(n);
    const Program::Handle waits = Program::Current();
    for (size_t i = 0; i < n; ++i) {
      own_.program_.Spawn([&work, i, left, waits] {
        work(i);
        if (--*left == 0) Program::Wake(waits);
      });
    }
    own_.program_.Await([&] { return *left == 0; });
    if (*left > 0) own_.program_.Wait(Millis{0});  // killed
  }

  std::unique_ptr<Repeated> Every(Millis period, std::function<bool()> work) override {
    return std::make_unique<Repeats>(own_.program_, own_.world_, period, std::move(work));
  }

 private:
  class Repeats final : public Repeated {
   public:
    Repeats(Program& program, World& world, Millis period, std::function<bool()> work) : program_(program) {
      fiber_ = program.Spawn([state = state_, &program, &world, period, work = std::move(work)] {
        bool goes_on = true;
        while (goes_on && !state->ends) {
          const Millis next = world.now() + period;
          while (!state->ends && world.now() < next) program.Wait(next - world.now());
          if (!state->ends) goes_on = work();
        }
        state->ended = true;
        if (state->waits) Program::Wake(state->waits);
      });
    }
    ~Repeats() override {
      state_->ends = true;
      state_->waits = Program::Current();
      Program::Wake(fiber_);
      program_.Await([this] { return state_->ended; });
    }

   private:
    struct State {
      bool ends = false;
      bool ended = false;
      Program::Handle waits;
    };
    Program& program_;
    std::shared_ptr<State> state_ = std::make_shared<State>();
    Program::Handle fiber_;
  };

  Controller& own_;
};

class Controller::Group final : public kafka::GroupReader {
 public:
  explicit Group(Controller& own) : own_(own) {}
  StatusOr<kafka::GroupView> Read(Millis limit) override {
    own_.program_.Wait(own_.world_.rng.Between(Millis{1}, Millis{30}));
    if (own_.world_.now() < own_.network_.kafka_gone_until) {
      own_.program_.Wait(limit);
      return Err(Reason::kGroupUnreadable, "Local: Timed out", "see Kafka");
    }
    return own_.group_.View();
  }

 private:
  Controller& own_;
};

class Controller::Observer final : public fleet::FleetObserver {
 public:
  Observer(Controller& own, const Clock& clock, fleet::Background& background,
           std::vector<fleet::AgentClient*> clients)
      : own_(own), clock_(clock), background_(background), group_(own), clients_(std::move(clients)) {}

  fleet::FleetView Observe() override {
    own_.looked_at_ = own_.world_.now();
    own_.reported_ = false;
    return fleet::LookAt(own_.inventory_, clients_, group_, clock_, background_);
  }
  void AwaitChange(Millis limit, const fleet::StopFlag& stop) override {
    const Millis end = own_.world_.now() + limit;
    while (!own_.reported_ && !stop && own_.world_.now() < end) own_.program_.Wait(end - own_.world_.now());
  }

 private:
  Controller& own_;
  const Clock& clock_;
  fleet::Background& background_;
  Group group_;
  const std::vector<fleet::AgentClient*> clients_;
};

Controller::Controller(World& world, std::vector<Host*> hosts, Connect& group, Network& network,
                       Order own_order)
    : order(std::move(own_order)),
      world_(world),
      hosts_(std::move(hosts)),
      group_(group),
      network_(network),
      program_(world) {
  inventory_.fleet = "payments";
  inventory_.group_id = "g1";
  inventory_.policy = order.policy;
  for (const Host* host : hosts_) inventory_.agents.push_back({host->name, host->name + ":7443", ""});
  program_.Spawn([this] { Run(); });
}

void Controller::Run() {
  const OwnClock clock(*this);
  Background background(*this);
  std::vector<std::unique_ptr<Client>> clients;
  std::vector<fleet::AgentClient*> in_order;
  std::map<std::string, fleet::AgentClient*> by_name;
  for (Host* host : hosts_) {
    clients.push_back(std::make_unique<Client>(*this, *host));
    in_order.push_back(clients.back().get());
    by_name[host->name] = clients.back().get();
  }
  Observer observer(*this, clock, background, in_order);
  outcome_ = rollout::Apply(
      order.goal, inventory_, {by_name, observer, clock, background},
      {order.session, "alice@jump1", order.take_over}, [this](const Event& event) { OnEvent(event); }, stop_);
  world_.Tell("{}: ends with exit code {}{}", order.session, static_cast<int>(outcome_->code),
              outcome_->problem ? ": " + outcome_->problem->message : "");
}

void Controller::OnEvent(const Event& event) {
  if (event.operation && event.operation->finished() && event.operation->outcome != OperationOutcome::kDone &&
      event.operation->outcome != OperationOutcome::kUnchanged) {
    failure_told_ = true;
  }
  if (!world_.tells() || event.text == last_line_ || event.kind == Event::Kind::kEnded) return;
  last_line_ = event.text;
  world_.Tell("{}: {}", order.session, event.text);
}

std::optional<Millis> Controller::DecidedOn(const std::string& operation) const {
  const auto found = decided_on_.find(operation);
  if (found == decided_on_.end()) return std::nullopt;
  return found->second;
}

void Controller::Interrupt() {
  world_.Tell("{}: ^C", order.session);
  stop_ = true;
  program_.WakeAll();
}

void Controller::Kill() {
  world_.Tell("{}: is killed", order.session);
  program_.Kill();
}

void Controller::Stall(Millis time) {
  world_.Tell("{}: does not move for {} s", order.session, time.count() / 1000);
  program_.Stall(time);
}

void Controller::Report() {
  if (world_.now() < network_.deaf_until) return;
  world_.After(world_.rng.Between(Millis{5}, Millis{100}), [this] {
    reported_ = true;
    program_.WakeAll();
  });
}

}  // namespace eos::simulation
