// Does exactly-once hold now, and since when? Pure: from evidence to verdicts. What is not known never
// passes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/model/connectors.h"
#include "controller/fleet/agent_client.h"
#include "controller/fleet/fleet_view.h"
#include "controller/proof/tally.h"

namespace eos::proof {

enum class Verdict {
  kPass,
  kUnverified,  // evidence is missing
  kFail,        // evidence against it
};
std::string_view ToString(Verdict verdict);

// One worker: does it say by itself that it runs `enabled`?
struct WorkerProof {
  std::string worker;
  Verdict verdict = Verdict::kUnverified;
  std::string why;
  std::optional<Time> since;  // start of its JVM, by our clock
};

// One source task: were its records and its offsets committed in one transaction?
struct TaskProof {
  std::string connector;
  int task = 0;
  std::string transactional_id;
  Verdict verdict = Verdict::kUnverified;
  std::string why;
  int64_t commits = 0;  // since Verification::since
  int64_t aborts = 0;
  std::optional<Time> last_commit;  // of records and offsets together
};

struct Verification {
  Verdict verdict = Verdict::kUnverified;  // the worst of all
  // Exactly-once holds since then: the start of the last JVM that came to run `enabled`. Only with every
  // worker proven. Tasks of an enabled worker cannot be fenced against one that is not, so no earlier moment
  // counts.
  std::optional<Time> since;
  std::vector<WorkerProof> workers;
  std::vector<TaskProof> tasks;      // of source connectors
  std::vector<std::string> missing;  // evidence that could not be had, and what would give it
};

struct Evidence {
  fleet::FleetView view;
  std::map<std::string, StatusOr<fleet::ProbeAnswer>> workers;     // by worker: of itself
  std::map<std::string, StatusOr<fleet::ProbeAnswer>> capability;  // by connector: with its configuration
  std::map<std::string, StatusOr<ConnectorSettings>> connectors;   // by name
  std::optional<Tally> transactions;                               // since SinceWhen
  std::optional<Problem> transactions_problem;                     // why there are none
  // Offsets topics in which markers of transactions were seen, as offsets that no record uses; absent: not
  // read.
  std::map<std::string, bool> markers;
  std::vector<Problem> markers_problems;  // why topics were not read
};

// From the first two parts of the evidence alone: from when on the transaction log is worth reading. Absent:
// not every worker is proven to run `enabled`.
std::vector<WorkerProof> ProveWorkers(const Evidence& evidence);
std::optional<Time> SinceWhen(const std::vector<WorkerProof>& workers);

// transactional.id of a source task (ConnectUtils, KIP-618).
std::string TransactionalId(const std::string& group_id, const std::string& connector, int task);

// The offsets topic that counts for a connector: its own, or its worker's. Empty: not known.
std::string OffsetsTopicOf(const fleet::FleetView& view, const ConnectorSettings& settings);

Verification Verify(const Evidence& evidence, const std::string& group_id, Time now);

}  // namespace eos::proof
