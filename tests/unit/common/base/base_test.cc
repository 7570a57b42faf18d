#include <gmock/gmock.h>

#include "common/base/error.h"
#include "common/base/time.h"
#include "common/base/words.h"

namespace eos {
namespace {

TEST(Time, IsUtcWithMilliseconds) {
  EXPECT_EQ(FormatUtc(Time{Millis{1'796'112'000'123}}), "2026-12-01T08:00:00.123Z");
  EXPECT_EQ(FormatUtc(Time{}), "1970-01-01T00:00:00.000Z");
}

TEST(Duration, ReadsAsPeopleSayIt) {
  EXPECT_EQ(FormatDuration(Millis{850}), "850 ms");
  EXPECT_EQ(FormatDuration(Millis{12'340}), "12.3 s");
  EXPECT_EQ(FormatDuration(Millis{250'000}), "4 min 10 s");
}

TEST(Nearest, FindsTypingErrorsAndNothingElse) {
  const std::vector<std::string_view> words{"certificate", "key", "ca", "listen"};
  EXPECT_EQ(Nearest("certifcate", words), "certificate");
  EXPECT_EQ(Nearest("lisetn", words), "listen");
  EXPECT_EQ(Nearest("kye", words), "key");
  EXPECT_EQ(Nearest("state_directory", words), std::nullopt);
}

TEST(Printable, ControlsAndLengthsAreTamed) {
  EXPECT_EQ(Printable("a\x1b[31mb\n"), "a?[31mb?");
  EXPECT_LE(Printable(std::string(1000, 'x'), 50).size(), 54U);
}

TEST(Words, CaseAndSpaceAreAsciiOnly) {
  EXPECT_TRUE(EqualsIgnoreCase("Enabled", "eNABLED"));
  EXPECT_FALSE(EqualsIgnoreCase("a", "ab"));
  EXPECT_EQ(TrimAscii(" \t\r\nx y\x01 "), "x y");
}

TEST(Error, KeepsReasonAndFixThroughAnnotation) {
  const Status status = Annotate(Err(Reason::kLeaseHeld, "it is held", "wait"), "agent \"c1\"");
  EXPECT_EQ(ReasonOf(status), Reason::kLeaseHeld);
  EXPECT_EQ(Render(status), "agent \"c1\": it is held\nTo fix: wait");
  EXPECT_EQ(ReasonOf(absl::InternalError("x")), Reason::kInternal);
  EXPECT_EQ(ReasonOf(OkStatus()), Reason::kUnspecified);
}

}  // namespace
}  // namespace eos
