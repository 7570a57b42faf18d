// Certificates, looked at with OpenSSL before gRPC sees them: gRPC 1.51 starts happily on a missing or
// mismatched pair and then refuses every handshake, and it tells all refusals alike.
#pragma once

#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/time.h"

namespace eos::tls {

struct CertificateFacts {
  std::string subject;
  std::string serial;  // hex
  Time not_before;
  Time not_after;
  std::vector<std::string> uri_sans;
  std::vector<std::string> dns_sans;
  std::vector<std::string> ip_sans;
};

struct Files {
  std::string certificate;  // PEM, leaf first
  std::string key;
  std::string ca;
};

// Everything that must hold before a program serves or dials with these: readable; the key file not open to
// group or others (mode & 077, unless owned by root with group read only: 0640 root:GROUP is refused too);
// key fits certificate; certificate is valid at `now` and signed by the CA file; it has a SAN. One error, the
// first that fails: kCertificateInvalid, kCertificateExpired, kCertificateNotYetValid (the fix names the
// clock), kCertificateUntrusted.
StatusOr<CertificateFacts> Check(const Files& files, Time now);

// May it be shown to a server at all? kCertificateInvalid if its extended key usage says otherwise.
Status CheckForClients(const Files& files);

// Dials HOST:PORT, does a TLS handshake with these files and says what is wrong, for somebody whose gRPC call
// failed with "Socket closed": kUnreachable (DNS, connect, time-out), kCertificateExpired / NotYetValid /
// Untrusted / NameMismatch (both names in the message) for the server's certificate, kUnauthenticated /
// kCertificate… for ours by the alert that the server sent, kClockSkew where both ends' validity and clocks
// do not fit. OK: the handshake is fine, the trouble is elsewhere.
Status Diagnose(const std::string& host, int port, const std::string& expected_name, const Files& files,
                Millis limit);

}  // namespace eos::tls
