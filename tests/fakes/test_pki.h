// Certificates made at run time, good and bad ones. Links OpenSSL.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <memory>
#include <string>

#include "common/tls/certificates.h"
#include "tests/fakes/temp_dir.h"

namespace eos::fakes {

struct Wish {
  std::string name;                  // of the files
  std::string san = "IP:127.0.0.1";  // as openssl writes subjectAltName; empty: none
  std::string common_name = "test";
  long from_seconds = -3'600;  // of its life, from now
  long until_seconds = 86'400;
  std::string usage = "";  // extendedKeyUsage; empty: for everything
};

// A certificate authority in a folder of its own.
class TestPki {
 public:
  explicit TestPki(const std::string& ca_name = "ca") : key_(NewKey()), certificate_(X509_new(), &X509_free) {
    static int number = 0;
    Fill(certificate_.get(), key_.get(), "test CA " + std::to_string(++number), -7'200, 864'000);
    Extend(certificate_.get(), NID_basic_constraints, "critical,CA:TRUE");
    Extend(certificate_.get(), NID_key_usage, "critical,keyCertSign,cRLSign");
    X509_set_issuer_name(certificate_.get(), X509_get_subject_name(certificate_.get()));
    X509_sign(certificate_.get(), key_.get(), EVP_sha256());
    ca_ = dir_ / (ca_name + ".pem");
    WriteCertificate(ca_, certificate_.get());
  }

  const std::string& ca() const { return ca_; }
  const TempDir& dir() const { return dir_; }

  // NAME.pem and NAME.key, written anew.
  tls::Files Issue(const Wish& wish) const {
    const Key key = NewKey();
    const std::unique_ptr<X509, decltype(&X509_free)> leaf(X509_new(), &X509_free);
    Fill(leaf.get(), key.get(), wish.common_name, wish.from_seconds, wish.until_seconds);
    if (!wish.san.empty()) Extend(leaf.get(), NID_subject_alt_name, wish.san);
    if (!wish.usage.empty()) Extend(leaf.get(), NID_ext_key_usage, wish.usage);
    X509_set_issuer_name(leaf.get(), X509_get_subject_name(certificate_.get()));
    X509_sign(leaf.get(), key_.get(), EVP_sha256());
    const tls::Files files{dir_ / (wish.name + ".pem"), dir_ / (wish.name + ".key"), ca_};
    WriteCertificate(files.certificate, leaf.get());
    WriteKey(files.key, key.get());
    return files;
  }

 private:
  using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

  static Key NewKey() { return {EVP_EC_gen("P-256"), &EVP_PKEY_free}; }
  static void Fill(X509* certificate, EVP_PKEY* key, const std::string& name, long from, long until) {
    static long serial = 1000;
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(certificate), from);
    X509_gmtime_adj(X509_getm_notAfter(certificate), until);
    X509_set_pubkey(certificate, key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  }
  static void Extend(X509* certificate, int kind, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
  }
  static void WriteCertificate(const std::string& path, X509* certificate) {
    FILE* file = fopen(path.c_str(), "w");
    PEM_write_X509(file, certificate);
    fclose(file);
  }
  static void WriteKey(const std::string& path, EVP_PKEY* key) {
    FILE* file = fopen(path.c_str(), "w");
    chmod(path.c_str(), 0600);
    PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
    fclose(file);
  }

  TempDir dir_;
  Key key_;
  std::unique_ptr<X509, decltype(&X509_free)> certificate_;
  std::string ca_;
};

}  // namespace eos::fakes
