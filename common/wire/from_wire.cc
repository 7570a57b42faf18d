#include "common/base/words.h"
#include "common/wire/enums.h"
#include "common/wire/times.h"
#include "common/wire/translate.h"

namespace eos::wire {
namespace {

// What an agent says ends up on terminals. Names of connectors are kept as they are, since they are asked for
// again.
constexpr size_t kMaxText = 4096;
std::string Safe(const std::string& text) { return Printable(text, kMaxText); }

ClusterSettings GetCluster(const v1::ClusterSettings& in) {
  return {in.group_id(), in.protocol(), in.config_topic(), in.offsets_topic(), in.status_topic()};
}

FileFacts GetFile(const v1::FileFacts& in) {
  FileFacts file;
  file.sha256 = in.sha256();
  file.changed = Get(in.changed());
  file.mode = kModes.ToModel(in.mode());
  file.mode_present = in.mode_present();
  if (in.has_rebalance_delay_ms()) file.delay = Millis{in.rebalance_delay_ms()};
  file.delay_present = in.rebalance_delay_present();
  file.warnings.assign(in.warnings().begin(), in.warnings().end());
  file.cluster = GetCluster(in.cluster());
  return file;
}

ProcessFacts GetProcess(const v1::ProcessFacts& in) {
  return {.pid = in.pid(),
          .start_ticks = in.start_ticks(),
          .boot_id = in.boot_id(),
          .started = Get(in.started()),
          .names_our_file = in.names_configured_file(),
          .distributed = in.distributed()};
}

ServiceFacts GetService(const v1::ServiceFacts& in) {
  ServiceFacts service;
  service.state = kServiceStates.ToModel(in.state()).value_or(ServiceState::kUnknown);
  service.detail = Safe(in.detail());
  if (in.has_exit_status()) service.exit_status = in.exit_status();
  if (in.has_stop_limit()) service.stop_limit = Get(in.stop_limit());
  service.warnings.assign(in.warnings().begin(), in.warnings().end());
  return service;
}

LogFacts GetLog(const v1::LogFacts& in) {
  LogFacts log;
  log.mode = kModes.ToModel(in.mode());
  if (in.has_rebalance_delay_ms()) log.delay = Millis{in.rebalance_delay_ms()};
  if (in.has_at()) log.at = Get(in.at());
  log.cluster = GetCluster(in.cluster());
  return log;
}

RestFacts GetRest(const v1::RestFacts& in) {
  return {in.answers(), Safe(in.version()), Safe(in.kafka_cluster_id()),
          kHealths.ToModel(in.health()).value_or(Health::kUnknown), in.herder_answers()};
}

TemporaryDelay GetTemporaryDelay(const v1::TemporaryDelay& in) {
  TemporaryDelay delay;
  delay.value = Get(in.value());
  if (in.has_original()) delay.original = in.original();
  delay.since = Get(in.since());
  return delay;
}

FailureKind KindOf(v1::TaskState state, v1::FailureKind kind) {
  // A newer agent's kind of failure is still a failure.
  if (state != v1::TASK_STATE_FAILED) return FailureKind::kNone;
  const auto known = kFailureKinds.ToModel(kind).value_or(FailureKind::kConnector);
  return known == FailureKind::kNone ? FailureKind::kConnector : known;
}

}  // namespace

Problem FromWire(const v1::Failure& failure) {
  const auto reason = static_cast<Reason>(static_cast<int>(failure.reason()));
  return {Info(reason).reason, Safe(failure.message()), Safe(failure.fix())};
}

WorkerFacts FromWire(const v1::WorkerFacts& in) {
  WorkerFacts facts;
  facts.name = Safe(in.name());
  facts.fleet = Safe(in.fleet());
  facts.advertised_url = Safe(in.advertised_url());
  if (in.has_file()) facts.file = GetFile(in.file());
  facts.process_known = in.process_known();
  if (in.has_process()) facts.process = GetProcess(in.process());
  if (in.has_service()) facts.service = GetService(in.service());
  if (in.has_log()) facts.log = GetLog(in.log());
  if (in.has_rest()) facts.rest = GetRest(in.rest());
  if (in.has_temporary_delay()) facts.temporary_delay = GetTemporaryDelay(in.temporary_delay());
  facts.running_operation = in.running_operation();
  for (const std::string& key : in.waiting_edits()) facts.waiting_edits.push_back(Safe(key));
  for (const v1::Failure& failure : in.problems()) facts.problems.push_back(FromWire(failure));
  return facts;
}

AgentFacts FromWire(const v1::AgentFacts& in) {
  AgentFacts facts;
  facts.host = Safe(in.host());
  facts.version = Safe(in.version());
  facts.protocol = in.protocol();
  facts.boot_id = in.boot_id();
  facts.clock = Get(in.clock());
  facts.certificate_not_after = Get(in.certificate_not_after());
  for (const v1::Lease& lease : in.leases()) facts.leases.push_back(FromWire(lease));
  for (const v1::Failure& failure : in.problems()) facts.problems.push_back(FromWire(failure));
  return facts;
}

Lease FromWire(const v1::Lease& in) {
  return {in.fleet(), in.session(),      in.holder(),        in.caller(),
          in.epoch(), Get(in.granted()), Get(in.remaining())};
}

StatusOr<OperationRequest> FromWire(const v1::Operation& in) {
  OperationRequest request;
  request.id = in.id();
  request.worker = in.worker();
  request.lease_session = in.lease_session();
  request.lease_epoch = in.lease_epoch();
  request.expected_sha256 = in.expected_sha256();
  request.mode = kModes.ToModel(in.mode());
  if (!request.mode && in.mode() != v1::MODE_UNSPECIFIED) {
    return Err(Reason::kInvalidArgument, "the operation's mode is unknown to this version");
  }
  const auto delay = kDelayChanges.ToModel(in.delay());
  if (!delay)
    return Err(Reason::kInvalidArgument, "the operation's change of the delay is unknown to this version");
  request.delay = *delay;
  request.temporary_delay = Get(in.temporary_delay());
  request.restart = in.restart();
  request.stop_limit = Get(in.stop_limit());
  request.start_limit = Get(in.start_limit());
  EOS_RETURN_IF_ERROR(Validate(request));
  return request;
}

StatusOr<OperationRecord> FromWire(const v1::OperationRecord& in) {
  OperationRecord record;
  EOS_ASSIGN_OR_RETURN(record.request, FromWire(in.operation()));
  const auto step = kSteps.ToModel(in.step());
  const auto outcome = kOutcomes.ToModel(in.outcome());
  if (!step || !outcome) {
    return Err(Reason::kInvalidArgument, "the operation's step or outcome is unknown to this version");
  }
  record.step = *step;
  record.outcome = *outcome;
  if (in.has_failure()) record.problem = FromWire(in.failure());
  record.caller = in.caller();
  record.accepted = Get(in.accepted());
  record.updated = Get(in.updated());
  record.old_sha256 = in.old_sha256();
  record.new_sha256 = in.new_sha256();
  if (in.has_old_process()) record.old_process = GetProcess(in.old_process());
  if (in.has_new_process()) record.new_process = GetProcess(in.new_process());
  record.starts = in.starts();
  return record;
}

ConnectorStatus FromWire(const v1::ConnectorStatus& in) {
  ConnectorStatus status;
  status.name = in.name();
  status.type = kConnectorTypes.ToModel(in.type()).value_or(ConnectorType::kUnknown);
  status.connector_class = in.connector_class();
  status.state = kTaskStates.ToModel(in.state()).value_or(TaskState::kUnknown);
  status.worker_id = in.worker_id();
  status.failure = KindOf(in.state(), in.failure());
  for (const v1::TaskStatus& task : in.tasks()) {
    status.tasks.push_back({task.id(),
                            kTaskStates.ToModel(task.state()).value_or(TaskState::kUnknown),
                            task.worker_id(),
                            KindOf(task.state(), task.failure()),
                            {task.exceptions().begin(), task.exceptions().end()}});
  }
  return status;
}

ConnectorSettings FromWire(const v1::ConnectorSettings& in) {
  ConnectorSettings settings;
  settings.connector_class = in.connector_class();
  settings.exactly_once_support = in.exactly_once_support();
  settings.boundary = in.boundary();
  if (in.has_boundary_interval_ms()) settings.boundary_interval_ms = in.boundary_interval_ms();
  settings.offsets_topic = in.offsets_topic();
  if (in.has_transaction_timeout_ms()) settings.transaction_timeout_ms = in.transaction_timeout_ms();
  settings.other_cluster = in.other_cluster();
  settings.tasks_max = in.tasks_max();
  settings.producer_user = in.producer_user();
  settings.consumer_user = in.consumer_user();
  settings.admin_user = in.admin_user();
  settings.topics.assign(in.topics().begin(), in.topics().end());
  return settings;
}

Probe FromWire(v1::ProbeResult probe) { return kProbes.ToModel(probe).value_or(Probe::kUnknown); }

Reachability FromWire(const v1::Reachability& in) {
  // A step that this version does not know is not "reached".
  return {UrlOf(in.address()).value_or(""), kReachSteps.ToModel(in.step()).value_or(ReachStep::kHttp),
          in.message()};
}

}  // namespace eos::wire
