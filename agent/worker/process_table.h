// The host's processes, as far as Connect is concerned (proc(5)).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/error.h"
#include "common/model/worker_facts.h"

namespace eos::worker {

// A JVM that runs a Connect worker.
struct ConnectProcess {
  ProcessFacts facts;           // names_our_file is left false here
  std::string properties_file;  // first argument after the main class, made absolute with the process's own
                                // cwd and all links resolved where that is possible
};

class ProcessTable {
 public:
  // `proc`: "/proc"; tests hand in a tree of their own.
  ProcessTable(const Clock& clock, std::string proc = "/proc");

  // Every process of a main class org.apache.kafka.connect.cli.Connect{Distributed,Standalone}. A process
  // that goes away while it is read is left out. kInternal where /proc cannot be read.
  StatusOr<std::vector<ConnectProcess>> Find() const;

  bool Alive(const ProcessFacts& process) const;  // the same identity still runs (a zombie does not)
  StatusOr<std::string> BootId() const;

 private:
  const Clock& clock_;
  std::string proc_;
};

}  // namespace eos::worker
