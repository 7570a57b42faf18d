// A running rollout for people: a picture that is redrawn, or one line a change. Pure but for what it
// remembers.
#pragma once

#include <map>
#include <string>

#include "controller/report/text_table.h"
#include "controller/rollout/executor.h"

namespace eos::report {

class LiveView {
 public:
  LiveView(Mode target, bool colour) : target_(target), colour_(colour) {}

  // What a terminal should show now: the workers, the operation under way, what the gate waits for, the time.
  std::string Picture(const rollout::Event& event);
  // What a log should get: a line if this event says something new, else nothing.
  std::string Line(const rollout::Event& event);

 private:
  const Mode target_;
  const bool colour_;
  std::optional<Time> began_;
  std::map<std::string, std::string> doing_;  // by worker: step of its operation
  std::string saying_;
  std::string last_line_;
};

}  // namespace eos::report
