// Inputs that must come out right, byte for byte; the Java values were measured with OpenJDK 17.
#include <gmock/gmock.h>

#include "agent/properties/change.h"
#include "agent/properties/properties.h"

namespace eos::properties {
namespace {

#define K "exactly.once.source.support"

struct Case {
  const char* name;
  std::string before;
  std::string after;  // with preparing
  std::optional<Mode> effective;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Preparing : public testing::TestWithParam<Case> {};

std::string Prepared(const std::string& bytes) {
  const auto change = Apply(bytes, Mode::kPreparing, DelayChange::kKeep, Millis{0}, std::nullopt, Time{});
  EXPECT_TRUE(change.ok()) << change.status();
  return change.ok() ? change->bytes : "";
}

TEST_P(Preparing, ChangesTheValuesBytesOnlyAndOnce) {
  EXPECT_EQ(Prepared(GetParam().before), GetParam().after);
  EXPECT_EQ(Prepared(GetParam().after), GetParam().after) << "a second run changes nothing";
}

TEST_P(Preparing, ReadsTheEffectiveMode) {
  std::vector<Problem> problems;
  const auto facts = FactsOf(GetParam().before, problems);
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->mode, GetParam().effective);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Preparing,
    testing::Values(
        Case{"T1_no_final_newline", "group.id=g1\nplugin.path=/opt/p",
             "group.id=g1\nplugin.path=/opt/p\n" K "=preparing\n", Mode::kDisabled},
        Case{"T3_duplicates", K "=enabled\na=1\n" K "=disabled\n", K "=enabled\na=1\n" K "=preparing\n",
             Mode::kDisabled},
        Case{"T4_comments_only", "#" K "=enabled\n! " K "=enabled\n   # " K "=enabled\n",
             "#" K "=enabled\n! " K "=enabled\n   # " K "=enabled\n" K "=preparing\n", Mode::kDisabled},
        Case{"T5_comment_with_backslash", "# keep off \\\n" K "=disabled\n",
             "# keep off \\\n" K "=preparing\n", Mode::kDisabled},
        Case{"T6_colon", K " : disabled\n", K " : preparing\n", Mode::kDisabled},
        Case{"T6_space", K " disabled\n", K " preparing\n", Mode::kDisabled},
        Case{"T6_tab", K "\t=\tdisabled\n", K "\t=\tpreparing\n", Mode::kDisabled},
        Case{"T7_escaped_dot", "exactly\\.once.source.support=disabled\n",
             "exactly\\.once.source.support=preparing\n", Mode::kDisabled},
        Case{"T7_escaped_letter", "exactly.once.source.\\u0073upport=disabled\n",
             "exactly.once.source.\\u0073upport=preparing\n", Mode::kDisabled},
        Case{"T9_value_look_alike",
             "sasl.jaas.config=Foo required \\\n  " K "=disabled \\\n  password=\"x\";\n",
             "sasl.jaas.config=Foo required \\\n  " K "=disabled \\\n  password=\"x\";\n" K "=preparing\n",
             Mode::kDisabled},
        Case{"T10_even_backslashes", "ssl.keystore.location=C\\:\\\\certs\\\\\n" K "=disabled\n",
             "ssl.keystore.location=C\\:\\\\certs\\\\\n" K "=preparing\n", Mode::kDisabled},
        Case{"T12_utf8_elsewhere", "producer.client.id=caf\xC3\xA9\n" K "=disabled\n",
             "producer.client.id=caf\xC3\xA9\n" K "=preparing\n", Mode::kDisabled},
        Case{"T12_latin1_elsewhere", "producer.client.id=caf\xE9\n" K "=disabled\n",
             "producer.client.id=caf\xE9\n" K "=preparing\n", Mode::kDisabled},
        Case{"T13_crlf", "a=1\r\n" K "=disabled\r\nb=2\r\n", "a=1\r\n" K "=preparing\r\nb=2\r\n",
             Mode::kDisabled},
        Case{"T13_cr_only", "a=1\r" K "=disabled\rb=2\r", "a=1\r" K "=preparing\rb=2\r", Mode::kDisabled},
        Case{"T13_append_takes_the_files_line_end", "a=1\r\nb=2", "a=1\r\nb=2\r\n" K "=preparing\r\n",
             Mode::kDisabled},
        Case{"T14_right_in_another_spelling", K "=PREPARING  \n", K "=PREPARING  \n", Mode::kPreparing},
        Case{"T16_quotes", K "=\"enabled\"\n", K "=preparing\n", std::nullopt},
        Case{"T16_inline_comment", K "=enabled # phase 2\n", K "=preparing\n", std::nullopt},
        Case{"continued_value", K "=dis\\\n   abled\nb=1\n", K "=preparing\nb=1\n", Mode::kDisabled},
        Case{"value_on_the_next_line", K "=\\\n   disabled\n", K "=\\\n   preparing\n", Mode::kDisabled},
        Case{"key_alone", K "\nb=1\n", K "=preparing\nb=1\n", std::nullopt},
        Case{"empty_value", K "=\nb=1\n", K "=preparing\nb=1\n", std::nullopt},
        Case{"open_continuation_at_the_end", "a=b\\\n", "a=b\\\n\n" K "=preparing\n", Mode::kDisabled},
        Case{"backslash_as_last_byte", "a=b\\", "a=b\\\n\n" K "=preparing\n", Mode::kDisabled},
        Case{"comment_with_backslash_as_last_line", "# a\\", "# a\\\n" K "=preparing\n", Mode::kDisabled},
        Case{"empty_file", "", K "=preparing\n", Mode::kDisabled},
        Case{"indented", "  \t " K "=disabled\n", "  \t " K "=preparing\n", Mode::kDisabled},
        Case{"form_feed_is_a_blank", "\f" K "\f=\fdisabled\n", "\f" K "\f=\fpreparing\n", Mode::kDisabled}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(Refused, T18_PoisonElsewhereNamesTheLineAndNothingOfIt) {
  const auto change = Apply("ssl.key.password=Tr0ub4dor-test\na=\\u00zz\n" K "=enabled\n", Mode::kPreparing,
                            DelayChange::kKeep, Millis{0}, std::nullopt, Time{});
  ASSERT_EQ(ReasonOf(change.status()), Reason::kFileUnparsable);
  EXPECT_THAT(std::string(change.status().message()), testing::HasSubstr("line 2: malformed \\u escape"));
  EXPECT_THAT(Render(change.status()), testing::Not(testing::HasSubstr("Tr0ub4dor")));
}

TEST(Refused, T19_ProviderIsNeitherFollowedNorPrinted) {
  const std::string bytes = K "=${file:/etc/kx/eos.properties:mode}\n";
  const auto change = Apply(bytes, Mode::kPreparing, DelayChange::kKeep, Millis{0}, std::nullopt, Time{});
  ASSERT_EQ(ReasonOf(change.status()), Reason::kFileIndirect);
  EXPECT_THAT(Render(change.status()), testing::Not(testing::HasSubstr("/etc/kx")));
  std::vector<Problem> problems;
  ASSERT_TRUE(FactsOf(bytes, problems).ok());
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].reason, Reason::kFileIndirect);
}

TEST(Refused, FilesAboveFourMebibytes) {
  EXPECT_EQ(ReasonOf(Document::Parse(std::string((4U << 20U) + 1, '#')).status()), Reason::kFileUnparsable);
}

}  // namespace
}  // namespace eos::properties
