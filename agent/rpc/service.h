// eos.agent.v1.AgentService: translate, hand over, answer. No handler blocks.
#pragma once

#include <functional>

#include "agent/rpc/facts.h"
#include "agent/rpc/pool.h"
#include "agent/rpc/reporter.h"
#include "eos/agent/v1/agent.grpc.pb.h"

namespace eos::rpc {

namespace v1 = ::eos::agent::v1;

class Service final : public v1::AgentService::CallbackService {
 public:
  Service(Parts& parts, Facts& facts, Reporter& reporter, Pool& pool);
  ~Service() override;

  using Context = grpc::CallbackServerContext;
  grpc::ServerUnaryReactor* Observe(Context*, const v1::ObserveRequest*, v1::ObserveResponse*) override;
  grpc::ServerWriteReactor<v1::WatchReportsResponse>* WatchReports(Context*,
                                                                   const v1::WatchReportsRequest*) override;
  grpc::ServerUnaryReactor* GetLease(Context*, const v1::GetLeaseRequest*, v1::GetLeaseResponse*) override;
  grpc::ServerUnaryReactor* AcquireLease(Context*, const v1::AcquireLeaseRequest*,
                                         v1::AcquireLeaseResponse*) override;
  grpc::ServerUnaryReactor* ReleaseLease(Context*, const v1::ReleaseLeaseRequest*,
                                         v1::ReleaseLeaseResponse*) override;
  grpc::ServerUnaryReactor* StartOperation(Context*, const v1::StartOperationRequest*,
                                           v1::StartOperationResponse*) override;
  grpc::ServerUnaryReactor* GetOperation(Context*, const v1::GetOperationRequest*,
                                         v1::GetOperationResponse*) override;
  grpc::ServerWriteReactor<v1::WatchOperationResponse>* WatchOperation(
      Context*, const v1::WatchOperationRequest*) override;
  grpc::ServerUnaryReactor* ListConnectors(Context*, const v1::ListConnectorsRequest*,
                                           v1::ListConnectorsResponse*) override;
  grpc::ServerUnaryReactor* ProbeExactlyOnce(Context*, const v1::ProbeExactlyOnceRequest*,
                                             v1::ProbeExactlyOnceResponse*) override;
  grpc::ServerUnaryReactor* DescribeConnector(Context*, const v1::DescribeConnectorRequest*,
                                              v1::DescribeConnectorResponse*) override;
  grpc::ServerUnaryReactor* RestartFailedTasks(Context*, const v1::RestartFailedTasksRequest*,
                                               v1::RestartFailedTasksResponse*) override;
  grpc::ServerUnaryReactor* CheckReachability(Context*, const v1::CheckReachabilityRequest*,
                                              v1::CheckReachabilityResponse*) override;

 private:
  grpc::ServerUnaryReactor* Answer(Context* context, std::function<Status()> work);
  StatusOr<host::ConfiguredWorker*> Worker(const std::string& name) const;
  Status KnownFleet(const std::string& fleet) const;

  Parts& parts_;
  Facts& facts_;
  Reporter& reporter_;
  Pool& pool_;
  int operations_token_ = 0;
};

}  // namespace eos::rpc
