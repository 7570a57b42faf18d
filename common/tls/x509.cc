#include "common/tls/x509.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include <ctime>

namespace eos::tls {
namespace {

Time TimeOf(const ASN1_TIME* time) {
  struct tm parts {};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return Time{};
  return Time{std::chrono::duration_cast<Millis>(std::chrono::seconds{timegm(&parts)})};
}

std::string Text(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<size_t>(ASN1_STRING_length(text))};
}

std::string IpText(const ASN1_STRING* bytes) {
  char text[INET6_ADDRSTRLEN] = {};
  const int family = ASN1_STRING_length(bytes) == 4 ? AF_INET : AF_INET6;
  inet_ntop(family, ASN1_STRING_get0_data(bytes), text, sizeof(text));
  return text;
}

std::string SubjectOf(X509* certificate) {
  const BioPtr out(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(out.get(), X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(out.get(), &bytes);
  return {bytes, static_cast<size_t>(size)};
}

std::string SerialOf(X509* certificate) {
  const std::unique_ptr<BIGNUM, Freed<BIGNUM, BN_free>> number(
      ASN1_INTEGER_to_BN(X509_get_serialNumber(certificate), nullptr));
  char* hex = BN_bn2hex(number.get());
  std::string text = hex;
  OPENSSL_free(hex);
  return text;
}

}  // namespace

std::vector<X509Ptr> CertificatesIn(const std::string& pem) {
  std::vector<X509Ptr> certificates;
  const BioPtr in(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  while (X509* certificate = PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr))
    certificates.emplace_back(certificate);
  ERR_clear_error();
  return certificates;
}

KeyPtr KeyIn(const std::string& pem) {
  const BioPtr in(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  const auto no_pass_phrase = [](char*, int, int, void*) { return -1; };
  KeyPtr key(PEM_read_bio_PrivateKey(in.get(), nullptr, no_pass_phrase, nullptr));
  ERR_clear_error();
  return key;
}

CertificateFacts FactsOf(X509* certificate) {
  CertificateFacts facts;
  facts.subject = SubjectOf(certificate);
  facts.serial = SerialOf(certificate);
  facts.not_before = TimeOf(X509_get0_notBefore(certificate));
  facts.not_after = TimeOf(X509_get0_notAfter(certificate));
  const std::unique_ptr<GENERAL_NAMES, Freed<GENERAL_NAMES, GENERAL_NAMES_free>> names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type == GEN_URI) facts.uri_sans.push_back(Text(name->d.uniformResourceIdentifier));
    if (name->type == GEN_DNS) facts.dns_sans.push_back(Text(name->d.dNSName));
    if (name->type == GEN_IPADD) facts.ip_sans.push_back(IpText(name->d.iPAddress));
  }
  return facts;
}

std::string NamesOf(const CertificateFacts& facts) {
  std::string all;
  for (const auto* names : {&facts.dns_sans, &facts.ip_sans}) {
    for (const std::string& name : *names) all += (all.empty() ? "" : ", ") + name;
  }
  return all.empty() ? "no DNS name and no address" : all;
}

bool HasName(X509* certificate, const std::string& name) {
  return X509_check_ip_asc(certificate, name.c_str(), 0) == 1 ||
         X509_check_host(certificate, name.c_str(), name.size(), X509_CHECK_FLAG_NEVER_CHECK_SUBJECT,
                         nullptr) == 1;
}

}  // namespace eos::tls
