// OpenSSL's objects with owners, and what we read from them. Used within common/tls only.
#pragma once

#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>
#include <vector>

#include "common/tls/certificates.h"

namespace eos::tls {

template <typename T, void (*Free)(T*)>
struct Freed {
  void operator()(T* object) const { Free(object); }
};

using X509Ptr = std::unique_ptr<X509, Freed<X509, X509_free>>;
using KeyPtr = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY, EVP_PKEY_free>>;
using StorePtr = std::unique_ptr<X509_STORE, Freed<X509_STORE, X509_STORE_free>>;
using StoreContextPtr = std::unique_ptr<X509_STORE_CTX, Freed<X509_STORE_CTX, X509_STORE_CTX_free>>;
using BioPtr = std::unique_ptr<BIO, Freed<BIO, BIO_free_all>>;
using SslContextPtr = std::unique_ptr<SSL_CTX, Freed<SSL_CTX, SSL_CTX_free>>;
using SslPtr = std::unique_ptr<SSL, Freed<SSL, SSL_free>>;

std::vector<X509Ptr> CertificatesIn(const std::string& pem);  // empty: none that can be read
KeyPtr KeyIn(const std::string& pem);  // null: none that can be read without a pass phrase
CertificateFacts FactsOf(X509* certificate);

// "agent-1.example, 192.0.2.10": every name that a dialler may look for.
std::string NamesOf(const CertificateFacts& facts);

// As X509_check_host and X509_check_ip decide; a common name does not count.
bool HasName(X509* certificate, const std::string& name);

}  // namespace eos::tls
