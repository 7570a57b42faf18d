#include "common/tls/staged_files.h"

#include <gmock/gmock.h>

#include "tests/fakes/test_pki.h"

namespace eos::tls {
namespace {

Time Now() { return std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now()); }

TEST(StagedFiles, T57_MismatchedPairKeepsTheOldOneUntilBothFit) {
  fakes::TestPki pki;
  const Files source = pki.Issue({.name = "a"});
  const fakes::TempDir runtime;
  StagedFiles staged(source, runtime / "tls");
  ASSERT_TRUE(staged.Refresh(Now()).ok());
  const std::string first = staged.facts().serial;

  const Files next = pki.Issue({.name = "next"});
  std::filesystem::copy_file(next.certificate, source.certificate,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_FALSE(staged.Refresh(Now()).ok());
  EXPECT_TRUE(staged.problem());
  EXPECT_EQ(staged.facts().serial, first);
  EXPECT_TRUE(Check(staged.in_use(), Now()).ok()) << "what gRPC watches still fits";

  std::filesystem::copy_file(next.key, source.key, std::filesystem::copy_options::overwrite_existing);
  EXPECT_TRUE(staged.Refresh(Now()).ok());
  EXPECT_FALSE(staged.problem());
  EXPECT_NE(staged.facts().serial, first);
  EXPECT_EQ(Check(staged.in_use(), Now())->serial, staged.facts().serial);
}

TEST(StagedFiles, CertificateThatRunsOutWhileInUseIsAProblem) {
  fakes::TestPki pki;
  const fakes::TempDir runtime;
  StagedFiles staged(pki.Issue({.name = "a", .until_seconds = 60}), runtime / "tls");
  ASSERT_TRUE(staged.Refresh(Now()).ok());
  EXPECT_EQ(ReasonOf(staged.Refresh(Now() + std::chrono::minutes{2})), Reason::kCertificateExpired);
}

TEST(StagedFiles, BadAtTheStartIsRefusedAndCopiesArePrivate) {
  fakes::TestPki pki;
  const fakes::TempDir runtime;
  StagedFiles bad(pki.Issue({.name = "a", .until_seconds = -1}), runtime / "tls");
  EXPECT_EQ(ReasonOf(bad.Refresh(Now())), Reason::kCertificateExpired);
  StagedFiles good(pki.Issue({.name = "b"}), runtime / "tls2");
  ASSERT_TRUE(good.Refresh(Now()).ok());
  struct stat info {};
  ASSERT_EQ(stat((runtime / "tls2").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0700U);
}

}  // namespace
}  // namespace eos::tls
