#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "common/base/words.h"
#include "common/wire/translate.h"

namespace eos::wire {
namespace {

Status Invalid(const std::string& url) {
  return Err(Reason::kInvalidArgument,
             fmt::format("reading the URL \"{}\": it is not http:// or https:// with a host and a port",
                         Printable(url)));
}

bool IsHost(const std::string& host) {
  return !host.empty() && host.size() <= 253 && std::all_of(host.begin(), host.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_' || c == ':' || c == '%';
  });
}

}  // namespace

StatusOr<v1::WorkerAddress> AddressOf(const std::string& url) {
  v1::WorkerAddress address;
  std::string rest;
  if (url.starts_with("http://")) {
    address.set_scheme(v1::SCHEME_HTTP);
    rest = url.substr(7);
  } else if (url.starts_with("https://")) {
    address.set_scheme(v1::SCHEME_HTTPS);
    rest = url.substr(8);
  } else {
    return Invalid(url);
  }
  if (!rest.empty() && rest.back() == '/') rest.pop_back();
  const size_t colon = rest.rfind(':');
  if (colon == std::string::npos) return Invalid(url);
  std::string host = rest.substr(0, colon);
  const std::string port = rest.substr(colon + 1);
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (!IsHost(host) || (!bracketed && host.find(':') != std::string::npos)) return Invalid(url);
  if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != std::string::npos)
    return Invalid(url);
  const int number = std::stoi(port);
  if (number < 1 || number > 65535) return Invalid(url);
  address.set_host(host);
  address.set_port(number);
  return address;
}

StatusOr<std::string> UrlOf(const v1::WorkerAddress& address) {
  const char* scheme = address.scheme() == v1::SCHEME_HTTP    ? "http"
                       : address.scheme() == v1::SCHEME_HTTPS ? "https"
                                                              : nullptr;
  if (!scheme || !IsHost(address.host()) || address.port() < 1 || address.port() > 65535) {
    return Err(Reason::kInvalidArgument, "a worker's address is not a scheme, a host and a port");
  }
  const bool v6 = address.host().find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}:{}", scheme, v6 ? "[" : "", address.host(), v6 ? "]" : "", address.port());
}

}  // namespace eos::wire
