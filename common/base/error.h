// Errors inside both programs: absl::Status that carries a Reason and, where a person can act, what to do.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/base/reason.h"

namespace eos {

template <typename T>
using StatusOr = absl::StatusOr<T>;
using absl::OkStatus;
using absl::Status;

// A failure as a plain value, for lists of findings and for the wire.
struct Problem {
  Reason reason = Reason::kUnspecified;
  std::string message;  // what was attempted, the object in quotes, the cause; no final period
  std::string fix;      // "run: …"; empty where nobody can act

  bool operator==(const Problem&) const = default;
};

// The one way to make an error. The canonical code follows from the reason (docs/errors.md).
Status Err(Reason reason, std::string message, std::string fix = {});
Status Err(const Problem& problem);

// Of any status, also one that Err did not make (then kInternal, its own message, no fix).
// kUnspecified for an OK status.
Reason ReasonOf(const Status& status);
Problem ProblemOf(const Status& status);

// The same error with more context in front: "attempt: message". Reason and fix are kept.
Status Annotate(const Status& status, const std::string& attempt);

// As people read it: "message" and, where there is one, a line "To fix: …".
std::string Render(const Problem& problem);
std::string Render(const Status& status);

}  // namespace eos

#define EOS_RETURN_IF_ERROR(expr)                                                   \
  do {                                                                              \
    if (::absl::Status eos_status_ = (expr); !eos_status_.ok()) return eos_status_; \
  } while (false)

#define EOS_CONCAT_INNER_(a, b) a##b
#define EOS_CONCAT_(a, b) EOS_CONCAT_INNER_(a, b)
#define EOS_ASSIGN_OR_RETURN(lhs, expr) EOS_ASSIGN_OR_RETURN_IMPL_(EOS_CONCAT_(eos_or_, __LINE__), lhs, expr)
#define EOS_ASSIGN_OR_RETURN_IMPL_(tmp, lhs, expr) \
  auto tmp = (expr);                               \
  if (!tmp.ok()) return std::move(tmp).status();   \
  lhs = *std::move(tmp)
