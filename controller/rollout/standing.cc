#include <spdlog/fmt/fmt.h>

#include "controller/rollout/decide.h"

namespace eos::rollout {

std::string Standing(const fleet::FleetView& view) {
  std::map<std::string, int> count;
  bool enabled = false;
  bool disabled = false;
  bool unknown = false;
  for (const auto& worker : view.workers) {
    if (worker.running.mode) {
      enabled |= *worker.running.mode == Mode::kEnabled;
      disabled |= *worker.running.mode == Mode::kDisabled;
      ++count[fmt::format("run {}", ToString(*worker.running.mode))];
    } else if (worker.running.evidence == ModeEvidence::kNotRunning) {
      ++count["are down"];
    } else {
      unknown = true;
      ++count["run an unknown mode"];
    }
  }
  std::string text;
  for (const auto& [what, number] : count) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, what);
  }
  if (text.empty()) return "no worker is known";
  const char* verdict = (enabled && disabled) ? "a mix that Kafka does not allow"
                        : unknown             ? "whether Kafka allows this mix is not known"
                                              : "Kafka allows this";
  return fmt::format("of {} worker{} {}: {}", view.workers.size(), view.workers.size() == 1 ? "" : "s", text,
                     verdict);
}

}  // namespace eos::rollout
