// What both gRPC edges share: errors as statuses with a Failure in their details, TLS credentials, channel
// settings.
#pragma once

#include <grpcpp/grpcpp.h>
#include <grpcpp/security/tls_certificate_provider.h>

#include <memory>
#include <string>

#include "common/base/error.h"

namespace eos::wire {

// The Failure itself is the error details, at most 4 KiB in all (grpc drops larger
// metadata with RESOURCE_EXHAUSTED).
grpc::Status ToGrpc(const Status& status);
// A status without our details keeps its code's nearest reason: UNAVAILABLE kUnreachable, DEADLINE_EXCEEDED
// kTimeout, UNAUTHENTICATED kUnauthenticated, PERMISSION_DENIED kPermissionDenied, UNIMPLEMENTED
// kVersionMismatch, else kInternal.
Status FromGrpc(const grpc::Status& status);

// gRPC's own log lines go to spdlog from now on. Call once.
void SendGrpcLogToSpdlog();

}  // namespace eos::wire
