// Any bytes at all: no crash, no read out of bounds (the sanitizers look), and the promises hold.
#include <gmock/gmock.h>

#include <random>

#include "agent/properties/change.h"
#include "agent/properties/properties.h"

namespace eos::properties {
namespace {

std::string Soup(std::mt19937& random) {
  static const std::vector<std::string> kPieces{"exactly.once.source.support",
                                                "scheduled.rebalance.max.delay.ms",
                                                "=",
                                                ":",
                                                " ",
                                                "\t",
                                                "\f",
                                                "\\",
                                                "\\\\",
                                                "\n",
                                                "\r",
                                                "\r\n",
                                                "#",
                                                "!",
                                                "disabled",
                                                "enabled",
                                                "1000",
                                                "\\u0041",
                                                "\\u00",
                                                "\\uzzzz",
                                                "${a:b}",
                                                "a",
                                                "\xE9",
                                                std::string(1, '\0')};
  std::string bytes;
  const size_t pieces = random() % 30;
  for (size_t i = 0; i < pieces; ++i) bytes += kPieces[random() % kPieces.size()];
  return bytes;
}

TEST(HostileBytes, EditsKeepTheirPromises) {
  std::mt19937 random(20261201);
  int edited = 0;
  for (int i = 0; i < 50'000; ++i) {
    const std::string before = Soup(random);
    const auto document = Document::Parse(before);
    if (!document.ok()) {
      EXPECT_EQ(ReasonOf(document.status()), Reason::kFileUnparsable);
      continue;
    }
    const auto change =
        Apply(before, Mode::kPreparing, DelayChange::kSetTemporary, Millis{1'234}, std::nullopt, Time{});
    if (!change.ok()) {
      EXPECT_EQ(ReasonOf(change.status()), Reason::kFileIndirect);
      continue;
    }
    ++edited;
    std::vector<Problem> problems;
    const auto facts = FactsOf(change->bytes, problems);
    ASSERT_TRUE(facts.ok());
    EXPECT_EQ(facts->mode, Mode::kPreparing) << testing::PrintToString(before);
    EXPECT_EQ(facts->delay, Millis{1'234}) << testing::PrintToString(before);
    // All other entries are as before, in their order.
    const auto after = Document::Parse(change->bytes);
    std::vector<std::string> old_others;
    std::vector<std::string> new_others;
    for (const auto& [from, into] : {std::pair{&*document, &old_others}, std::pair{&*after, &new_others}}) {
      for (const Entry& entry : from->entries()) {
        if (entry.key != kModeKey && entry.key != kDelayKey)
          into->push_back(entry.key + "=" + from->Value(entry));
      }
    }
    EXPECT_EQ(old_others, new_others) << testing::PrintToString(before);
    const auto again = Apply(change->bytes, Mode::kPreparing, DelayChange::kSetTemporary, Millis{1'234},
                             change->temporary, Time{});
    EXPECT_EQ(again->bytes, change->bytes) << "a second run changes nothing";
  }
  EXPECT_GT(edited, 10'000);
}

}  // namespace
}  // namespace eos::properties
