// Why a task failed, by the class names and frames of its trace. The trace itself stays on the host.
#include <algorithm>
#include <array>

#include "agent/worker/rest_client.h"

namespace eos::worker {
namespace {

constexpr size_t kMaxClasses = 8;

bool Has(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

template <size_t N>
bool HasAny(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return Has(text, word); });
}

// "org.example.SomeException: message" at the begin of a line, or behind "Caused by: ". Only the class name
// is taken, and only if it looks like one.
void TakeClass(std::string_view line, std::vector<std::string>& exceptions) {
  constexpr std::string_view kCause = "Caused by: ";
  if (line.starts_with(kCause)) line.remove_prefix(kCause.size());
  const std::string_view name = line.substr(0, line.find_first_of(": \r"));
  const bool is_class =
      name.find('.') != std::string_view::npos && name.size() < 200 &&
      (name.ends_with("Exception") || name.ends_with("Error") || name.ends_with("Throwable")) &&
      std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
               c == '_' || c == '$';
      });
  if (is_class && exceptions.size() < kMaxClasses) exceptions.emplace_back(name);
}

}  // namespace

FailureKind ClassifyTrace(std::string_view trace, std::vector<std::string>& exceptions) {
  for (size_t begin = 0; begin < trace.size();) {
    const size_t end = std::min(trace.find('\n', begin), trace.size());
    TakeClass(trace.substr(begin, end - begin), exceptions);
    begin = end + 1;
  }
  constexpr std::array<std::string_view, 3> kAuthorization{"AuthorizationException",
                                                           "AuthenticationException", "SaslAuthentication"};
  if (HasAny(trace, kAuthorization)) return FailureKind::kAuthorization;
  // Starting a task asks the leader, over REST, to fence older generations (KIP-618); Connect never retries
  // that.
  constexpr std::array<std::string_view, 5> kAboutFencing{"fenceZombie", "fence zombie", "zombie fencing",
                                                          "/fence", "forward REST request"};
  constexpr std::array<std::string_view, 12> kTransient{"ConnectException",
                                                        "Connection refused",
                                                        "MismatchedInputException",
                                                        "end-of-input",
                                                        "409",
                                                        "503",
                                                        "TimeoutException",
                                                        "NotLeaderException",
                                                        "RequestTargetException",
                                                        "EOFException",
                                                        "RestClient",
                                                        "RebalanceNeededException"};
  if (HasAny(trace, kAboutFencing) && HasAny(trace, kTransient)) return FailureKind::kFencing;
  constexpr std::array<std::string_view, 4> kTransaction{
      "ProducerFencedException", "InvalidProducerEpochException", "producer transaction expired",
      "TransactionAbortedException"};
  if (HasAny(trace, kTransaction)) return FailureKind::kTransaction;
  if (Has(trace, "org.apache.kafka.common.config.ConfigException")) return FailureKind::kConfiguration;
  return FailureKind::kConnector;
}

}  // namespace eos::worker
