#include "common/wire/enums.h"
#include "common/wire/times.h"
#include "common/wire/translate.h"

namespace eos::wire {
namespace {

// failure.proto and reason.h carry the same numbers.
static_assert(static_cast<int>(Reason::kUsage) == v1::REASON_USAGE);
static_assert(static_cast<int>(Reason::kConflict) == v1::REASON_CONFLICT);
static_assert(static_cast<int>(Reason::kUnauthenticated) == v1::REASON_UNAUTHENTICATED);
static_assert(static_cast<int>(Reason::kClockSkew) == v1::REASON_CLOCK_SKEW);
static_assert(static_cast<int>(Reason::kVersionMismatch) == v1::REASON_VERSION_MISMATCH);
static_assert(static_cast<int>(Reason::kFileValueInvalid) == v1::REASON_FILE_VALUE_INVALID);
static_assert(static_cast<int>(Reason::kRestUnavailable) == v1::REASON_REST_UNAVAILABLE);
static_assert(static_cast<int>(Reason::kInterrupted) == v1::REASON_INTERRUPTED);
static_assert(static_cast<int>(Reason::kPaused) == v1::REASON_PAUSED);
static_assert(static_cast<int>(Reason::kInconclusive) == v1::REASON_INCONCLUSIVE);
static_assert(static_cast<int>(Reason::kStorageFailed) == v1::REASON_STORAGE_FAILED);
static_assert(static_cast<int>(Reason::kInternal) == v1::REASON_INTERNAL);

constexpr size_t kMaxMessage = 2048;
constexpr size_t kMaxName = 300;  // of topics, groups and users: Kafka allows 249 for topics

// Cut at `max` bytes, at the border of a character: a proto string must be UTF-8.
std::string Utf8(const std::string& text, size_t max) {
  std::string valid;
  for (size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const size_t length = byte < 0x80 ? 1 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 0;
    bool whole = length > 0 && byte < 0xF5 && i + length <= text.size();
    for (size_t j = 1; whole && j < length; ++j)
      whole = (static_cast<unsigned char>(text[i + j]) & 0xC0U) == 0x80U;
    if (valid.size() + (whole ? length : 1) > max) break;
    if (whole) {
      valid.append(text, i, length);
      i += length;
    } else {
      valid += '?';
      ++i;
    }
  }
  return valid;
}

std::string Utf8(const std::string& text) { return Utf8(text, 65536); }

void PutCluster(const ClusterSettings& cluster, v1::ClusterSettings* out) {
  out->set_group_id(Utf8(cluster.group_id, kMaxName));
  out->set_protocol(Utf8(cluster.protocol, kMaxName));
  out->set_config_topic(Utf8(cluster.config_topic, kMaxName));
  out->set_offsets_topic(Utf8(cluster.offsets_topic, kMaxName));
  out->set_status_topic(Utf8(cluster.status_topic, kMaxName));
}

void PutFile(const FileFacts& file, v1::FileFacts* out) {
  out->set_sha256(file.sha256);
  Put(file.changed, out->mutable_changed());
  if (file.mode) out->set_mode(kModes.ToWire(*file.mode));
  out->set_mode_present(file.mode_present);
  if (file.delay) out->set_rebalance_delay_ms(file.delay->count());
  out->set_rebalance_delay_present(file.delay_present);
  for (const std::string& warning : file.warnings) out->add_warnings(Utf8(warning));
  PutCluster(file.cluster, out->mutable_cluster());
}

void PutProcess(const ProcessFacts& process, v1::ProcessFacts* out) {
  out->set_pid(process.pid);
  out->set_start_ticks(process.start_ticks);
  out->set_boot_id(process.boot_id);
  Put(process.started, out->mutable_started());
  out->set_names_configured_file(process.names_our_file);
  out->set_distributed(process.distributed);
}

void PutService(const ServiceFacts& service, v1::ServiceFacts* out) {
  out->set_state(kServiceStates.ToWire(service.state));
  out->set_detail(Utf8(service.detail));
  if (service.exit_status) out->set_exit_status(*service.exit_status);
  if (service.stop_limit) Put(*service.stop_limit, out->mutable_stop_limit());
  for (const std::string& warning : service.warnings) out->add_warnings(Utf8(warning));
}

void PutLog(const LogFacts& log, v1::LogFacts* out) {
  if (log.mode) out->set_mode(kModes.ToWire(*log.mode));
  if (log.delay) out->set_rebalance_delay_ms(log.delay->count());
  if (log.at) Put(*log.at, out->mutable_at());
  PutCluster(log.cluster, out->mutable_cluster());
}

void PutRest(const RestFacts& rest, v1::RestFacts* out) {
  out->set_answers(rest.answers);
  out->set_version(Utf8(rest.version, 200));
  out->set_kafka_cluster_id(Utf8(rest.kafka_cluster_id, 200));
  out->set_health(kHealths.ToWire(rest.health));
  out->set_herder_answers(rest.herder_answers);
}

void PutTemporaryDelay(const TemporaryDelay& delay, v1::TemporaryDelay* out) {
  Put(delay.value, out->mutable_value());
  if (delay.original) out->set_original(*delay.original);
  Put(delay.since, out->mutable_since());
}

}  // namespace

v1::Failure ToWire(const Problem& problem) {
  v1::Failure failure;
  failure.set_reason(static_cast<v1::Reason>(problem.reason));
  failure.set_message(Utf8(problem.message, kMaxMessage));
  failure.set_fix(Utf8(problem.fix, kMaxMessage / 2));
  return failure;
}

v1::WorkerFacts ToWire(const WorkerFacts& facts) {
  v1::WorkerFacts out;
  out.set_name(Utf8(facts.name));
  out.set_fleet(Utf8(facts.fleet));
  out.set_advertised_url(Utf8(facts.advertised_url));
  if (facts.file) PutFile(*facts.file, out.mutable_file());
  out.set_process_known(facts.process_known);
  if (facts.process) PutProcess(*facts.process, out.mutable_process());
  if (facts.service) PutService(*facts.service, out.mutable_service());
  if (facts.log) PutLog(*facts.log, out.mutable_log());
  if (facts.rest) PutRest(*facts.rest, out.mutable_rest());
  if (facts.temporary_delay) PutTemporaryDelay(*facts.temporary_delay, out.mutable_temporary_delay());
  out.set_running_operation(facts.running_operation);
  for (const std::string& key : facts.waiting_edits) out.add_waiting_edits(Utf8(key, kMaxName));
  for (const Problem& problem : facts.problems) *out.add_problems() = ToWire(problem);
  return out;
}

v1::AgentFacts ToWire(const AgentFacts& facts) {
  v1::AgentFacts out;
  out.set_host(Utf8(facts.host));
  out.set_version(facts.version);
  out.set_protocol(facts.protocol);
  out.set_boot_id(facts.boot_id);
  Put(facts.clock, out.mutable_clock());
  Put(facts.certificate_not_after, out.mutable_certificate_not_after());
  for (const Lease& lease : facts.leases) *out.add_leases() = ToWire(lease);
  for (const Problem& problem : facts.problems) *out.add_problems() = ToWire(problem);
  return out;
}

v1::Lease ToWire(const Lease& lease) {
  v1::Lease out;
  out.set_fleet(lease.fleet);
  out.set_session(lease.session);
  out.set_holder(Utf8(lease.holder));
  out.set_caller(Utf8(lease.caller));
  out.set_epoch(lease.epoch);
  Put(lease.granted, out.mutable_granted());
  Put(lease.remaining, out.mutable_remaining());
  return out;
}

v1::Operation ToWire(const OperationRequest& request) {
  v1::Operation out;
  out.set_id(request.id);
  out.set_worker(Utf8(request.worker));
  out.set_lease_session(request.lease_session);
  out.set_lease_epoch(request.lease_epoch);
  out.set_expected_sha256(request.expected_sha256);
  if (request.mode) out.set_mode(kModes.ToWire(*request.mode));
  out.set_delay(kDelayChanges.ToWire(request.delay));
  Put(request.temporary_delay, out.mutable_temporary_delay());
  out.set_restart(request.restart);
  Put(request.stop_limit, out.mutable_stop_limit());
  Put(request.start_limit, out.mutable_start_limit());
  return out;
}

v1::OperationRecord ToWire(const OperationRecord& record) {
  v1::OperationRecord out;
  *out.mutable_operation() = ToWire(record.request);
  out.set_step(kSteps.ToWire(record.step));
  out.set_outcome(kOutcomes.ToWire(record.outcome));
  if (record.problem) *out.mutable_failure() = ToWire(*record.problem);
  out.set_caller(Utf8(record.caller));
  Put(record.accepted, out.mutable_accepted());
  Put(record.updated, out.mutable_updated());
  out.set_old_sha256(record.old_sha256);
  out.set_new_sha256(record.new_sha256);
  if (record.old_process) PutProcess(*record.old_process, out.mutable_old_process());
  if (record.new_process) PutProcess(*record.new_process, out.mutable_new_process());
  out.set_starts(record.starts);
  return out;
}

v1::ConnectorStatus ToWire(const ConnectorStatus& status) {
  v1::ConnectorStatus out;
  out.set_name(Utf8(status.name));
  out.set_type(kConnectorTypes.ToWire(status.type));
  out.set_connector_class(Utf8(status.connector_class));
  out.set_state(kTaskStates.ToWire(status.state));
  out.set_worker_id(Utf8(status.worker_id));
  out.set_failure(kFailureKinds.ToWire(status.failure));
  for (const TaskStatus& task : status.tasks) {
    v1::TaskStatus* t = out.add_tasks();
    t->set_id(task.id);
    t->set_state(kTaskStates.ToWire(task.state));
    t->set_worker_id(Utf8(task.worker_id));
    t->set_failure(kFailureKinds.ToWire(task.failure));
    for (const std::string& name : task.exceptions) t->add_exceptions(Utf8(name, 300));
  }
  return out;
}

v1::ConnectorSettings ToWire(const ConnectorSettings& settings) {
  v1::ConnectorSettings out;
  out.set_connector_class(Utf8(settings.connector_class));
  out.set_exactly_once_support(Utf8(settings.exactly_once_support, kMaxName));
  out.set_boundary(Utf8(settings.boundary, kMaxName));
  if (settings.boundary_interval_ms) out.set_boundary_interval_ms(*settings.boundary_interval_ms);
  out.set_offsets_topic(Utf8(settings.offsets_topic, kMaxName));
  if (settings.transaction_timeout_ms) out.set_transaction_timeout_ms(*settings.transaction_timeout_ms);
  out.set_other_cluster(settings.other_cluster);
  out.set_tasks_max(settings.tasks_max);
  out.set_producer_user(Utf8(settings.producer_user, kMaxName));
  out.set_consumer_user(Utf8(settings.consumer_user, kMaxName));
  out.set_admin_user(Utf8(settings.admin_user, kMaxName));
  for (const std::string& topic : settings.topics) out.add_topics(Utf8(topic, kMaxName));
  return out;
}

v1::ProbeResult ToWire(Probe probe) { return kProbes.ToWire(probe); }

v1::Reachability ToWire(const Reachability& reachability) {
  v1::Reachability out;
  if (auto address = AddressOf(reachability.url); address.ok()) *out.mutable_address() = *std::move(address);
  out.set_step(kReachSteps.ToWire(reachability.failed_at));
  out.set_message(Utf8(reachability.message, kMaxMessage));
  return out;
}

}  // namespace eos::wire
