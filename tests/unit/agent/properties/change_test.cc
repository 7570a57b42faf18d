#include "agent/properties/change.h"

#include <gmock/gmock.h>

namespace eos::properties {
namespace {

#define D "scheduled.rebalance.max.delay.ms"

constexpr Time kNow{Millis{1'000'000}};

Change Do(const std::string& bytes, DelayChange delay, Millis value = Millis{1'000},
          const std::optional<TemporaryDelay>& remembered = std::nullopt) {
  auto change = Apply(bytes, std::nullopt, delay, value, remembered, kNow);
  EXPECT_TRUE(change.ok()) << change.status();
  return change.value_or(Change{});
}

TEST(TemporaryDelay, GoesInAndComesOutByteForByte) {
  for (const std::string before : {"a=1\n", "a=1\n" D "=300000\nb=2\n", D " : \\\n  60000\n",
                                   "x=1\n" D "= 0300\r\n", "\t" D "=+45000\n"}) {
    const Change set = Do(before, DelayChange::kSetTemporary);
    ASSERT_TRUE(set.temporary) << before;
    EXPECT_NE(set.bytes, before);
    const Change back = Do(set.bytes, DelayChange::kPutBack, Millis{0}, set.temporary);
    EXPECT_EQ(back.bytes, before);
    EXPECT_FALSE(back.temporary);
  }
}

TEST(TemporaryDelay, SettingTwiceKeepsTheFirstOriginal) {
  const Change first = Do(D "=300000\n", DelayChange::kSetTemporary);
  const Change second = Do(first.bytes, DelayChange::kSetTemporary, Millis{500}, first.temporary);
  EXPECT_EQ(second.temporary->original, "300000");
  EXPECT_EQ(Do(second.bytes, DelayChange::kPutBack, Millis{0}, second.temporary).bytes, D "=300000\n");
}

TEST(TemporaryDelay, UsersOwnChangeInBetweenWins) {
  const Change set = Do(D "=300000\n", DelayChange::kSetTemporary);
  EXPECT_EQ(Do(D "=90000\n", DelayChange::kPutBack, Millis{0}, set.temporary).bytes, D "=90000\n");
  const Change again = Do(D "=90000\n", DelayChange::kSetTemporary, Millis{1'000}, set.temporary);
  EXPECT_EQ(again.temporary->original, "90000");
}

TEST(TemporaryDelay, SameValueIsNeitherWrittenNorRemembered) {
  const Change set = Do(D "= 1000 \n", DelayChange::kSetTemporary);
  EXPECT_EQ(set.bytes, D "= 1000 \n");
  EXPECT_FALSE(set.temporary);
}

TEST(TemporaryDelay, PutBackWithNothingRememberedChangesNothing) {
  EXPECT_EQ(Do(D "=1000\n", DelayChange::kPutBack).bytes, D "=1000\n");
}

TEST(TemporaryDelay, KeepKeepsTheMemory) {
  const eos::TemporaryDelay remembered{Millis{1'000}, "300000", kNow};
  EXPECT_EQ(Do(D "=1000\n", DelayChange::kKeep, Millis{0}, remembered).temporary, remembered);
}

TEST(TemporaryDelay, TravelsWithTheMode) {
  const auto change =
      Apply("a=1\n", Mode::kPreparing, DelayChange::kSetTemporary, Millis{1'000}, std::nullopt, kNow);
  ASSERT_TRUE(change.ok());
  EXPECT_EQ(change->bytes, "a=1\nexactly.once.source.support=preparing\n" D "=1000\n");
}

TEST(Mode, IsWrittenOutEvenWhereAbsentMeansTheSame) {
  const auto change = Apply("a=1\n", Mode::kDisabled, DelayChange::kKeep, Millis{0}, std::nullopt, kNow);
  ASSERT_TRUE(change.ok());
  EXPECT_EQ(change->bytes, "a=1\nexactly.once.source.support=disabled\n");
}

}  // namespace
}  // namespace eos::properties
