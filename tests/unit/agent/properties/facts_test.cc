#include <gmock/gmock.h>

#include "agent/properties/change.h"

namespace eos::properties {
namespace {

using testing::Contains;
using testing::HasSubstr;

FileFacts Facts(const std::string& bytes) {
  std::vector<Problem> problems;
  return *FactsOf(bytes, problems);
}

TEST(Warnings, T3_ShadowedLineIsNamed) {
  EXPECT_THAT(
      Facts("exactly.once.source.support=enabled\na=1\nexactly.once.source.support=disabled\n").warnings,
      Contains(HasSubstr("line 1: exactly.once.source.support is shadowed by line 3")));
}

TEST(Warnings, ByteOrderMarkHidesTheFirstKey) {
  const FileFacts facts = Facts(
      "\xEF\xBB\xBF"
      "exactly.once.source.support=enabled\n");
  EXPECT_EQ(facts.mode, Mode::kDisabled);
  EXPECT_THAT(facts.warnings, Contains(HasSubstr("byte-order mark")));
}

TEST(Warnings, KeyInOtherLetterCase) {
  EXPECT_THAT(Facts("Exactly.Once.Source.Support=enabled\n").warnings, Contains(HasSubstr("letter case")));
}

TEST(Warnings, ConfigurationManagementIsRecognised) {
  EXPECT_THAT(Facts("# {{ Ansible managed }}\na=1\n").warnings, testing::SizeIs(1));
  EXPECT_THAT(Facts("# This file is MANAGED BY PUPPET\n").warnings, Contains(HasSubstr("puppet")));
  EXPECT_THAT(Facts("note=ansible managed\n").warnings, testing::IsEmpty());
}

TEST(Delay, IsReadAsKafkaReadsAnInt) {
  EXPECT_EQ(Facts("scheduled.rebalance.max.delay.ms = 1000 \n").delay, Millis{1'000});
  EXPECT_EQ(Facts("a=1\n").delay, std::nullopt);
  for (const std::string bad : {"-1", "1s", "", "99999999999", "0x10"}) {
    std::vector<Problem> problems;
    const auto facts = FactsOf("scheduled.rebalance.max.delay.ms=" + bad + "\n", problems);
    EXPECT_FALSE(facts->delay) << bad;
    ASSERT_EQ(problems.size(), 1U) << bad;
    EXPECT_EQ(problems[0].reason, Reason::kFileValueInvalid);
  }
}

TEST(Facts, T23_NoOtherValueIsInThem) {
  std::vector<Problem> problems;
  const auto facts =
      FactsOf("ssl.key.password=Tr0ub4dor-test\nexactly.once.source.support=Tr0ub4dor-test\n", problems);
  std::string all;
  for (const auto& warning : facts->warnings) all += warning;
  for (const auto& problem : problems) all += problem.message + problem.fix;
  EXPECT_THAT(all, testing::Not(HasSubstr("Tr0ub4dor")));
}

}  // namespace
}  // namespace eos::properties
