// What one decision costs on a large fleet.
#include <benchmark/benchmark.h>

#include "controller/rollout/decide.h"
#include "tests/fakes/healthy_fleet.h"

namespace eos::rollout {
namespace {

// N workers, ten tasks on each.
fleet::Observations Fleet(int workers) {
  auto seen = fakes::HealthyObservations(workers);
  for (size_t i = 0; i < static_cast<size_t>(workers); ++i) {
    ConnectorStatus& connector = seen.connectors->at(i);
    for (int task = 1; task < 10; ++task) {
      connector.tasks.push_back({task, TaskState::kRunning, connector.worker_id, FailureKind::kNone, {}});
      seen.group->members[i].assigned.push_back(fmt::format("{}-{}", connector.name, task));
    }
  }
  return seen;
}

void DecideOnAFleet(benchmark::State& state) {
  const fleet::FleetView view = fleet::Join(Fleet(static_cast<int>(state.range(0))));
  const fleet::Policy policy;
  History history = Note({}, view, policy, fakes::kNoon);
  history.good_in_a_row = policy.good_observations;
  for (auto _ : state) {
    Decision decision = Decide(view, {Mode::kEnabled, "g"}, policy, history, fakes::kNoon);
    benchmark::DoNotOptimize(decision);
  }
}
BENCHMARK(DecideOnAFleet)->Arg(3)->Arg(1'000)->Unit(benchmark::kMillisecond);

void JoinAFleet(benchmark::State& state) {
  const fleet::Observations seen = Fleet(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    fleet::FleetView view = fleet::Join(seen);
    benchmark::DoNotOptimize(view);
  }
}
BENCHMARK(JoinAFleet)->Arg(3)->Arg(1'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace eos::rollout
