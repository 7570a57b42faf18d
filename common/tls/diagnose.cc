#include <netdb.h>
#include <openssl/err.h>
#include <poll.h>
#include <spdlog/fmt/fmt.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "common/tls/certificates.h"
#include "common/tls/x509.h"

namespace eos::tls {
namespace {

struct Socket {
  int fd = -1;
  Socket() = default;
  Socket(Socket&& other) noexcept : fd(std::exchange(other.fd, -1)) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() {
    if (fd >= 0) close(fd);
  }
};

Status Unreachable(const std::string& where, const std::string& why) {
  return Err(Reason::kUnreachable, fmt::format("connecting to {}: {}", where, why),
             "see that the host is up, eos-agent runs there and no firewall is in between");
}

std::string ConnectOne(const addrinfo& address, Millis limit, Socket& out) {
  out.fd = socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address.ai_protocol);
  if (out.fd < 0) return std::strerror(errno);
  if (connect(out.fd, address.ai_addr, address.ai_addrlen) == 0) return {};
  if (errno != EINPROGRESS) return std::strerror(errno);
  pollfd wait{out.fd, POLLOUT, 0};
  if (poll(&wait, 1, static_cast<int>(limit.count())) <= 0) return "no answer in time";
  int error = 0;
  socklen_t size = sizeof(error);
  getsockopt(out.fd, SOL_SOCKET, SO_ERROR, &error, &size);
  return error == 0 ? std::string() : std::strerror(error);
}

StatusOr<Socket> Connect(const std::string& host, int port, Millis limit) {
  const std::string where = fmt::format("{}:{}", host, port);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (error != 0) return Unreachable(where, gai_strerror(error));
  const std::unique_ptr<addrinfo, Freed<addrinfo, freeaddrinfo>> list(found);
  std::string why = "no address";
  for (const addrinfo* one = found; one; one = one->ai_next) {
    Socket socket;
    why = ConnectOne(*one, limit, socket);
    if (why.empty()) return socket;
  }
  return Unreachable(where, why);
}

// Handshakes and reads wait by poll, within one limit.
bool WaitFor(SSL* ssl, int result, int fd, std::chrono::steady_clock::time_point end) {
  const int what = SSL_get_error(ssl, result);
  if (what != SSL_ERROR_WANT_READ && what != SSL_ERROR_WANT_WRITE) return false;
  const auto left = std::chrono::duration_cast<Millis>(end - std::chrono::steady_clock::now());
  pollfd wait{fd, static_cast<short>(what == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT), 0};
  return left.count() > 0 && poll(&wait, 1, static_cast<int>(left.count())) > 0;
}

Status ServersFault(const std::string& where, SSL* ssl, long verified) {
  const X509Ptr certificate(SSL_get1_peer_certificate(ssl));
  const CertificateFacts facts = certificate ? FactsOf(certificate.get()) : CertificateFacts{};
  switch (verified) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return Err(
          Reason::kCertificateExpired,
          fmt::format("connecting to {}: its certificate ended at {}", where, FormatUtc(facts.not_after)),
          "put a new pair in place on that host; if it is not expired, this host's clock is wrong: "
          "timedatectl");
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return Err(Reason::kCertificateNotYetValid,
                 fmt::format("connecting to {}: its certificate is valid from {} on only", where,
                             FormatUtc(facts.not_before)),
                 "see that this host's clock is right: timedatectl");
    default:
      return Err(Reason::kCertificateUntrusted,
                 fmt::format("connecting to {}: its certificate is not signed by our CA ({})", where,
                             X509_verify_cert_error_string(verified)),
                 "compare \"ca\" in fleet.yaml with the CA that issued that agent's certificate");
  }
}

std::string NameText(const X509_NAME* name) {
  char text[256] = {};
  X509_NAME_oneline(name, text, sizeof(text));
  return text;
}

// The server closed after our certificate. It may have said why by an alert (RFC 8446, 6.2); gRPC 1.51 just
// closes, but has told before which CAs it accepts.
Status OurFault(const std::string& where, SSL* ssl, std::optional<int> alert) {
  const std::string who = fmt::format("connecting to {}: the agent refuses our certificate: ", where);
  const X509_NAME* issuer = X509_get_issuer_name(SSL_get_certificate(ssl));
  const STACK_OF(X509_NAME)* accepted = SSL_get0_peer_CA_list(ssl);
  bool known = alert != SSL_AD_UNKNOWN_CA;
  if (!alert && sk_X509_NAME_num(accepted) > 0) {
    known = false;
    for (int i = 0; i < sk_X509_NAME_num(accepted); ++i) {
      known |= X509_NAME_cmp(sk_X509_NAME_value(accepted, i), issuer) == 0;
    }
  }
  if (!known) {
    return Err(Reason::kCertificateUntrusted,
               who + fmt::format("it does not know the CA \"{}\" that signed it", NameText(issuer)),
               "compare \"ca\" in the agent's configuration with the CA that issued ours");
  }
  if (!alert || alert == SSL_AD_CERTIFICATE_EXPIRED) {
    return Err(
        Reason::kClockSkew,
        who + "it knows its CA, and by our clock it is valid: by the agent's clock, most likely, it is not",
        "compare the clocks of both hosts: timedatectl; else see the agent's log");
  }
  return Err(Reason::kUnauthenticated, who + fmt::format("TLS alert {}", SSL_alert_desc_string_long(*alert)),
             "see the agent's log");
}

std::optional<int> AlertIn(unsigned long error) {
  // OpenSSL reports a received alert N as reason SSL_AD_REASON_OFFSET + N.
  const int reason = ERR_GET_REASON(error);
  if (ERR_GET_LIB(error) == ERR_LIB_SSL && reason > SSL_AD_REASON_OFFSET)
    return reason - SSL_AD_REASON_OFFSET;
  return std::nullopt;
}

}  // namespace

Status Diagnose(const std::string& host, int port, const std::string& expected_name, const Files& files,
                Millis limit) {
  const std::string where = fmt::format("{}:{}", host, port);
  const auto ours = Check(files, std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now()));
  if (!ours.ok()) return Annotate(ours.status(), "connecting to " + where);

  EOS_RETURN_IF_ERROR(Annotate(CheckForClients(files), "connecting to " + where));
  const SslContextPtr context(SSL_CTX_new(TLS_client_method()));
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_use_certificate_chain_file(context.get(), files.certificate.c_str());
  SSL_CTX_use_PrivateKey_file(context.get(), files.key.c_str(), SSL_FILETYPE_PEM);
  SSL_CTX_load_verify_locations(context.get(), files.ca.c_str(), nullptr);
  // What is wrong is looked at afterwards, so that it can be told apart.
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_NONE, nullptr);
  constexpr unsigned char kHttp2[] = "\x02h2";
  SSL_CTX_set_alpn_protos(context.get(), kHttp2, sizeof(kHttp2) - 1);

  EOS_ASSIGN_OR_RETURN(const Socket socket, Connect(host, port, limit));
  const auto end = std::chrono::steady_clock::now() + limit;
  const SslPtr ssl(SSL_new(context.get()));
  SSL_set_fd(ssl.get(), socket.fd);
  // The macro for this (SSL_set_tlsext_host_name) casts in C's way.
  std::string server_name = expected_name;
  SSL_ctrl(ssl.get(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, server_name.data());
  ERR_clear_error();
  int result = SSL_connect(ssl.get());
  while (result != 1 && WaitFor(ssl.get(), result, socket.fd, end)) result = SSL_connect(ssl.get());
  if (result != 1) {
    if (const auto alert = AlertIn(ERR_peek_error())) return OurFault(where, ssl.get(), alert);
    return Err(Reason::kUnreachable,
               fmt::format("connecting to {}: what answers there does not speak TLS", where),
               "see that the port is eos-agent's");
  }
  const X509Ptr certificate(SSL_get1_peer_certificate(ssl.get()));
  if (const long verified = SSL_get_verify_result(ssl.get()); verified != X509_V_OK) {
    return ServersFault(where, ssl.get(), verified);
  }
  if (!HasName(certificate.get(), expected_name)) {
    return Err(Reason::kCertificateNameMismatch,
               fmt::format("connecting to {}: its certificate is for {}, not for \"{}\"", where,
                           NamesOf(FactsOf(certificate.get())), expected_name),
               "set tls_name of that agent in fleet.yaml, or issue its certificate with that name");
  }
  // In TLS 1.3 the server judges our certificate after our side of the handshake: its verdict is the first
  // thing read.
  char byte = 0;
  result = SSL_read(ssl.get(), &byte, 1);
  while (result <= 0 && WaitFor(ssl.get(), result, socket.fd, end)) result = SSL_read(ssl.get(), &byte, 1);
  const bool patience_ended = result <= 0 && SSL_get_error(ssl.get(), result) == SSL_ERROR_WANT_READ;
  if (result <= 0 && !patience_ended) return OurFault(where, ssl.get(), AlertIn(ERR_peek_error()));
  return OkStatus();
}

}  // namespace eos::tls
