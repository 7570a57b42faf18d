#include "common/tls/certificates.h"

#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>

#include "common/files/file_system.h"
#include "common/tls/x509.h"

namespace eos::tls {
namespace {

constexpr size_t kMaxPem = 1U << 20U;

Status Invalid(const std::string& what, const std::string& path, const std::string& why,
               std::string fix = {}) {
  return Err(Reason::kCertificateInvalid, fmt::format("reading the {} \"{}\": {}", what, path, why),
             std::move(fix));
}

StatusOr<std::string> ReadPem(const std::string& what, const std::string& path) {
  const PosixFileSystem files;
  auto pem = files.Read(path, kMaxPem);
  if (!pem.ok()) return Invalid(what, path, std::string(pem.status().message()));
  return pem;
}

Status CheckKeyMode(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return OkStatus();  // reading it says why
  if ((info.st_mode & 077U) == 0) return OkStatus();
  return Invalid("key", path, fmt::format("its mode {:04o} lets others read it", info.st_mode & 07777U),
                 fmt::format("run: chmod 0600 {}", path));
}

Status CheckTime(const CertificateFacts& facts, const std::string& path, Time now) {
  if (now < facts.not_before) {
    return Err(
        Reason::kCertificateNotYetValid,
        fmt::format("checking the certificate \"{}\": it is valid from {} on, and this host's clock says {}",
                    path, FormatUtc(facts.not_before), FormatUtc(now)),
        "see that the clock is right: timedatectl");
  }
  if (now > facts.not_after) {
    return Err(Reason::kCertificateExpired,
               fmt::format("checking the certificate \"{}\": it ended at {}, and this host's clock says {}",
                           path, FormatUtc(facts.not_after), FormatUtc(now)),
               "put a new pair in its place");
  }
  return OkStatus();
}

Status CheckSigner(const std::vector<X509Ptr>& chain, const std::vector<X509Ptr>& authorities,
                   const Files& files, Time now) {
  const StorePtr store(X509_STORE_new());
  for (const X509Ptr& authority : authorities) X509_STORE_add_cert(store.get(), authority.get());
  const std::unique_ptr<STACK_OF(X509), void (*)(STACK_OF(X509)*)> untrusted(
      sk_X509_new_null(), [](STACK_OF(X509) * stack) { sk_X509_free(stack); });
  for (size_t i = 1; i < chain.size(); ++i) sk_X509_push(untrusted.get(), chain[i].get());
  const StoreContextPtr context(X509_STORE_CTX_new());
  X509_STORE_CTX_init(context.get(), store.get(), chain.front().get(), untrusted.get());
  X509_STORE_CTX_set_time(context.get(), 0,
                          std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count());
  if (X509_verify_cert(context.get()) == 1) return OkStatus();
  return Err(Reason::kCertificateUntrusted,
             fmt::format("checking the certificate \"{}\": \"{}\" did not sign it ({})", files.certificate,
                         files.ca, X509_verify_cert_error_string(X509_STORE_CTX_get_error(context.get()))),
             "use the CA file that it was issued with, intermediate certificates behind the leaf");
}

}  // namespace

StatusOr<CertificateFacts> Check(const Files& files, Time now) {
  EOS_ASSIGN_OR_RETURN(const std::string certificate_pem, ReadPem("certificate", files.certificate));
  EOS_RETURN_IF_ERROR(CheckKeyMode(files.key));
  EOS_ASSIGN_OR_RETURN(const std::string key_pem, ReadPem("key", files.key));
  EOS_ASSIGN_OR_RETURN(const std::string ca_pem, ReadPem("CA file", files.ca));
  const auto chain = CertificatesIn(certificate_pem);
  if (chain.empty()) return Invalid("certificate", files.certificate, "it holds no PEM certificate");
  const KeyPtr key = KeyIn(key_pem);
  if (!key) return Invalid("key", files.key, "it holds no PEM private key without a pass phrase");
  const auto authorities = CertificatesIn(ca_pem);
  if (authorities.empty()) return Invalid("CA file", files.ca, "it holds no PEM certificate");
  if (X509_check_private_key(chain.front().get(), key.get()) != 1) {
    return Invalid("key", files.key,
                   fmt::format("it does not belong to the certificate \"{}\"", files.certificate),
                   "replace both together");
  }
  CertificateFacts facts = FactsOf(chain.front().get());
  EOS_RETURN_IF_ERROR(CheckTime(facts, files.certificate, now));
  EOS_RETURN_IF_ERROR(CheckSigner(chain, authorities, files, now));
  if (facts.uri_sans.empty() && facts.dns_sans.empty() && facts.ip_sans.empty()) {
    return Invalid("certificate", files.certificate,
                   "it has no subject alternative name, and a common name does not count",
                   "issue it with a URI SAN, an agent's also with its DNS name: deploy/pki");
  }
  return facts;
}

Status CheckForClients(const Files& files) {
  EOS_ASSIGN_OR_RETURN(const std::string pem, ReadPem("certificate", files.certificate));
  const auto chain = CertificatesIn(pem);
  if (!chain.empty() && X509_check_purpose(chain.front().get(), X509_PURPOSE_SSL_CLIENT, 0) != 1) {
    return Invalid("certificate", files.certificate, "it was not issued for clients (extended key usage)",
                   "use an operator's certificate: deploy/pki/pki operator");
  }
  return OkStatus();
}

}  // namespace eos::tls
