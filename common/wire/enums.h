// Enum pairs of model and wire, once. Whatever is not in a table is the "unknown" value on the other side.
#pragma once

#include <array>
#include <utility>

#include "common/wire/translate.h"

namespace eos::wire {

template <typename M, typename W, size_t N>
struct EnumTable {
  std::array<std::pair<M, W>, N> pairs;
  W wire_unknown;

  constexpr W ToWire(M value) const {
    for (const auto& [model, wire] : pairs) {
      if (model == value) return wire;
    }
    return wire_unknown;
  }
  constexpr std::optional<M> ToModel(W value) const {
    for (const auto& [model, wire] : pairs) {
      if (wire == value) return model;
    }
    return std::nullopt;
  }
};

template <typename M, typename W, size_t N>
EnumTable(std::array<std::pair<M, W>, N>, W) -> EnumTable<M, W, N>;

template <typename M, typename W>
using Pair = std::pair<M, W>;

inline constexpr EnumTable kModes{std::to_array<Pair<Mode, v1::Mode>>({{Mode::kDisabled, v1::MODE_DISABLED},
                                                                       {Mode::kPreparing, v1::MODE_PREPARING},
                                                                       {Mode::kEnabled, v1::MODE_ENABLED}}),
                                  v1::MODE_UNSPECIFIED};

inline constexpr EnumTable kServiceStates{std::to_array<Pair<ServiceState, v1::ServiceState>>(
                                              {{ServiceState::kRunning, v1::SERVICE_STATE_RUNNING},
                                               {ServiceState::kStarting, v1::SERVICE_STATE_STARTING},
                                               {ServiceState::kStopping, v1::SERVICE_STATE_STOPPING},
                                               {ServiceState::kStopped, v1::SERVICE_STATE_STOPPED},
                                               {ServiceState::kFailed, v1::SERVICE_STATE_FAILED}}),
                                          v1::SERVICE_STATE_UNSPECIFIED};

inline constexpr EnumTable kHealths{
    std::to_array<Pair<Health, v1::Health>>({{Health::kHealthy, v1::HEALTH_HEALTHY},
                                             {Health::kStarting, v1::HEALTH_STARTING},
                                             {Health::kUnhealthy, v1::HEALTH_UNHEALTHY},
                                             {Health::kUnsupported, v1::HEALTH_UNSUPPORTED}}),
    v1::HEALTH_UNSPECIFIED};

inline constexpr EnumTable kDelayChanges{std::to_array<Pair<DelayChange, v1::DelayChange>>(
                                             {{DelayChange::kKeep, v1::DELAY_CHANGE_KEEP},
                                              {DelayChange::kSetTemporary, v1::DELAY_CHANGE_SET_TEMPORARY},
                                              {DelayChange::kPutBack, v1::DELAY_CHANGE_PUT_BACK}}),
                                         v1::DELAY_CHANGE_UNSPECIFIED};

inline constexpr EnumTable kSteps{std::to_array<Pair<OperationStep, v1::OperationStep>>(
                                      {{OperationStep::kAccepted, v1::OPERATION_STEP_ACCEPTED},
                                       {OperationStep::kBackedUp, v1::OPERATION_STEP_BACKED_UP},
                                       {OperationStep::kFileReplaced, v1::OPERATION_STEP_FILE_REPLACED},
                                       {OperationStep::kStopping, v1::OPERATION_STEP_STOPPING},
                                       {OperationStep::kStarting, v1::OPERATION_STEP_STARTING},
                                       {OperationStep::kProcessUp, v1::OPERATION_STEP_PROCESS_UP},
                                       {OperationStep::kRestUp, v1::OPERATION_STEP_REST_UP},
                                       {OperationStep::kRestoring, v1::OPERATION_STEP_RESTORING},
                                       {OperationStep::kRestarting, v1::OPERATION_STEP_RESTARTING},
                                       {OperationStep::kFinished, v1::OPERATION_STEP_FINISHED}}),
                                  v1::OPERATION_STEP_UNSPECIFIED};

inline constexpr EnumTable kOutcomes{std::to_array<Pair<OperationOutcome, v1::OperationOutcome>>(
                                         {{OperationOutcome::kPending, v1::OPERATION_OUTCOME_PENDING},
                                          {OperationOutcome::kDone, v1::OPERATION_OUTCOME_DONE},
                                          {OperationOutcome::kUnchanged, v1::OPERATION_OUTCOME_UNCHANGED},
                                          {OperationOutcome::kRolledBack, v1::OPERATION_OUTCOME_ROLLED_BACK},
                                          {OperationOutcome::kFailed, v1::OPERATION_OUTCOME_FAILED}}),
                                     v1::OPERATION_OUTCOME_UNSPECIFIED};

inline constexpr EnumTable kTaskStates{
    std::to_array<Pair<TaskState, v1::TaskState>>({{TaskState::kUnassigned, v1::TASK_STATE_UNASSIGNED},
                                                   {TaskState::kRunning, v1::TASK_STATE_RUNNING},
                                                   {TaskState::kPaused, v1::TASK_STATE_PAUSED},
                                                   {TaskState::kFailed, v1::TASK_STATE_FAILED},
                                                   {TaskState::kRestarting, v1::TASK_STATE_RESTARTING},
                                                   {TaskState::kStopped, v1::TASK_STATE_STOPPED},
                                                   {TaskState::kDestroyed, v1::TASK_STATE_DESTROYED}}),
    v1::TASK_STATE_UNSPECIFIED};

inline constexpr EnumTable kFailureKinds{std::to_array<Pair<FailureKind, v1::FailureKind>>(
                                             {{FailureKind::kNone, v1::FAILURE_KIND_UNSPECIFIED},
                                              {FailureKind::kFencing, v1::FAILURE_KIND_FENCING},
                                              {FailureKind::kAuthorization, v1::FAILURE_KIND_AUTHORIZATION},
                                              {FailureKind::kConfiguration, v1::FAILURE_KIND_CONFIGURATION},
                                              {FailureKind::kTransaction, v1::FAILURE_KIND_TRANSACTION},
                                              {FailureKind::kConnector, v1::FAILURE_KIND_CONNECTOR}}),
                                         v1::FAILURE_KIND_UNSPECIFIED};

inline constexpr EnumTable kConnectorTypes{std::to_array<Pair<ConnectorType, v1::ConnectorType>>(
                                               {{ConnectorType::kSource, v1::CONNECTOR_TYPE_SOURCE},
                                                {ConnectorType::kSink, v1::CONNECTOR_TYPE_SINK}}),
                                           v1::CONNECTOR_TYPE_UNSPECIFIED};

inline constexpr EnumTable kProbes{
    std::to_array<Pair<Probe, v1::ProbeResult>>(
        {{Probe::kCapable, v1::PROBE_RESULT_CAPABLE},
         {Probe::kWorkerNotEnabled, v1::PROBE_RESULT_WORKER_NOT_ENABLED},
         {Probe::kConnectorNotCapable, v1::PROBE_RESULT_CONNECTOR_NOT_CAPABLE},
         {Probe::kConnectorUndeclared, v1::PROBE_RESULT_CONNECTOR_UNDECLARED}}),
    v1::PROBE_RESULT_UNSPECIFIED};

inline constexpr EnumTable kReachSteps{
    std::to_array<Pair<ReachStep, v1::ReachStep>>({{ReachStep::kReached, v1::REACH_STEP_REACHED},
                                                   {ReachStep::kDns, v1::REACH_STEP_DNS},
                                                   {ReachStep::kConnect, v1::REACH_STEP_CONNECT},
                                                   {ReachStep::kTls, v1::REACH_STEP_TLS},
                                                   {ReachStep::kHttp, v1::REACH_STEP_HTTP}}),
    v1::REACH_STEP_UNSPECIFIED};

}  // namespace eos::wire
