#include "controller/cli/deadline.h"

#include <gmock/gmock.h>

namespace eos::cli {
namespace {

constexpr Time kNow{Millis{1'796'126'400'000}};  // 2026-12-01T12:00:00Z

TEST(Deadline, IsALengthFromNowOrATimeInUtc) {
  EXPECT_EQ(*ParseDeadline("45s", kNow), kNow + std::chrono::seconds{45});
  EXPECT_EQ(*ParseDeadline("30m", kNow), kNow + std::chrono::minutes{30});
  EXPECT_EQ(*ParseDeadline("2h", kNow), kNow + std::chrono::hours{2});
  EXPECT_EQ(*ParseDeadline("2026-12-01T12:30:00Z", kNow), kNow + std::chrono::minutes{30});
}

TEST(Deadline, RefusesEverythingElseAndSaysHowToWriteIt) {
  for (const char* text :
       {"", "h", "2", "2d", "-2h", "1.5h", "99999999h", "03:30", "2026-12-01T12:30:00", "0s",
        "2026-12-01T12:00:00Z", "2026-13-01T12:00:00Z", "2027-02-31T12:00:00Z", "2026-12-01T12:30:00Zx"}) {
    const auto deadline = ParseDeadline(text, kNow);
    ASSERT_FALSE(deadline.ok()) << text;
    EXPECT_EQ(ReasonOf(deadline.status()), Reason::kUsage) << text;
    EXPECT_THAT(ProblemOf(deadline.status()).fix, testing::HasSubstr("45m")) << text;
  }
}

}  // namespace
}  // namespace eos::cli
