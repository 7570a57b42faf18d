#include "common/base/reason.h"

#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <sstream>

namespace eos {
namespace {

TEST(Reasons, NamesAndNumbersAreUnique) {
  std::set<int> numbers;
  std::set<std::string_view> names;
  for (const ReasonInfo& info : AllReasons()) {
    EXPECT_TRUE(numbers.insert(static_cast<int>(info.reason)).second) << info.name;
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(Info(info.reason).name, info.name);
  }
}

TEST(Reasons, UnknownNumberReadsAsUnspecified) {
  EXPECT_EQ(Info(static_cast<Reason>(9999)).reason, Reason::kUnspecified);
}

TEST(Reasons, EachIsInTheDocumentationWithItsExitCode) {
  std::ifstream file(EOS_DOCS "/errors.md");
  std::stringstream text;
  text << file.rdbuf();
  for (const ReasonInfo& info : AllReasons()) {
    const std::string row = "| `" + std::string(info.name) + "` | " +
                            std::to_string(static_cast<int>(info.exit_code)) + " | " +
                            (info.retry_helps ? "yes" : "no") + " |";
    EXPECT_THAT(text.str(), testing::HasSubstr(row));
  }
}

}  // namespace
}  // namespace eos
