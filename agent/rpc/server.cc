#include "agent/rpc/server.h"

#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>
#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include "agent/rpc/authorizer.h"
#include "agent/rpc/service.h"
#include "common/tls/staged_files.h"
#include "common/wire/grpc_edge.h"

namespace eos::rpc {
namespace {

constexpr size_t kThreads = 8;
constexpr size_t kWaiting = 64;
constexpr int kMaxRequest = 1 << 20;
constexpr auto kGrace = std::chrono::seconds{2};

std::shared_ptr<grpc::ServerCredentials> Credentials(const tls::Files& files, const ServeOptions& options) {
  const auto seconds =
      std::max<int64_t>(1, std::chrono::duration_cast<std::chrono::seconds>(options.tls_refresh).count());
  auto provider = std::make_shared<grpc::experimental::FileWatcherCertificateProvider>(
      files.key, files.certificate, files.ca, static_cast<unsigned>(seconds));
  grpc::experimental::TlsServerCredentialsOptions tls(provider);
  tls.watch_root_certs();
  tls.watch_identity_key_cert_pairs();
  tls.set_cert_request_type(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  auto credentials = grpc::experimental::TlsServerCredentials(tls);
  credentials->SetAuthMetadataProcessor(std::make_shared<Authorizer>(options.callers));
  return credentials;
}

void Configure(grpc::ServerBuilder& builder) {
  // With it a second server on the same port would start, and the two would share the connections.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 60'000);
  // A certificate that was taken back ends with its connection only.
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS, 30 * 60'000);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS, 5 * 60'000);
  builder.SetMaxReceiveMessageSize(kMaxRequest);
}

}  // namespace

class AgentServer::Impl {
 public:
  Impl(Parts parts, ServeOptions options)
      : parts_(std::move(parts)),
        options_(std::move(options)),
        staged_(options_.tls, options_.runtime_directory + "/tls"),
        facts_(parts_),
        reporter_(facts_, options_.report_every),
        pool_(kThreads, kWaiting),
        service_(parts_, facts_, reporter_, pool_) {}

  ~Impl() {
    {
      const std::lock_guard lock(mutex_);
      end_ = true;
    }
    wake_.notify_all();
    if (refresher_.joinable()) refresher_.join();
    if (server_) server_->Shutdown(std::chrono::system_clock::now() + kGrace);
  }

  Status Start() {
    wire::SendGrpcLogToSpdlog();
    EOS_RETURN_IF_ERROR(staged_.Refresh(parts_.clock.Now()));
    facts_.SetCertificate(staged_.facts().not_after, std::nullopt);
    grpc::EnableDefaultHealthCheckService(true);
    grpc::ServerBuilder builder;
    Configure(builder);
    builder.AddListeningPort(options_.listen, Credentials(staged_.in_use(), options_), &port_);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    if (!server_ || port_ == 0) {
      return Err(Reason::kUsage,
                 fmt::format("listening on \"{}\": the address cannot be used", options_.listen),
                 fmt::format("see who has it: ss -ltnp; or correct \"listen\""));
    }
    refresher_ = std::thread([this] { RefreshCertificates(); });
    return OkStatus();
  }

  int port() const { return port_; }

 private:
  void RefreshCertificates() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, options_.tls_refresh, [this] { return end_; })) {
      const std::string serial = staged_.facts().serial;
      const Status refreshed = staged_.Refresh(parts_.clock.Now());
      if (!refreshed.ok()) {
        spdlog::warn("new certificate files are not used, the old ones are kept: {}",
                     std::string(refreshed.message()));
      } else if (staged_.facts().serial != serial) {
        spdlog::info("certificate {} is in use now", staged_.facts().serial);
      }
      facts_.SetCertificate(staged_.facts().not_after, staged_.problem());
    }
  }

  Parts parts_;
  const ServeOptions options_;
  tls::StagedFiles staged_;
  Facts facts_;
  Reporter reporter_;
  Pool pool_;
  Service service_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool end_ = false;
  std::thread refresher_;
};

AgentServer::AgentServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
AgentServer::~AgentServer() = default;
int AgentServer::port() const { return impl_->port(); }

StatusOr<std::unique_ptr<AgentServer>> AgentServer::Start(Parts parts, ServeOptions options) {
  auto impl = std::make_unique<Impl>(std::move(parts), std::move(options));
  EOS_RETURN_IF_ERROR(impl->Start());
  return std::unique_ptr<AgentServer>(new AgentServer(std::move(impl)));
}

}  // namespace eos::rpc
