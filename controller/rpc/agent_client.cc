#include "controller/rpc/agent_client.h"

#include <google/protobuf/duration.pb.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>
#include <spdlog/fmt/fmt.h>

#include <condition_variable>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>

#include "common/tls/certificates.h"
#include "common/wire/grpc_edge.h"
#include "common/wire/translate.h"
#include "eos/agent/v1/agent.grpc.pb.h"

namespace eos::rpc {
namespace {

using fleet::AgentAddress;
using fleet::AgentClient;
using fleet::ProbeAnswer;
using fleet::StopFlag;
using fleet::TlsFiles;

namespace v1 = ::eos::agent::v1;

constexpr Millis kAccept{15'000};  // an operation is only recorded before the answer
constexpr Millis kRead{12'000};    // a worker's /health may take 10 s (KIP-1017)
constexpr Millis kSlow{100'000};   // Connect answers a validation or a restart within 90 s
constexpr Millis kLookAtStop{100};

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::shared_ptr<grpc::Channel> MakeChannel(const AgentAddress& address, const TlsFiles& tls) {
  using grpc::experimental::IdentityKeyCertPair;
  auto provider = std::make_shared<grpc::experimental::StaticDataCertificateProvider>(
      Contents(tls.ca), std::vector<IdentityKeyCertPair>{{Contents(tls.key), Contents(tls.certificate)}});
  grpc::experimental::TlsChannelCredentialsOptions options;
  options.set_certificate_provider(provider);
  options.watch_root_certs();
  options.watch_identity_key_cert_pairs();
  grpc::ChannelArguments arguments;
  if (!address.tls_name.empty()) arguments.SetSslTargetNameOverride(address.tls_name);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 200);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 200);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 2'000);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  return grpc::CreateCustomChannel(address.address, grpc::experimental::TlsCredentials(options), arguments);
}

void SetDeadline(grpc::ClientContext& context, Millis limit) {
  context.set_deadline(std::chrono::system_clock::now() + limit);
}

// Cancels a stream soon after `stop` is set.
class Canceller {
 public:
  Canceller(grpc::ClientContext& context, const StopFlag& stop)
      : thread_([this, &context, &stop] {
          std::unique_lock lock(mutex_);
          while (!end_ && !stop) wake_.wait_for(lock, kLookAtStop);
          if (!end_) context.TryCancel();
        }) {}
  ~Canceller() {
    {
      const std::lock_guard lock(mutex_);
      end_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool end_ = false;
  std::thread thread_;
};

class GrpcAgentClient final : public AgentClient {
 public:
  GrpcAgentClient(const AgentAddress& address, TlsFiles tls, Millis connect_limit)
      : address_(address),
        tls_(std::move(tls)),
        connect_limit_(connect_limit),
        channel_(MakeChannel(address, tls_)),
        stub_(v1::AgentService::NewStub(channel_)) {}

  const std::string& name() const override { return address_.name; }

  StatusOr<HostReport> Observe(const std::string& fleet) override {
    v1::ObserveRequest request;
    request.set_fleet(fleet);
    EOS_ASSIGN_OR_RETURN(const v1::ObserveResponse response,
                         (Call<v1::ObserveResponse>(kRead, &v1::AgentService::Stub::Observe, request)));
    HostReport report = ReportOf(response);
    if (report.agent.protocol != kProtocolVersion) {
      return Err(
          Reason::kVersionMismatch,
          fmt::format("talking to agent \"{}\": it speaks protocol {} (version {}), this eosctl speaks {} "
                      "(version {})",
                      address_.name, report.agent.protocol, report.agent.version, kProtocolVersion,
                      EOS_VERSION),
          "install the same version on both");
    }
    return report;
  }

  Status WatchReports(const std::string& fleet, Millis heartbeat,
                      const std::function<void(const HostReport&)>& on_report,
                      const StopFlag& stop) override {
    grpc::ClientContext context;
    v1::WatchReportsRequest request;
    request.set_fleet(fleet);
    request.mutable_heartbeat()->set_seconds(heartbeat.count() / 1000);
    const Canceller canceller(context, stop);
    const auto reader = stub_->WatchReports(&context, request);
    v1::WatchReportsResponse response;
    while (reader->Read(&response)) on_report(ReportOf(response));
    return Explain(reader->Finish(), stop);
  }

  StatusOr<std::optional<Lease>> GetLease(const std::string& fleet) override {
    v1::GetLeaseRequest request;
    request.set_fleet(fleet);
    EOS_ASSIGN_OR_RETURN(const v1::GetLeaseResponse response,
                         (Call<v1::GetLeaseResponse>(kRead, &v1::AgentService::Stub::GetLease, request)));
    if (!response.has_lease()) return std::optional<Lease>();
    return std::optional<Lease>(wire::FromWire(response.lease()));
  }

  StatusOr<Lease> AcquireLease(const std::string& fleet, const std::string& session,
                               const std::string& holder, Millis ttl, const std::string& take_over) override {
    v1::AcquireLeaseRequest request;
    request.set_fleet(fleet);
    request.set_session(session);
    request.set_holder(holder);
    request.mutable_ttl()->set_seconds(ttl.count() / 1000);
    request.mutable_ttl()->set_nanos(static_cast<int32_t>(ttl.count() % 1000) * 1'000'000);
    request.set_take_over(take_over);
    EOS_ASSIGN_OR_RETURN(
        const v1::AcquireLeaseResponse response,
        (Call<v1::AcquireLeaseResponse>(kAccept, &v1::AgentService::Stub::AcquireLease, request)));
    return wire::FromWire(response.lease());
  }

  Status ReleaseLease(const std::string& fleet, const std::string& session) override {
    v1::ReleaseLeaseRequest request;
    request.set_fleet(fleet);
    request.set_session(session);
    return Call<v1::ReleaseLeaseResponse>(kAccept, &v1::AgentService::Stub::ReleaseLease, request).status();
  }

  StatusOr<OperationRecord> StartOperation(const OperationRequest& operation) override {
    v1::StartOperationRequest request;
    *request.mutable_operation() = wire::ToWire(operation);
    EOS_ASSIGN_OR_RETURN(
        const v1::StartOperationResponse response,
        (Call<v1::StartOperationResponse>(kAccept, &v1::AgentService::Stub::StartOperation, request)));
    return wire::FromWire(response.record());
  }

  StatusOr<OperationRecord> GetOperation(const std::string& id) override {
    v1::GetOperationRequest request;
    request.set_id(id);
    EOS_ASSIGN_OR_RETURN(
        const v1::GetOperationResponse response,
        (Call<v1::GetOperationResponse>(kRead, &v1::AgentService::Stub::GetOperation, request)));
    return wire::FromWire(response.record());
  }

  StatusOr<OperationRecord> WatchOperation(const std::string& id, Millis limit,
                                           const std::function<void(const OperationRecord&)>& on_record,
                                           const StopFlag& stop) override {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (true) {
      std::optional<OperationRecord> last;
      const Status broken = WatchOnce(
          id,
          [&](OperationRecord record) {
            on_record(record);
            last = std::move(record);
          },
          stop);
      if (last && last->finished()) return *last;
      if (stop) return Err(Reason::kInterrupted, "interrupted");
      const bool passes = broken.ok() || Info(ReasonOf(broken)).retry_helps;
      if (!passes) return broken;
      if (std::chrono::steady_clock::now() > end) {
        return Err(Reason::kTimeout,
                   fmt::format("watching operation \"{}\" at agent \"{}\": it did not end within {}", id,
                               address_.name, FormatDuration(limit)),
                   fmt::format("see the log of eos-agent on \"{}\"; it goes on with the operation by itself",
                               address_.name));
      }
      Pause(stop);
    }
  }

  StatusOr<std::vector<ConnectorStatus>> ListConnectors(const std::string& worker) override {
    v1::ListConnectorsRequest request;
    request.set_worker(worker);
    EOS_ASSIGN_OR_RETURN(
        const v1::ListConnectorsResponse response,
        (Call<v1::ListConnectorsResponse>(kRead, &v1::AgentService::Stub::ListConnectors, request)));
    std::vector<ConnectorStatus> connectors;
    for (const auto& connector : response.connectors()) connectors.push_back(wire::FromWire(connector));
    return connectors;
  }

  StatusOr<ProbeAnswer> ProbeExactlyOnce(const std::string& worker, const std::string& connector) override {
    v1::ProbeExactlyOnceRequest request;
    request.set_worker(worker);
    request.set_connector(connector);
    EOS_ASSIGN_OR_RETURN(
        const v1::ProbeExactlyOnceResponse response,
        (Call<v1::ProbeExactlyOnceResponse>(kSlow, &v1::AgentService::Stub::ProbeExactlyOnce, request)));
    return ProbeAnswer{wire::FromWire(response.result()), response.connector_class(), response.message()};
  }

  StatusOr<ConnectorSettings> DescribeConnector(const std::string& worker,
                                                const std::string& connector) override {
    v1::DescribeConnectorRequest request;
    request.set_worker(worker);
    request.set_connector(connector);
    EOS_ASSIGN_OR_RETURN(
        const v1::DescribeConnectorResponse response,
        (Call<v1::DescribeConnectorResponse>(kSlow, &v1::AgentService::Stub::DescribeConnector, request)));
    return wire::FromWire(response.settings());
  }

  Status RestartFailedTasks(const std::string& worker, const std::string& connector,
                            const std::string& session, uint64_t epoch) override {
    v1::RestartFailedTasksRequest request;
    request.set_worker(worker);
    request.set_connector(connector);
    request.set_lease_session(session);
    request.set_lease_epoch(epoch);
    return Call<v1::RestartFailedTasksResponse>(kSlow, &v1::AgentService::Stub::RestartFailedTasks, request)
        .status();
  }

  StatusOr<std::vector<Reachability>> CheckReachability(const std::string& worker,
                                                        const std::vector<std::string>& urls) override {
    v1::CheckReachabilityRequest request;
    request.set_worker(worker);
    for (const std::string& url : urls) {
      EOS_ASSIGN_OR_RETURN(*request.add_addresses(), wire::AddressOf(url));
    }
    EOS_ASSIGN_OR_RETURN(
        const v1::CheckReachabilityResponse response,
        (Call<v1::CheckReachabilityResponse>(kSlow, &v1::AgentService::Stub::CheckReachability, request)));
    std::vector<Reachability> results;
    for (const auto& result : response.results()) results.push_back(wire::FromWire(result));
    return results;
  }

 private:
  template <typename Response, typename Method, typename Request>
  StatusOr<Response> Call(Millis limit, Method method, const Request& request) {
    EOS_RETURN_IF_ERROR(Connect());
    grpc::ClientContext context;
    SetDeadline(context, limit);
    Response response;
    const grpc::Status status = (stub_.get()->*method)(&context, request, &response);
    if (status.ok()) return response;
    return Annotate(wire::FromGrpc(status), fmt::format("agent \"{}\"", address_.name));
  }

  Status WatchOnce(const std::string& id, const std::function<void(OperationRecord)>& on_record,
                   const StopFlag& stop) {
    grpc::ClientContext context;
    v1::WatchOperationRequest request;
    request.set_id(id);
    const Canceller canceller(context, stop);
    const auto reader = stub_->WatchOperation(&context, request);
    v1::WatchOperationResponse response;
    while (reader->Read(&response)) {
      auto record = wire::FromWire(response.record());
      if (!record.ok()) {
        context.TryCancel();
        return record.status();
      }
      on_record(*std::move(record));
    }
    return Explain(reader->Finish(), stop);
  }

  Status Explain(const grpc::Status& status, const StopFlag& stop) const {
    if (stop) return Err(Reason::kInterrupted, "interrupted");
    return wire::FromGrpc(status);
  }

  // A dead host must not cost a call's whole limit: connecting has one of its own, and ends at the first
  // refusal. gRPC tells all refusals alike, so a handshake of our own says why.
  Status Connect() const {
    const auto end = std::chrono::system_clock::now() + connect_limit_;
    bool diagnosed = false;
    for (auto state = channel_->GetState(true); state != GRPC_CHANNEL_READY;
         state = channel_->GetState(true)) {
      if (state == GRPC_CHANNEL_TRANSIENT_FAILURE && !diagnosed) {
        EOS_RETURN_IF_ERROR(Annotate(Diagnose(), fmt::format("agent \"{}\"", address_.name)));
        diagnosed = true;  // nothing is wrong (any more): the channel tries again by itself
      }
      if (!channel_->WaitForStateChange(state, end)) {
        EOS_RETURN_IF_ERROR(Annotate(Diagnose(), fmt::format("agent \"{}\"", address_.name)));
        return Err(Reason::kUnreachable,
                   fmt::format("agent \"{}\": {} does not answer within {}, though its TLS is fine",
                               address_.name, address_.address, FormatDuration(connect_limit_)),
                   "see the log of eos-agent there");
      }
    }
    return OkStatus();
  }

  Status Diagnose() const {
    const size_t colon = address_.address.rfind(':');
    std::string host = address_.address.substr(0, colon);
    if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
    const int port = std::stoi(address_.address.substr(colon + 1));
    return tls::Diagnose(host, port, address_.tls_name.empty() ? host : address_.tls_name,
                         {tls_.certificate, tls_.key, tls_.ca}, connect_limit_);
  }

  template <typename Response>
  static HostReport ReportOf(const Response& response) {
    HostReport report;
    report.agent = wire::FromWire(response.agent());
    for (const auto& facts : response.workers()) report.workers.push_back(wire::FromWire(facts));
    return report;
  }

  static void Pause(const StopFlag& stop) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds{500};
    while (!stop && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(kLookAtStop);
  }

  const AgentAddress address_;
  const TlsFiles tls_;
  const Millis connect_limit_;
  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<v1::AgentService::Stub> stub_;
};

}  // namespace

Status CheckOwnCertificate(const TlsFiles& own, Time now) {
  const tls::Files files{own.certificate, own.key, own.ca};
  EOS_RETURN_IF_ERROR(tls::Check(files, now).status());
  return tls::CheckForClients(files);
}

std::unique_ptr<AgentClient> NewAgentClient(const AgentAddress& address, const TlsFiles& tls,
                                            Millis connect_limit) {
  return std::make_unique<GrpcAgentClient>(address, tls, connect_limit);
}

}  // namespace eos::rpc
