#include <gmock/gmock.h>

#include "controller/kafka/group.h"
#include "tests/fakes/kafka_bytes.h"

namespace eos::kafka {
namespace {

using fakes::Bytes;
using testing::ElementsAre;
using testing::IsEmpty;

std::string Assignment(int16_t version = 1) {
  Bytes bytes;
  bytes.Int(version).Int(int16_t{0}).String("leader-1").String("http://c1:8083/").Int(int64_t{42});
  bytes.Int(int32_t{2}).Tasks("orders", {-1, 0}).Tasks("users", {3});
  if (version >= 1) bytes.Int(int32_t{1}).Tasks("old", {7}).Int(int32_t{300'000});
  return bytes.text;
}

TEST(Assignment, IsDecoded) {
  for (const int16_t version : {1, 2}) {
    const auto decoded = DecodeAssignment(Assignment(version));
    ASSERT_TRUE(decoded.ok());
    EXPECT_EQ(decoded->leader_url, "http://c1:8083/");
    EXPECT_EQ(decoded->config_offset, 42);
    EXPECT_THAT(decoded->assigned, ElementsAre("orders", "orders-0", "users-3"));
    EXPECT_THAT(decoded->revoked, ElementsAre("old-7"));
    EXPECT_EQ(decoded->delay, Millis{300'000});
  }
}

TEST(Assignment, EagerHasNoDelay) {
  const auto decoded = DecodeAssignment(Assignment(0));
  ASSERT_TRUE(decoded.ok());
  EXPECT_THAT(decoded->revoked, IsEmpty());
  EXPECT_EQ(decoded->delay, Millis{0});
}

TEST(Assignment, EveryTruncationIsRefused) {
  const std::string whole = Assignment();
  for (size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(ReasonOf(DecodeAssignment(whole.substr(0, i)).status()), Reason::kGroupUnreadable) << i;
  }
}

TEST(Assignment, CountsThatCannotBeTrueReserveNothing) {
  Bytes bytes;
  bytes.Int(int16_t{1}).Int(int16_t{0}).String("l").String("u").Int(int64_t{0}).Int(int32_t{0x7FFFFFFF});
  EXPECT_FALSE(DecodeAssignment(bytes.text).ok());
}

TEST(Metadata, CarriesWhatTheMemberHeld) {
  Bytes bytes;
  bytes.Int(int16_t{1}).String("http://c2:8083/").Int(int64_t{41}).Blob(Assignment());
  const auto decoded = DecodeMetadata(bytes.text);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->url, "http://c2:8083/");
  EXPECT_THAT(decoded->held, ElementsAre("orders", "orders-0", "users-3"));
}

TEST(Metadata, NullAllocationIsNone) {
  Bytes bytes;
  bytes.Int(int16_t{2}).String("u").Int(int64_t{1}).Int(int32_t{-1});
  ASSERT_TRUE(DecodeMetadata(bytes.text).ok());
  EXPECT_THAT(DecodeMetadata(bytes.text)->held, IsEmpty());
}

TEST(Metadata, EmptyInMidRebalanceIsRefused) { EXPECT_FALSE(DecodeMetadata("").ok()); }

TEST(HeldNow, IsHeldPlusNewMinusRevoked) {
  DecodedMetadata metadata;
  metadata.held = {"a", "a-0", "b-1"};
  DecodedAssignment assignment;
  assignment.version = 1;
  assignment.assigned = {"c-0"};
  assignment.revoked = {"b-1"};
  EXPECT_THAT(HeldNow(metadata, assignment), ElementsAre("a", "a-0", "c-0"));
  assignment.version = 0;
  EXPECT_THAT(HeldNow(metadata, assignment), ElementsAre("c-0"));
}

}  // namespace
}  // namespace eos::kafka
