// HTTP to a worker, by libcurl: no redirects, no proxy, bounded answers. Used within agent/worker only.
#pragma once

#include <string>

#include "agent/worker/rest_client.h"

namespace eos::worker {

struct HttpAnswer {
  long status = 0;
  std::string body;
};

struct HttpFailure {
  ReachStep step = ReachStep::kConnect;
  bool timed_out = false;
  std::string message;  // libcurl's words; never holds what was sent or received
};

struct HttpRequest {
  std::string method;  // "GET", "PUT", "POST"
  std::string url;
  std::string body;
  Millis timeout{};
};

// Exactly one of the two is set. Thread-safe.
struct HttpResult {
  std::optional<HttpAnswer> answer;
  std::optional<HttpFailure> failure;
};
HttpResult Exchange(const HttpRequest& request, const RestSettings& settings);

std::string UrlEscape(const std::string& text);

}  // namespace eos::worker
