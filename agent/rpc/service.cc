#include "agent/rpc/service.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <future>

#include "agent/rpc/authorizer.h"
#include "agent/rpc/stream.h"
#include "common/base/words.h"
#include "common/wire/grpc_edge.h"
#include "common/wire/translate.h"

namespace eos::rpc {
namespace {

constexpr int kMostAddresses = 500;
constexpr size_t kReachAtOnce = 32;

std::string CallerOf(const grpc::CallbackServerContext& context) {
  return NameOf(NamesOf(*context.auth_context()));
}

// An exception must not get into gRPC, which would answer UNIMPLEMENTED.
Status Guarded(const std::function<Status()>& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    spdlog::error("a handler failed: {}", Printable(error.what()));
    return Err(Reason::kInternal, "answering this call: an unexpected error; see the agent's log");
  }
}

Millis MillisOf(const google::protobuf::Duration& duration) {
  const int64_t seconds = std::clamp<int64_t>(duration.seconds(), 0, 1'000'000);
  return Millis{seconds * 1000 + std::clamp(duration.nanos(), 0, 999'999'999) / 1'000'000};
}

template <typename Response>
void Fill(const HostReport& report, Response& response) {
  *response.mutable_agent() = wire::ToWire(report.agent);
  for (const WorkerFacts& facts : report.workers) *response.add_workers() = wire::ToWire(facts);
}

v1::ReportCause OnWire(Cause cause) {
  return cause == Cause::kFirst    ? v1::REPORT_CAUSE_FIRST
         : cause == Cause::kChange ? v1::REPORT_CAUSE_CHANGE
                                   : v1::REPORT_CAUSE_HEARTBEAT;
}

std::vector<Reachability> ReachAll(worker::RestClient& rest, const std::vector<std::string>& urls) {
  std::vector<Reachability> results(urls.size());
  for (size_t begin = 0; begin < urls.size(); begin += kReachAtOnce) {
    std::vector<std::future<void>> batch;
    for (size_t i = begin; i < std::min(urls.size(), begin + kReachAtOnce); ++i) {
      batch.push_back(std::async(std::launch::async, [&, i] { results[i] = rest.Reach(urls[i]); }));
    }
  }
  return results;
}

}  // namespace

Service::Service(Parts& parts, Facts& facts, Reporter& reporter, Pool& pool)
    : parts_(parts), facts_(facts), reporter_(reporter), pool_(pool) {
  operations_token_ = parts_.runner.Subscribe([this](const OperationRecord&) { reporter_.Wake(); });
}

Service::~Service() { parts_.runner.Unsubscribe(operations_token_); }

grpc::ServerUnaryReactor* Service::Answer(Context* context, std::function<Status()> work) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  const bool taken =
      pool_.Run([reactor, work = std::move(work)] { reactor->Finish(wire::ToGrpc(Guarded(work))); });
  if (!taken) {
    reactor->Finish(
        wire::ToGrpc(Err(Reason::kTimeout, "answering this call: the agent is busy with many others",
                         "try again in a few seconds")));
  }
  return reactor;
}

StatusOr<host::ConfiguredWorker*> Service::Worker(const std::string& name) const {
  for (auto* worker : parts_.workers) {
    if (worker->identity().name == name) return worker;
  }
  return Err(Reason::kNotFound,
             fmt::format("looking for worker \"{}\": this agent has none of that name", Printable(name)));
}

Status Service::KnownFleet(const std::string& fleet) const {
  for (const auto* worker : parts_.workers) {
    if (worker->identity().fleet == fleet) return OkStatus();
  }
  return Err(Reason::kNotFound,
             fmt::format("looking for fleet \"{}\": this agent has no worker of it", Printable(fleet)));
}

grpc::ServerUnaryReactor* Service::Observe(Context* context, const v1::ObserveRequest* request,
                                           v1::ObserveResponse* response) {
  return Answer(context, [this, request, response] {
    Fill(facts_.Look(request->fleet()), *response);
    return OkStatus();
  });
}

grpc::ServerWriteReactor<v1::WatchReportsResponse>* Service::WatchReports(
    Context*, const v1::WatchReportsRequest* request) {
  auto* stream = new Stream<v1::WatchReportsResponse>(1);
  const Millis heartbeat = std::clamp(MillisOf(request->heartbeat()), Millis{1'000}, Millis{60'000});
  const int token =
      reporter_.Subscribe(request->fleet(), heartbeat, [stream](Cause cause, const HostReport& report) {
        v1::WatchReportsResponse response;
        response.set_cause(OnWire(cause));
        Fill(report, response);
        stream->Push(std::move(response));
      });
  stream->OnDoneCall([this, token] { reporter_.Unsubscribe(token); });
  return stream;
}

grpc::ServerUnaryReactor* Service::GetLease(Context* context, const v1::GetLeaseRequest* request,
                                            v1::GetLeaseResponse* response) {
  return Answer(context, [this, request, response]() -> Status {
    EOS_RETURN_IF_ERROR(KnownFleet(request->fleet()));
    EOS_ASSIGN_OR_RETURN(const std::optional<Lease> lease, parts_.leases.Current(request->fleet()));
    if (lease) *response->mutable_lease() = wire::ToWire(*lease);
    return OkStatus();
  });
}

grpc::ServerUnaryReactor* Service::AcquireLease(Context* context, const v1::AcquireLeaseRequest* request,
                                                v1::AcquireLeaseResponse* response) {
  return Answer(context, [this, context, request, response]() -> Status {
    EOS_RETURN_IF_ERROR(KnownFleet(request->fleet()));
    EOS_ASSIGN_OR_RETURN(
        const Lease lease,
        parts_.leases.Acquire({request->fleet(), request->session(), request->holder(), CallerOf(*context),
                               MillisOf(request->ttl()), request->take_over()}));
    *response->mutable_lease() = wire::ToWire(lease);
    return OkStatus();
  });
}

grpc::ServerUnaryReactor* Service::ReleaseLease(Context* context, const v1::ReleaseLeaseRequest* request,
                                                v1::ReleaseLeaseResponse*) {
  return Answer(context, [this, request]() -> Status {
    EOS_RETURN_IF_ERROR(KnownFleet(request->fleet()));
    return parts_.leases.Release(request->fleet(), request->session());
  });
}

grpc::ServerUnaryReactor* Service::StartOperation(Context* context, const v1::StartOperationRequest* request,
                                                  v1::StartOperationResponse* response) {
  return Answer(context, [this, context, request, response]() -> Status {
    EOS_ASSIGN_OR_RETURN(const OperationRequest operation, wire::FromWire(request->operation()));
    EOS_ASSIGN_OR_RETURN(const OperationRecord record, parts_.runner.Start(operation, CallerOf(*context)));
    *response->mutable_record() = wire::ToWire(record);
    return OkStatus();
  });
}

grpc::ServerUnaryReactor* Service::GetOperation(Context* context, const v1::GetOperationRequest* request,
                                                v1::GetOperationResponse* response) {
  return Answer(context, [this, request, response]() -> Status {
    EOS_ASSIGN_OR_RETURN(const OperationRecord record, parts_.runner.Get(request->id()));
    *response->mutable_record() = wire::ToWire(record);
    return OkStatus();
  });
}

grpc::ServerWriteReactor<v1::WatchOperationResponse>* Service::WatchOperation(
    Context*, const v1::WatchOperationRequest* request) {
  auto* stream = new Stream<v1::WatchOperationResponse>(64);
  const auto handle = std::make_shared<StreamHandle<v1::WatchOperationResponse>>(stream);
  const std::string& id = request->id();
  const auto push = [handle](const OperationRecord& record) {
    v1::WatchOperationResponse response;
    *response.mutable_record() = wire::ToWire(record);
    handle->Push(std::move(response));
    if (record.finished()) handle->End(grpc::Status::OK);
  };
  const int token = parts_.runner.Subscribe([id, push](const OperationRecord& record) {
    if (record.request.id == id) push(record);
  });
  stream->OnDoneCall([this, token, handle] {
    handle->Forget();
    parts_.runner.Unsubscribe(token);
  });
  // The current state, asked for after subscribing, so that no step falls in between; it may be on disk.
  const bool taken = pool_.Run([this, id, push, handle] {
    const auto record = parts_.runner.Get(id);
    if (record.ok()) {
      push(*record);
    } else {
      handle->End(wire::ToGrpc(record.status()));
    }
  });
  if (!taken)
    handle->End(
        wire::ToGrpc(Err(Reason::kTimeout, "watching an operation: the agent is busy with many calls")));
  return stream;
}

grpc::ServerUnaryReactor* Service::ListConnectors(Context* context, const v1::ListConnectorsRequest* request,
                                                  v1::ListConnectorsResponse* response) {
  return Answer(context, [this, request, response]() -> Status {
    EOS_ASSIGN_OR_RETURN(auto* const worker, Worker(request->worker()));
    EOS_ASSIGN_OR_RETURN(const auto connectors, worker->rest().ListConnectors());
    for (const ConnectorStatus& connector : connectors) *response->add_connectors() = wire::ToWire(connector);
    return OkStatus();
  });
}

grpc::ServerUnaryReactor* Service::ProbeExactlyOnce(Context* context,
                                                    const v1::ProbeExactlyOnceRequest* request,
                                                    v1::ProbeExactlyOnceResponse* response) {
  return Answer(context, [this, request, response]() -> Status {
    EOS_ASSIGN_OR_RETURN(auto* const worker, Worker(request->worker()));
    EOS_ASSIGN_OR_RETURN(const auto answer, worker->rest().ProbeExactlyOnce(request->connector()));
    response->set_result(wire::ToWire(answer.result));
    response->set_connector_class(answer.connector_class);
    response->set_message(answer.message);
    return OkStatus();
  });
}

grpc::ServerUnaryReactor* Service::DescribeConnector(Context* context,
                                                     const v1::DescribeConnectorRequest* request,
                                                     v1::DescribeConnectorResponse* response) {
  return Answer(context, [this, request, response]() -> Status {
    EOS_ASSIGN_OR_RETURN(auto* const worker, Worker(request->worker()));
    if (request->connector().empty())
      return Err(Reason::kInvalidArgument, "describing a connector: none named");
    EOS_ASSIGN_OR_RETURN(const auto settings, worker->rest().DescribeConnector(request->connector()));
    *response->mutable_settings() = wire::ToWire(settings);
    return OkStatus();
  });
}

grpc::ServerUnaryReactor* Service::RestartFailedTasks(Context* context,
                                                      const v1::RestartFailedTasksRequest* request,
                                                      v1::RestartFailedTasksResponse*) {
  return Answer(context, [this, request]() -> Status {
    EOS_ASSIGN_OR_RETURN(auto* const worker, Worker(request->worker()));
    EOS_RETURN_IF_ERROR(
        parts_.leases.Check(worker->identity().fleet, request->lease_session(), request->lease_epoch()));
    if (request->connector().empty())
      return Err(Reason::kInvalidArgument, "restarting failed tasks: no connector named");
    return worker->rest().RestartFailedTasks(request->connector());
  });
}

grpc::ServerUnaryReactor* Service::CheckReachability(Context* context,
                                                     const v1::CheckReachabilityRequest* request,
                                                     v1::CheckReachabilityResponse* response) {
  return Answer(context, [this, request, response]() -> Status {
    EOS_ASSIGN_OR_RETURN(auto* const worker, Worker(request->worker()));
    if (request->addresses_size() > kMostAddresses) {
      return Err(Reason::kInvalidArgument,
                 fmt::format("checking reachability: at most {} addresses", kMostAddresses));
    }
    std::vector<std::string> urls;
    for (const v1::WorkerAddress& address : request->addresses()) {
      EOS_ASSIGN_OR_RETURN(urls.emplace_back(), wire::UrlOf(address));
    }
    for (const Reachability& result : ReachAll(worker->rest(), urls))
      *response->add_results() = wire::ToWire(result);
    return OkStatus();
  });
}

}  // namespace eos::rpc
