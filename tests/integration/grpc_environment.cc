// gRPC's last user may be one of its own threads, which lets go of a channel while the process already exits;
// what such a thread owns (OpenSSL's error queue) then looks leaked. So the tests end when gRPC has ended.
#include <grpc/grpc.h>
#include <gtest/gtest.h>

#include "tests/fakes/await.h"

namespace eos {
namespace {

class GrpcEnvironment final : public testing::Environment {
 public:
  void TearDown() override {
    EXPECT_TRUE(fakes::Await([] { return grpc_is_initialized() == 0; })) << "somebody still uses gRPC";
  }
};

const testing::Environment* const kGrpc = testing::AddGlobalTestEnvironment(new GrpcEnvironment);

}  // namespace
}  // namespace eos
