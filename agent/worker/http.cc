#include "agent/worker/http.h"

#include <curl/curl.h>

#include <fstream>
#include <memory>

#include "common/base/words.h"

namespace eos::worker {
namespace {

constexpr size_t kMaxBody = 16U << 20U;

struct EasyCleaned {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};
struct ListFreed {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

size_t Collect(char* data, size_t size, size_t count, void* body) {
  auto* text = static_cast<std::string*>(body);
  if (text->size() + size * count > kMaxBody) return 0;  // libcurl gives up with CURLE_WRITE_ERROR
  text->append(data, size * count);
  return size * count;
}

std::string Credentials(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

ReachStep StepOf(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return ReachStep::kDns;
    case CURLE_COULDNT_CONNECT:
      return ReachStep::kConnect;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CIPHER:
      return ReachStep::kTls;
    default:
      return ReachStep::kHttp;
  }
}

// A time-out says nothing about how far it came; the times that libcurl kept do.
ReachStep StepOfTimeout(CURL* curl, bool https) {
  double seconds = 0;
  curl_easy_getinfo(curl, CURLINFO_NAMELOOKUP_TIME, &seconds);
  if (seconds == 0) return ReachStep::kDns;
  curl_easy_getinfo(curl, CURLINFO_CONNECT_TIME, &seconds);
  if (seconds == 0) return ReachStep::kConnect;
  curl_easy_getinfo(curl, CURLINFO_APPCONNECT_TIME, &seconds);
  return https && seconds == 0 ? ReachStep::kTls : ReachStep::kHttp;
}

void SetTls(CURL* curl, const RestSettings& settings) {
  if (!settings.ca_file.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, settings.ca_file.c_str());
  if (!settings.certificate_file.empty()) {
    curl_easy_setopt(curl, CURLOPT_SSLCERT, settings.certificate_file.c_str());
    curl_easy_setopt(curl, CURLOPT_SSLKEY, settings.key_file.c_str());
  }
}

}  // namespace

HttpResult Exchange(const HttpRequest& request, const RestSettings& settings) {
  static const CURLcode kReady = curl_global_init(CURL_GLOBAL_DEFAULT);
  const std::unique_ptr<CURL, EasyCleaned> curl(kReady == CURLE_OK ? curl_easy_init() : nullptr);
  if (!curl) return {std::nullopt, HttpFailure{ReachStep::kHttp, false, "libcurl cannot be used"}};
  HttpAnswer answer;
  curl_easy_setopt(curl.get(), CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_CUSTOMREQUEST, request.method.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl.get(), CURLOPT_NOPROXY, "*");
  curl_easy_setopt(curl.get(), CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, &Collect);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &answer.body);
  SetTls(curl.get(), settings);
  const std::string credentials =
      settings.basic_auth_file.empty() ? "" : Credentials(settings.basic_auth_file);
  if (!credentials.empty()) curl_easy_setopt(curl.get(), CURLOPT_USERPWD, credentials.c_str());
  std::unique_ptr<curl_slist, ListFreed> headers(curl_slist_append(nullptr, "Accept: application/json"));
  if (request.method != "GET") {
    headers.reset(curl_slist_append(headers.release(), "Content-Type: application/json"));
    curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDS, request.body.c_str());
    curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDSIZE, static_cast<long>(request.body.size()));
  }
  curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, headers.get());

  const CURLcode code = curl_easy_perform(curl.get());
  if (code == CURLE_OK) {
    curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &answer.status);
    return {std::move(answer), std::nullopt};
  }
  const bool timed_out = code == CURLE_OPERATION_TIMEDOUT;
  const ReachStep step =
      timed_out ? StepOfTimeout(curl.get(), request.url.starts_with("https://")) : StepOf(code);
  return {std::nullopt, HttpFailure{step, timed_out, curl_easy_strerror(code)}};
}

std::string UrlEscape(const std::string& text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string escaped;
  for (const char c : text) {
    if (kPlain.find(c) != std::string_view::npos) {
      escaped += c;
    } else {
      escaped += '%';
      escaped += kHex[static_cast<unsigned char>(c) >> 4U];
      escaped += kHex[static_cast<unsigned char>(c) & 0xFU];
    }
  }
  return escaped;
}

}  // namespace eos::worker
