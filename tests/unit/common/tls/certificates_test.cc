#include "common/tls/certificates.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/fakes/test_pki.h"

namespace eos::tls {
namespace {

using fakes::TestPki;
using testing::ElementsAre;
using testing::HasSubstr;

Time Now() { return std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now()); }

class CheckTest : public testing::Test {
 protected:
  TestPki pki;
};

TEST_F(CheckTest, GoodPairIsTold) {
  const auto facts =
      Check(pki.Issue({.name = "a", .san = "URI:spiffe://x/agent/a,DNS:a.example,IP:192.0.2.1"}), Now());
  ASSERT_TRUE(facts.ok()) << facts.status();
  EXPECT_THAT(facts->uri_sans, ElementsAre("spiffe://x/agent/a"));
  EXPECT_THAT(facts->dns_sans, ElementsAre("a.example"));
  EXPECT_THAT(facts->ip_sans, ElementsAre("192.0.2.1"));
  EXPECT_GT(facts->not_after, Now());
}

TEST_F(CheckTest, T59_KeyThatOthersCanReadIsRefusedWithTheCommand) {
  const Files files = pki.Issue({.name = "a"});
  for (const mode_t mode : {0644U, 0640U, 0604U}) {
    chmod(files.key.c_str(), mode);
    const auto facts = Check(files, Now());
    EXPECT_EQ(ReasonOf(facts.status()), Reason::kCertificateInvalid);
    EXPECT_THAT(Render(facts.status()), HasSubstr("run: chmod 0600 " + files.key));
  }
}

TEST_F(CheckTest, ExpiredAndNotYetValidNameBothTimes) {
  const auto expired = Check(pki.Issue({.name = "a", .until_seconds = -60}), Now());
  EXPECT_EQ(ReasonOf(expired.status()), Reason::kCertificateExpired);
  const auto early = Check(pki.Issue({.name = "b", .from_seconds = 600}), Now());
  EXPECT_EQ(ReasonOf(early.status()), Reason::kCertificateNotYetValid);
  EXPECT_THAT(Render(early.status()), HasSubstr("timedatectl"));
}

TEST_F(CheckTest, ForeignCaIsTold) {
  const TestPki other;
  Files files = pki.Issue({.name = "a"});
  files.ca = other.ca();
  EXPECT_EQ(ReasonOf(Check(files, Now()).status()), Reason::kCertificateUntrusted);
}

TEST_F(CheckTest, MismatchedPairIsTold) {
  Files files = pki.Issue({.name = "a"});
  files.key = pki.Issue({.name = "b"}).key;
  EXPECT_THAT(Render(Check(files, Now()).status()), HasSubstr("does not belong to the certificate"));
}

TEST_F(CheckTest, CommonNameAloneIsNoName) {
  EXPECT_THAT(Render(Check(pki.Issue({.name = "a", .san = "", .common_name = "c1.example"}), Now()).status()),
              HasSubstr("no subject alternative name"));
}

TEST_F(CheckTest, CertificateOfAServerIsNotOneForClients) {
  EXPECT_TRUE(CheckForClients(pki.Issue({.name = "a"})).ok());
  EXPECT_TRUE(CheckForClients(pki.Issue({.name = "b", .usage = "clientAuth"})).ok());
  EXPECT_THAT(Render(CheckForClients(pki.Issue({.name = "c", .usage = "serverAuth"}))),
              HasSubstr("not issued for clients"));
}

TEST_F(CheckTest, MissingAndGarbledFilesAreTold) {
  Files files = pki.Issue({.name = "a"});
  Files missing = files;
  missing.certificate = pki.dir() / "none.pem";
  EXPECT_THAT(Render(Check(missing, Now()).status()), HasSubstr("none.pem"));
  std::ofstream(files.certificate) << "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  EXPECT_EQ(ReasonOf(Check(files, Now()).status()), Reason::kCertificateInvalid);
}

}  // namespace
}  // namespace eos::tls
