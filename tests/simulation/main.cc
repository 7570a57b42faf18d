// simulate --seeds N --from S [--jobs J] [--story]: runs the seeds S … S+N-1. A seed that breaks a rule is
// told as a story. Exit code 1 if one does.
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <iostream>
#include <mutex>

#include "controller/fleet/background.h"
#include "tests/simulation/scenario.h"

namespace {

using eos::fleet::ForEachAtOnce;
using eos::simulation::Result;
using eos::simulation::RunSeed;

int RunAll(uint64_t from, uint64_t seeds, unsigned jobs, bool story) {
  std::mutex mutex;
  uint64_t failed = 0;
  uint64_t restarts = 0;
  uint64_t runs = 0;
  uint64_t faults = 0;
  ForEachAtOnce(seeds, jobs, [&](size_t i) {
    const uint64_t seed = from + i;
    Result result = RunSeed(seed, story);
    if (result.failed && !story) result = RunSeed(seed, true);
    const std::lock_guard lock(mutex);
    restarts += static_cast<uint64_t>(result.restarts);
    runs += static_cast<uint64_t>(result.runs);
    faults += static_cast<uint64_t>(result.faults);
    for (const std::string& line : result.story) std::cout << line << "\n";
    if (!result.failed) return;
    ++failed;
    std::cout << "seed " << seed << " breaks " << result.rule << ": " << result.what
              << "\nagain with: simulate --from " << seed << " --seeds 1 --story\n\n";
  });
  std::cout << seeds << " seeds from " << from << ": " << runs << " runs of apply, " << restarts
            << " restarts, " << faults << " faults; " << failed << " failed\n";
  return failed == 0 ? 0 : 1;
}

int Hunt(const std::string& rule, uint64_t from, uint64_t seeds, unsigned jobs) {
  std::atomic<bool> found = false;
  std::mutex mutex;
  ForEachAtOnce(seeds, jobs, [&](size_t i) {
    if (found) return;
    const Result result = RunSeed(from + i, false);
    if (result.rule != rule || found.exchange(true)) return;
    const std::lock_guard lock(mutex);
    std::cout << rule << ": found by seed " << from + i << ": " << result.what << "\n";
  });
  if (!found) std::cout << rule << ": not found by " << seeds << " seeds from " << from << "\n";
  return found ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t from = 1;
  uint64_t seeds = 100;
  unsigned jobs = 2;
  bool story = false;
  std::string hunted;
  CLI::App app{
      "Runs the rollout engine on simulated fleets with faults, and checks S1 to S8 after every event"};
  app.add_option("--seeds", seeds, "how many")->capture_default_str();
  app.add_option("--from", from, "the first one")->capture_default_str();
  app.add_option("--jobs", jobs, "threads")->capture_default_str()->check(CLI::Range(1, 64));
  app.add_flag("--story", story, "tell the story of every seed");
  app.add_option("--hunt", hunted, "a rule that must be broken by one of the seeds");
  CLI11_PARSE(app, argc, argv);
  spdlog::set_level(spdlog::level::off);

  if (!hunted.empty()) return Hunt(hunted, from, seeds, jobs);
  return RunAll(from, seeds, jobs, story);
}
