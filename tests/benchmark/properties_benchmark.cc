// What an edit costs without fsync, beside a plain copy of the same bytes: judge the ratio, the machine is
// noisy.
#include <benchmark/benchmark.h>
#include <spdlog/fmt/fmt.h>

#include "agent/properties/change.h"

namespace eos::properties {
namespace {

std::string FileOf(int64_t lines) {
  std::string bytes;
  for (int64_t i = 0; i < lines; ++i)
    bytes += fmt::format("some.worker.property.{}=a value of ordinary length {}\n", i, i);
  return bytes + "exactly.once.source.support=disabled\n";
}

void Edit(benchmark::State& state) {
  const std::string bytes = FileOf(state.range(0));
  for (auto _ : state) {
    auto change =
        Apply(bytes, Mode::kPreparing, DelayChange::kSetTemporary, Millis{1'000}, std::nullopt, Time{});
    benchmark::DoNotOptimize(change);
  }
}
BENCHMARK(Edit)->Arg(100)->Arg(10'000)->Unit(benchmark::kMicrosecond);

void Copy(benchmark::State& state) {
  const std::string bytes = FileOf(state.range(0));
  for (auto _ : state) {
    std::string copy = bytes;
    benchmark::DoNotOptimize(copy);
  }
}
BENCHMARK(Copy)->Arg(100)->Arg(10'000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace eos::properties
