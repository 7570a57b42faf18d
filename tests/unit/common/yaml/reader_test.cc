#include "common/yaml/reader.h"

#include <gmock/gmock.h>

namespace eos::yaml {
namespace {

using testing::HasSubstr;

// Reads a small known shape; the error as people see it.
std::string Read(const std::string& text) {
  auto map = Map::Parse(text, "f.yaml");
  if (!map.ok()) return Render(map.status());
  map->String("name");
  map->Duration("every", Millis{1}, Millis{1}, std::chrono::hours{1});
  map->Int("count", 1, 0, 10);
  map->Bool("flag", false);
  map->OneOf("kind", "a", {"a", "b"});
  map->OptionalStrings("list");
  if (auto child = map->OptionalChild("child")) {
    child->String("key");
    if (const Status status = child->Finish(); !status.ok()) map->Fail(status);
  }
  return Render(map->Finish());
}

struct Wrong {
  const char* name;
  const char* text;
  const char* says;
};
void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

class Refused : public testing::TestWithParam<Wrong> {};

TEST_P(Refused, WithTheLine) { EXPECT_THAT(Read(GetParam().text), HasSubstr(GetParam().says)); }

INSTANTIATE_TEST_SUITE_P(
    Each, Refused,
    testing::Values(
        Wrong{"unknown_key", "name: x\nevry: 1s\n",
              "f.yaml:2: unknown key \"evry\"\nTo fix: did you mean \"every\"?"},
        Wrong{"unknown_in_child", "name: x\nchild:\n  key: y\n  kye: z\n",
              "f.yaml:4: unknown key \"kye\"\nTo fix: did"},
        Wrong{"missing", "every: 1s\n", "key \"name\" is missing"},
        Wrong{"missing_and_mistyped", "nmae: x\n",
              "key \"name\" is missing or empty\nTo fix: line 1 says \"nmae\"; did"},
        Wrong{"empty", "name:\n", "key \"name\" is missing or empty"},
        Wrong{"twice", "name: x\nname: y\n", "f.yaml:2: key \"name\" is there twice"},
        Wrong{"duration", "name: x\nevery: 10\n", "f.yaml:2: \"every\" must be a time"},
        Wrong{"duration_range", "name: x\nevery: 2h\n", "f.yaml:2: \"every\" must be a time"},
        Wrong{"number", "name: x\ncount: 11\n", "f.yaml:2: \"count\" must be a whole number from 0 to 10"},
        Wrong{"boolean", "name: x\nflag: maybe\n", "f.yaml:2: \"flag\" must be true or false"},
        Wrong{"word", "name: x\nkind: c\n", "f.yaml:2: \"kind\" must be one of: a, b"},
        Wrong{"map_for_value", "name: {a: b}\n", "\"name\" must be a single value, it is a mapping"},
        Wrong{"value_for_map", "name: x\nchild: y\n", "f.yaml:2: \"child\" must be a mapping"},
        Wrong{"value_for_list", "name: x\nlist: y\n", "f.yaml:2: \"list\" must be a list"},
        Wrong{"no_yaml", "name: [x\n", "f.yaml:"},
        Wrong{"no_mapping", "- x\n", "must be a mapping, it is a list"},
        Wrong{"nothing", "", "must be a mapping"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(Duration, HasItsUnits) {
  auto map = Map::Parse("a: 500ms\nb: 10s\nc: 5min\nd: 1h\n", "f");
  const Millis high = std::chrono::hours{2};
  EXPECT_EQ(map->Duration("a", {}, {}, high), Millis{500});
  EXPECT_EQ(map->Duration("b", {}, {}, high), Millis{10'000});
  EXPECT_EQ(map->Duration("c", {}, {}, high), Millis{300'000});
  EXPECT_EQ(map->Duration("d", {}, {}, high), Millis{3'600'000});
  EXPECT_TRUE(map->Finish().ok());
}

TEST(Child, ThatIsMissingSaysSoAndNotWhatItWouldHold) {
  auto map = Map::Parse("a: 1\n", "f");
  Map child = map->Child("tls");
  child.String("certificate");
  EXPECT_THAT(Render(child.Finish()), HasSubstr("key \"tls\" is missing"));
}

TEST(Parse, HugeTextIsRefused) {
  EXPECT_EQ(ReasonOf(Map::Parse(std::string(2U << 20U, '#'), "f").status()), Reason::kUsage);
}

}  // namespace
}  // namespace eos::yaml
