#include "controller/fleet/inventory.h"

#include <gmock/gmock.h>

#include "tests/fakes/temp_dir.h"

namespace eos::fleet {
namespace {

using testing::HasSubstr;

const std::string kGood = R"(fleet: payments
group_id: connect-payments
agents:
  - {name: c1, address: "c1.example:7443"}
  - {name: c2, address: "192.0.2.2:7443", tls_name: c2.example}
tls: {certificate: op.pem, key: /etc/op.key, ca: ca.pem}
kafka:
  bootstrap.servers: b1:9092
  sasl.password: Tr0ub4dor-test
)";

std::string Error(const std::string& text) { return Render(ParseInventory(text, "fleet.yaml", "").status()); }

std::string With(const std::string& from, const std::string& to) {
  std::string text = kGood;
  return text.replace(text.find(from), from.size(), to);
}

TEST(Inventory, IsReadWithSaneDefaults) {
  const auto inventory = ParseInventory(kGood, "fleet.yaml", "/etc/eos");
  ASSERT_TRUE(inventory.ok()) << inventory.status();
  EXPECT_EQ(inventory->agents[1].tls_name, "c2.example");
  EXPECT_EQ(inventory->tls.certificate, "/etc/eos/op.pem") << "relative to the file";
  EXPECT_EQ(inventory->tls.key, "/etc/op.key");
  EXPECT_EQ(inventory->kafka.at("bootstrap.servers"), "b1:9092");
  EXPECT_EQ(inventory->policy.max_unavailable, 1);
}

TEST(Inventory, PolicyIsRead) {
  const auto inventory = ParseInventory(
      kGood + "policy: {rebalance: keep-user-delay, good_observations: 5, worker_limit: 20min}\n", "f", "");
  ASSERT_TRUE(inventory.ok()) << inventory.status();
  EXPECT_EQ(inventory->policy.rebalance, RebalancePolicy::kKeepUser);
  EXPECT_EQ(inventory->policy.good_observations, 5);
  EXPECT_EQ(inventory->policy.worker_limit, std::chrono::minutes{20});
}

TEST(Inventory, ErrorsHaveTheLine) {
  EXPECT_THAT(Error(With("group_id", "groupid")), HasSubstr("\"group_id\" is missing"));
  EXPECT_THAT(Error(kGood + "polcy: {}\n"),
              HasSubstr("fleet.yaml:10: unknown key \"polcy\"\nTo fix: did you mean \"policy\""));
  EXPECT_THAT(Error(With("c1.example:7443", "c1.example")),
              HasSubstr("fleet.yaml:4: \"c1.example\" is not HOST:PORT"));
  EXPECT_THAT(Error(With("name: c2", "name: c1")), HasSubstr("two agents are called \"c1\""));
  EXPECT_THAT(Error(With("192.0.2.2:7443", "c1.example:7443")), HasSubstr("two agents have the address"));
  EXPECT_THAT(Error(With("bootstrap.servers", "bootstrap.server")),
              HasSubstr("\"bootstrap.servers\" is missing"));
  EXPECT_THAT(Error(kGood + "policy: {max_unavailable: 101}\n"),
              HasSubstr("fleet.yaml:10: \"max_unavailable\""));
}

TEST(Inventory, NoErrorQuotesASecret) {
  EXPECT_THAT(Error(kGood + "kafka: x\n"), testing::Not(HasSubstr("Tr0ub4dor")));
}

TEST(Inventory, MissingFileSaysHowToNameIt) {
  const fakes::TempDir dir;
  EXPECT_THAT(Render(LoadInventory(dir / "none.yaml").status()), HasSubstr("EOSCTL_FLEET"));
}

}  // namespace
}  // namespace eos::fleet
