#include "tests/simulation/scenario.h"

#include <algorithm>

#include "tests/simulation/checks.h"

namespace eos::simulation {
namespace {

using Fault = fakes::FaultyFileSystem::Fault;

constexpr Millis Seconds(int n) { return Millis{n * 1'000}; }
constexpr Millis kSettles{Seconds(120)};
constexpr Millis kLongest{Seconds(3'600)};  // of one run: its own limits are far below
constexpr uint64_t kMostSteps = 3'000'000;

class Scenario {
 public:
  Scenario(uint64_t seed, bool with_story)
      : world_(seed, with_story),
        group_(world_, [this](int worker) { return PeerOf(worker); }),
        checks_(world_, group_) {}

  Result Run() {
    Result result;
    try {
      SetUp();
      Disturbed();
      Quiet();
      Converge();
    } catch (const Violation& broken) {
      world_.Tell("{} IS BROKEN: {}", broken.rule, broken.what());
      result.failed = true;
      result.rule = broken.rule;
      result.what = broken.what();
    } catch (const std::exception& error) {
      result.failed = true;
      result.rule = "bug";
      result.what = error.what();
    }
    result.story = world_.story();
    result.restarts = checks_.restarts();
    result.runs = static_cast<int>(runs_.size());
    result.workers = static_cast<int>(checks_.workers.size());
    result.faults = faults_;
    runs_.clear();
    return result;
  }

 private:
  // The fleet.

  void SetUp() {
    Rng& rng = world_.rng;
    const int workers = rng.Of<int>({1, 2, 3, 3, 3, 3, 4, 5, 6});
    const Mode mode =
        rng.Of<Mode>({Mode::kDisabled, Mode::kDisabled, Mode::kDisabled, Mode::kPreparing, Mode::kEnabled});
    target_ =
        rng.Of<Mode>({Mode::kEnabled, Mode::kEnabled, Mode::kEnabled, Mode::kPreparing, Mode::kDisabled});
    const bool mixed = rng.Chance(0.1);
    const Habits common{rng.Chance(0.7), rng.Chance(0.6), rng.Between(Millis{100}, Seconds(10)),
                        rng.Chance(0.7)};
    for (int i = 0; i < workers; ++i) {
      if (hosts_.empty() || !rng.Chance(0.15)) AddHost();
      Habits habits = common;
      if (rng.Chance(0.1)) habits.log = !habits.log;
      const Mode own = mixed ? rng.Of<Mode>({Mode::kDisabled, Mode::kPreparing, Mode::kEnabled}) : mode;
      hosts_.back()->Add(i, habits, UsersFile(i, own));
      checks_.workers.push_back(hosts_.back()->workers.back().get());
    }
    for (int i = rng.Between(1, 4); i > 0; --i)
      group_.AddConnector(fmt::format("orders{}", i), rng.Between(1, 3));
    checks_.Begin();
    DrawPolicy();
    world_.Tell("{} workers on {} hosts, {} to {}", workers, hosts_.size(), mixed ? "mixed" : ToString(mode),
                ToString(target_));
    for (const auto& host : hosts_) {
      for (const auto& worker : host->workers) worker->Boot();
      host->StartAgent();
    }
    Until(kSettles, [this] { return AllUp() && !group_.unsettled_since(); });
    if (rng.Chance(0.1)) OutsideEdit();  // an unfinished change of somebody's
  }

  void AddHost() {
    const Millis skew = world_.rng.Chance(0.8) ? world_.rng.Between(Millis{-200}, Millis{200})
                                               : world_.rng.Between(Seconds(-600), Seconds(600));
    hosts_.push_back(
        std::make_unique<Host>(world_, group_, checks_, fmt::format("c{}", hosts_.size() + 1), skew));
    hosts_.back()->on_news = [this] {
      for (const auto& run : runs_) {
        if (run->runs()) run->Report();
      }
    };
    checks_.hosts.push_back(hosts_.back().get());
  }

  std::string UsersFile(int worker, Mode mode) {
    Rng& rng = world_.rng;
    std::string file = "bootstrap.servers=k1:9092\ngroup.id=g1\n";
    if (rng.Chance(0.3)) file += "# connect worker\r\nplugin.path = /opt/a,\\\n   /opt/b\n";
    if (rng.Chance(0.2)) file += fmt::format("{} : disabled\n", kModeKey);  // shadowed below
    if (mode != Mode::kDisabled || rng.Chance(0.5)) file += fmt::format("{}={}\n", kModeKey, ToString(mode));
    if (rng.Chance(0.4)) {
      file += fmt::format("{} = {}\n", kDelayKey,
                          rng.Of<std::string>({"300000", "60000", "0", "500", "5\\u0030000 "}));
    }
    file += fmt::format("rest.advertised.host.name=w{}", worker + 1);
    if (rng.Chance(0.8)) file += "\n";
    return file;
  }

  void DrawPolicy() {
    Rng& rng = world_.rng;
    policy_.rebalance = rng.Chance(0.85) ? fleet::RebalancePolicy::kFast : fleet::RebalancePolicy::kKeepUser;
    policy_.temporary_delay = Millis{rng.Of<int>({500, 1'000, 3'000})};
    policy_.max_unavailable = rng.Chance(0.8) ? 1 : 2;
    policy_.good_observations = rng.Between(1, 3);
    policy_.worker_limit = Seconds(rng.Between(40, 120));
    policy_.lease_ttl = Seconds(rng.Of<int>({5, 15, 60}));
    policy_.stop_limit = Seconds(rng.Between(10, 60));
    policy_.start_limit = Seconds(rng.Between(20, 60));
    policy_.connect_limit = Seconds(rng.Between(1, 5));
    policy_.whole_limit = Seconds(1'800);
  }

  Peer PeerOf(int worker) const {
    const auto workers = static_cast<int>(checks_.workers.size());
    if (worker < workers) return checks_.workers[static_cast<size_t>(worker)]->peer();
    const Stranger& stranger = checks_.strangers[static_cast<size_t>(worker - kStrangers)];
    return {stranger.url, stranger.present, stranger.present, stranger.mode, Millis{kDefaultDelayMs}};
  }

  // Operators.

  Controller& Apply(Mode target, const std::string& take_over = {}) {
    Order order;
    order.session = fmt::format("session-number-{:02}", runs_.size() + 1);
    order.goal.target = target;
    order.goal.group_id = "g1";
    order.policy = policy_;
    order.take_over = take_over;
    order.skew = world_.rng.Between(Millis{-500}, Millis{500});
    std::vector<Host*> hosts;
    for (const auto& host : hosts_) hosts.push_back(host.get());
    world_.Tell("{}: eosctl apply --to {}{}", order.session, ToString(target),
                take_over.empty() ? "" : " --take-over " + take_over);
    runs_.push_back(std::make_unique<Controller>(world_, hosts, group_, network_, std::move(order)));
    checks_.controllers.push_back(runs_.back().get());
    return *runs_.back();
  }

  Controller* Running() {
    for (const auto& run : runs_) {
      if (run->runs()) return run.get();
    }
    return nullptr;
  }

  bool NoneRuns() { return !Running(); }

  // Time.

  // Until `condition`, at most for `limit`; checks what must hold at the end of a run.
  bool Until(Millis limit, const std::function<bool()>& condition) {
    const Millis end = world_.now() + limit;
    while (!condition()) {
      if (world_.now() >= end) return false;
      world_.Step(end);
      for (; judged_ < runs_.size() && !runs_[judged_]->runs(); ++judged_) checks_.RunEnded(*runs_[judged_]);
      if (world_.steps() > kMostSteps) throw Violation("converge", "events without end");
    }
    return true;
  }
  void Pass(Millis time) {
    Until(time, [] { return false; });
  }

  bool AllUp() const {
    return std::all_of(checks_.workers.begin(), checks_.workers.end(),
                       [](const Worker* w) { return w->up(); });
  }

  // Faults.

  void Disturbed() {
    Rng& rng = world_.rng;
    const Millis horizon = rng.Between(Seconds(30), Seconds(240));
    faults_ = rng.Of<int>({0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 6, 8});
    for (int i = 0; i < faults_; ++i) {
      world_.After(rng.Between(Millis{0}, horizon), [this] { DoHarm(); });
    }
    Apply(target_);
    for (int again = rng.Between(0, 2); again >= 0; --again) {
      Until(kLongest, [&] { return NoneRuns(); });
      if (again > 0) {
        Pass(rng.Between(Seconds(1), Seconds(40)));
        if (NoneRuns()) Apply(rng.Chance(0.9) ? target_ : Mode::kDisabled);
      }
    }
    harm_ends_ = true;
  }

  Host& AnyHost() { return *hosts_[static_cast<size_t>(world_.rng.Pick(static_cast<int>(hosts_.size())))]; }
  Worker& AnyWorker() { return *world_.rng.Of(checks_.workers); }

  void DoHarm() {
    if (harm_ends_) return;
    Rng& rng = world_.rng;
    switch (rng.Pick(19)) {
      case 0:
        if (Controller* run = Running()) {
          run->Kill();
          Later(rng.Between(Seconds(1), Seconds(90)), [this] { ApplyIfNoneRuns(); });
        }
        return;
      case 1:
        if (Controller* run = Running()) run->Interrupt();
        return;
      case 2:
        if (Controller* run = Running()) run->Stall(rng.Between(Seconds(1), Seconds(120)));
        return;
      case 3:
        return AnyHost().KillAgent();
      case 4:
      case 5:
      case 6:
        return AnyHost().KillAgentAtStep(
            rng.Between(1, 60), rng.Of<Fault>({Fault::kCrashBefore, Fault::kCrashAfter, Fault::kTorn}));
      case 7:
        return AnyWorker().Crash();
      case 8:
        return AnyHost().PowerOff(rng.Between(Seconds(5), Seconds(90)));
      case 9:
        return AnyHost().FillDisk(rng.Between(Seconds(1), Seconds(60)));
      case 10:
        return CutOff(AnyHost(), rng.Between(Seconds(1), Seconds(150)));
      case 11:
        world_.Tell("the network loses, delays and doubles messages");
        network_.lossy_until = world_.now() + rng.Between(Seconds(5), Seconds(120));
        return;
      case 12:
        return SecondOperator();
      case 13:
        return StrangerJoins(rng.Between(Seconds(5), Seconds(120)));
      case 14:
        return group_.ChangeLeader();
      case 15:
        return RefuseItsFile();
      case 16:
        world_.Tell("no report gets through");
        network_.deaf_until = world_.now() + Seconds(120);
        if (rng.Chance(0.5)) network_.kafka_gone_until = world_.now() + rng.Between(Seconds(1), Seconds(40));
        return;
      case 17:
        return OutsideEdit();
      default:
        return rng.Chance(0.5) ? group_.FailTask() : AnyWorker().OutsiderRestarts();
    }
  }

  void Later(Millis delay, std::function<void()> what) { world_.After(delay, std::move(what)); }

  void ApplyIfNoneRuns() {
    if (!harm_ends_ && NoneRuns()) Apply(target_);
  }

  void CutOff(Host& host, Millis time) {
    world_.Tell("{} is cut off for {} s", host.name, time.count() / 1000);
    network_.cut_until[&host] = world_.now() + time;
  }

  void SecondOperator() {
    Rng& rng = world_.rng;
    const Mode target =
        rng.Chance(0.5) ? target_ : rng.Of<Mode>({Mode::kDisabled, Mode::kPreparing, Mode::kEnabled});
    const Controller* run = Running();
    Apply(target, run && rng.Chance(0.4) ? run->order.session : "");
  }

  void StrangerJoins(Millis time) {
    const size_t number = checks_.strangers.size();
    checks_.strangers.push_back({fmt::format("http://stranger{}:8083/", number + 1),
                                 world_.rng.Of<Mode>({Mode::kDisabled, Mode::kPreparing, Mode::kEnabled}),
                                 world_.now(), true});
    const int index = kStrangers + static_cast<int>(number);
    group_.Join(index);
    Later(time, [this, number, index] {
      checks_.strangers[number].present = false;
      group_.Leave(index);
    });
  }

  void RefuseItsFile() {
    Worker& worker = AnyWorker();
    const Mode mode = world_.rng.Chance(0.5) ? target_ : Mode::kPreparing;
    if (worker.jvm() && worker.jvm()->parsed && worker.jvm()->mode == mode) return;  // it proved that it can
    world_.Tell("{} will refuse {}", worker.name, ToString(mode));
    worker.refuses.insert(mode);
  }

  void OutsideEdit() {
    Rng& rng = world_.rng;
    Worker& worker = AnyWorker();
    std::string file = worker.file();
    if (!file.ends_with("\n")) file += "\n";
    switch (rng.Pick(3)) {
      case 0:
        file += "offset.flush.interval.ms=10000\n";
        break;
      case 1:
        file += fmt::format("{}={}\n", kModeKey,
                            ToString(rng.Of<Mode>({Mode::kDisabled, Mode::kPreparing, Mode::kEnabled})));
        break;
      default:
        file += fmt::format("{}={}\n", kDelayKey, rng.Between(1, 100) * 1'000);
    }
    world_.Tell("{}: somebody edits its file", worker.name);
    worker.OutsiderWrites(file);
  }

  // Quiet: no fault lasts, nobody is cut off; what is begun ends.
  void Quiet() {
    world_.Tell("from here on nothing is disturbed");
    network_ = {};
    for (const auto& host : hosts_) host->Heal();
    if (!Until(kLongest, [&] { return NoneRuns(); })) throw Violation("converge", "a run does not end");
    const auto idle = [this] {
      return std::none_of(hosts_.begin(), hosts_.end(), [](const auto& h) { return h->agent_busy(); });
    };
    if (!Until(kLongest, idle)) throw Violation("S7", "an operation does not end");
    Pass(Seconds(15));  // a JVM that was just started comes up
    checks_.AtQuiet();
    Repair();
  }

  // An operator clears what no tool can.
  void Repair() {
    for (Worker* worker : checks_.workers) {
      worker->refuses.clear();
      worker->OutsiderStarts();
    }
    for (size_t i = 0; i < checks_.strangers.size(); ++i) {
      if (!std::exchange(checks_.strangers[i].present, false)) continue;
      group_.Leave(kStrangers + static_cast<int>(i));
    }
    group_.RestartFailed();
    Pass(Seconds(60));
  }

  void Converge() {
    const Controller* run = nullptr;
    for (int i = 0; i < 5; ++i) {
      run = &Apply(target_);
      if (!Until(kLongest, [&] { return !run->runs(); })) throw Violation("converge", "a run does not end");
      if (run->outcome()->code == ExitCode::kDone) break;
      Pass(policy_.lease_ttl);
      Repair();
    }
    if (run->outcome()->code != ExitCode::kDone) {
      throw Violation("converge", "apply does not reach its goal: " + run->outcome()->problem->message);
    }
    checks_.Converged(target_);
    const Controller& idle = Apply(target_);
    checks_.ForbidOperations(idle.order.session);
    Until(kLongest, [&] { return !idle.runs(); });
    if (idle.outcome()->code != ExitCode::kDone) {
      throw Violation("S5", "apply on a finished fleet is not done: " + idle.outcome()->problem->message);
    }
  }

  static constexpr int kStrangers = 100;  // index of the first in the group

  World world_;
  Network network_;
  Connect group_;
  Checks checks_;
  std::vector<std::unique_ptr<Host>> hosts_;
  fleet::Policy policy_;
  Mode target_{};
  bool harm_ends_ = false;
  int faults_ = 0;
  size_t judged_ = 0;  // runs whose end was checked
  std::vector<std::unique_ptr<Controller>> runs_;
};

}  // namespace

Result RunSeed(uint64_t seed, bool with_story) { return Scenario(seed, with_story).Run(); }

}  // namespace eos::simulation
