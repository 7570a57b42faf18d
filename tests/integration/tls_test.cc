// Who gets in, and what those who do not are told.
#include <fstream>

#include "tests/fakes/await.h"
#include "tests/integration/served_agent.h"

namespace eos {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class TlsTest : public ServedAgent {
 protected:
  Status Try(const tls::Files& certificates, const std::string& tls_name = "") const {
    return Client(certificates, tls_name)->Observe("payments").status();
  }
};

TEST_F(TlsTest, CallerOnTheListGetsInByUriOrByDnsNameOnly) {
  ASSERT_TRUE(Serve(pki.Issue({.name = "agent"})).ok());
  EXPECT_TRUE(Try(Operator()).ok());
  EXPECT_TRUE(Try(pki.Issue({.name = "jump", .san = "DNS:jump1.example"})).ok());
  for (const auto& wish :
       {fakes::Wish{.name = "other", .san = "URI:spiffe://test/agent/c1"},
        fakes::Wish{.name = "prefix", .san = "URI:spiffe://test/operator/"},
        fakes::Wish{.name = "both", .san = "URI:spiffe://test/agent/c1,DNS:jump1.example"},
        fakes::Wish{.name = "cn", .san = "DNS:x.example", .common_name = "spiffe://test/operator/alice"}}) {
    const Status status = Try(pki.Issue(wish));
    EXPECT_EQ(ReasonOf(status), Reason::kPermissionDenied) << wish.name << " " << status;
    EXPECT_THAT(Render(status), HasSubstr("list of callers"));
  }
}

TEST_F(TlsTest, ExpiredCertificateOfOursIsToldBeforeAnythingIsSent) {
  ASSERT_TRUE(Serve(pki.Issue({.name = "agent"})).ok());
  const Status status =
      Try(pki.Issue({.name = "a", .san = "URI:spiffe://test/operator/a", .until_seconds = -60}));
  EXPECT_EQ(ReasonOf(status), Reason::kCertificateExpired);
}

TEST_F(TlsTest, ForeignCaIsToldOnBothSides) {
  ASSERT_TRUE(Serve(pki.Issue({.name = "agent"})).ok());
  const fakes::TestPki other;
  EXPECT_EQ(ReasonOf(Try(other.Issue({.name = "a", .san = "URI:spiffe://test/operator/a"}))),
            Reason::kCertificateUntrusted)
      << "we do not know theirs";
  tls::Files mixed = other.Issue({.name = "b", .san = "URI:spiffe://test/operator/b"});
  std::ofstream(mixed.ca, std::ios::app) << std::ifstream(pki.ca()).rdbuf();
  const Status status = Try(mixed);
  EXPECT_EQ(ReasonOf(status), Reason::kCertificateUntrusted) << status;
  EXPECT_THAT(Render(status), HasSubstr("the agent refuses our certificate"));
}

TEST_F(TlsTest, T55_WrongNameShowsBothNames) {
  ASSERT_TRUE(Serve(pki.Issue({.name = "agent", .san = "DNS:agent-1.example.test"})).ok());
  const Status status = Try(Operator());
  EXPECT_EQ(ReasonOf(status), Reason::kCertificateNameMismatch) << status;
  EXPECT_THAT(Render(status), AllOf(HasSubstr("agent-1.example.test"), HasSubstr("127.0.0.1")));
  EXPECT_TRUE(Try(Operator(), "agent-1.example.test").ok()) << "tls_name";
}

TEST_F(TlsTest, DeadHostAndSomethingElseThatAnswersAreToldApart) {
  ASSERT_TRUE(Serve(pki.Issue({.name = "agent"})).ok());
  const auto ours = Operator();
  const auto dead =
      rpc::NewAgentClient({"c9", "127.0.0.1:1", ""}, {ours.certificate, ours.key, ours.ca}, Millis{2'000});
  const Status refused = dead->Observe("payments").status();
  EXPECT_EQ(ReasonOf(refused), Reason::kUnreachable);
  EXPECT_THAT(Render(refused), AllOf(HasSubstr("c9"), HasSubstr("Connection refused")));
  const auto nowhere = rpc::NewAgentClient({"c8", "no-such-host.invalid:7443", ""},
                                           {ours.certificate, ours.key, ours.ca}, Millis{2'000});
  EXPECT_EQ(ReasonOf(nowhere->Observe("payments").status()), Reason::kUnreachable);
}

TEST_F(TlsTest, T57_RotationKeepsTheOldPairUntilTheNewOneFits) {
  const tls::Files source = pki.Issue({.name = "agent"});
  ASSERT_TRUE(Serve(source).ok());
  const auto client = Client(Operator());
  const Time first = client->Observe("payments")->agent.certificate_not_after;
  const tls::Files next = pki.Issue({.name = "next", .until_seconds = 86'400 * 2});
  std::filesystem::copy_file(next.certificate, source.certificate,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_TRUE(fakes::Await([&] { return !client->Observe("payments")->agent.problems.empty(); }));
  EXPECT_EQ(client->Observe("payments")->agent.certificate_not_after, first);
  EXPECT_TRUE(Try(Operator("during")).ok()) << "new connections still work";
  std::filesystem::copy_file(next.key, source.key, std::filesystem::copy_options::overwrite_existing);
  EXPECT_TRUE(fakes::Await([&] {
    const auto report = client->Observe("payments");
    return report->agent.problems.empty() && report->agent.certificate_not_after > first;
  }));
  EXPECT_TRUE(Try(Operator("after")).ok());
}

TEST_F(TlsTest, ServerRefusesToStartOnABadPair) {
  EXPECT_EQ(ReasonOf(Serve(pki.Issue({.name = "agent", .until_seconds = -1}))), Reason::kCertificateExpired);
  tls::Files pair = pki.Issue({.name = "a"});
  pair.key = pki.Issue({.name = "b"}).key;
  EXPECT_EQ(ReasonOf(Serve(pair)), Reason::kCertificateInvalid);
}

}  // namespace
}  // namespace eos
