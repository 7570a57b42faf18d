#include "common/wire/grpc_edge.h"

#include <grpc/support/log.h>
#include <spdlog/spdlog.h>

#include "common/base/words.h"
#include "common/wire/translate.h"
#include "eos/agent/v1/failure.pb.h"

namespace eos::wire {
namespace {

// google.rpc.Status is not packaged for C++ on Debian 12, and our Failure is all that travels: its bytes are
// the details themselves.
constexpr size_t kMaxDetails = 4096;  // gRPC drops an answer whose metadata is above 8 KiB

grpc::StatusCode CodeOf(const Status& status) {
  return static_cast<grpc::StatusCode>(static_cast<int>(status.code()));
}

Reason ReasonOfCode(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::UNAVAILABLE:
      return Reason::kUnreachable;
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return Reason::kTimeout;
    case grpc::StatusCode::UNAUTHENTICATED:
      return Reason::kUnauthenticated;
    case grpc::StatusCode::PERMISSION_DENIED:
      return Reason::kPermissionDenied;
    case grpc::StatusCode::UNIMPLEMENTED:
      return Reason::kVersionMismatch;
    default:
      return Reason::kInternal;
  }
}

void Log(gpr_log_func_args* args) {
  const auto level = args->severity == GPR_LOG_SEVERITY_ERROR ? spdlog::level::warn : spdlog::level::debug;
  spdlog::log(level, "grpc: {}", Printable(args->message, 500));
}

}  // namespace

grpc::Status ToGrpc(const Status& status) {
  if (status.ok()) return grpc::Status::OK;
  const v1::Failure failure = ToWire(ProblemOf(status));
  std::string details = failure.SerializeAsString();
  if (details.size() > kMaxDetails) details.clear();
  return {CodeOf(status), failure.message().substr(0, 1024), details};
}

Status FromGrpc(const grpc::Status& status) {
  if (status.ok()) return OkStatus();
  v1::Failure failure;
  if (!status.error_details().empty() && failure.ParseFromString(status.error_details()))
    return Err(FromWire(failure));
  return Err(ReasonOfCode(status.error_code()), Printable(status.error_message(), 500));
}

void SendGrpcLogToSpdlog() { gpr_set_log_function(&Log); }

}  // namespace eos::wire
