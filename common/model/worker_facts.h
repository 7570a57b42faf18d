// What an agent can tell about a worker: plain values, each with what it was learned from. What could not be
// learned is absent and explained in `problems`; it is never a default.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/time.h"
#include "common/model/mode.h"

namespace eos {

// The configured properties file as Kafka would load it at the next start.
// Properties that must be the same throughout a Connect cluster (DistributedConfig); no secret is among them.
// Empty: not known.
struct ClusterSettings {
  std::string group_id;
  std::string protocol;       // connect.protocol: "sessioned", "compatible", "eager"
  std::string config_topic;   // config.storage.topic
  std::string offsets_topic;  // offset.storage.topic
  std::string status_topic;   // status.storage.topic

  bool operator==(const ClusterSettings&) const = default;
};

struct FileFacts {
  std::string sha256;  // of all its bytes, lower-case hex
  Time changed;        // the later of st_mtime and st_ctime, rounded up to what the file system can tell
  std::optional<Mode> mode;   // effective; an absent key is kDisabled, Kafka's default. Absent: see problems
  bool mode_present = false;  // the key is written in the file
  std::optional<Millis> delay;  // effective value of kDelayKey, if the file holds a valid one
  bool delay_present = false;
  std::vector<std::string> warnings;  // "line 1: shadowed by line 3" and the like; no values
  ClusterSettings cluster{};          // as written; what comes from a config provider is not known

  bool operator==(const FileFacts&) const = default;
};

// The worker's JVM. Identity is (boot id, pid, start): pids are used again.
struct ProcessFacts {
  int pid = 0;
  uint64_t start_ticks = 0;     // field 22 of /proc/PID/stat: clock ticks after boot (proc(5))
  std::string boot_id;          // /proc/sys/kernel/random/boot_id
  Time started;                 // wall clock of the start, from CLOCK_BOOTTIME
  bool names_our_file = false;  // the first argument after the main class is the configured properties file
  bool distributed = false;     // main class is ConnectDistributed (false: ConnectStandalone or unknown)

  bool SameProcess(const ProcessFacts& o) const {
    return pid == o.pid && start_ticks == o.start_ticks && boot_id == o.boot_id;
  }
  bool operator==(const ProcessFacts&) const = default;
};

enum class ServiceState { kUnknown, kRunning, kStarting, kStopping, kStopped, kFailed };

struct ServiceFacts {
  ServiceState state = ServiceState::kUnknown;
  std::string detail;  // the service manager's own words: "active/running", "failed/failed (exit-code)"
  std::optional<int> exit_status;     // of the last main process, where the manager knows
  std::optional<Millis> stop_limit;   // TimeoutStopUSec of a systemd unit
  std::vector<std::string> warnings;  // NeedDaemonReload, Restart=always and the like

  bool operator==(const ServiceFacts&) const = default;
};

// What the worker printed of its parsed configuration ("DistributedConfig values:") since this process
// started.
struct LogFacts {
  std::optional<Mode> mode;
  std::optional<Millis> delay;
  std::optional<Time> at;  // time stamp of that line, where it has one
  ClusterSettings cluster{};

  bool operator==(const LogFacts&) const = default;
};

enum class Health {
  kUnknown,
  kHealthy,
  kStarting,
  kUnhealthy,
  kUnsupported /* /health is 404: before 3.9 */
};

struct RestFacts {
  bool answers = false;  // GET / gave 200 with a version
  std::string version;   // "4.0.0"
  std::string kafka_cluster_id;
  Health health = Health::kUnknown;
  bool herder_answers =
      false;  // an answer that needs the herder: /health 200, or GET /connectors 200 before 3.9

  bool operator==(const RestFacts&) const = default;
};

// The agent changed kDelayKey for the time of a rollout and remembers what was there.
struct TemporaryDelay {
  Millis value{};  // what the file says now by our doing
  std::optional<std::string>
      original;  // the raw bytes of the user's value; absent: the key was not in the file
  Time since;

  bool operator==(const TemporaryDelay&) const = default;
};

struct WorkerFacts {
  std::string name;  // in the agent's configuration; unique within the fleet
  std::string fleet;
  std::string advertised_url;  // as other workers and the group know it: "http://c1:8083/"
  std::optional<FileFacts> file;
  bool process_known = false;  // /proc was read: then an absent process means that there is none
  std::optional<ProcessFacts> process;
  std::optional<ServiceFacts> service;
  std::optional<LogFacts> log;  // absent: no log configured, or this process printed nothing yet
  std::optional<RestFacts> rest;
  std::optional<TemporaryDelay> temporary_delay;
  // Keys to which the file gives another value than the process parsed, so that a restart brings it into
  // force: of those that Connect prints, without the two that the agent changes. Names only, sorted; empty
  // without a log.
  std::vector<std::string> waiting_edits;
  std::string running_operation;  // id; empty: none
  std::vector<Problem> problems;

  bool operator==(const WorkerFacts&) const = default;
};

}  // namespace eos
