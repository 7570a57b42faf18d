#include "agent/config/config.h"

#include <gmock/gmock.h>

namespace eos::config {
namespace {

using testing::HasSubstr;

const std::string kGood = R"(listen: 127.0.0.1:7443
state_directory: state
tls: {certificate: a.pem, key: a.key, ca: ca.pem}
callers: ["spiffe://x/operator/*", "dns:jump1.example"]
workers:
  - name: w1
    fleet: payments
    properties_file: /etc/kafka/w1.properties
    advertised_url: http://c1:8083/
    rest: {url: "http://127.0.0.1:8083"}
    service: {commands: {start: [/bin/a, x], stop: [/bin/b], status: [/bin/c]}}
    log: {file: w1.log}
)";

std::string Error(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return Render(ParseConfig(text, "agent.yaml", "").status());
}

TEST(Config, TheAnnotatedExampleIsRead) {
  const auto config = LoadConfig(EOS_EXAMPLES "/agent.yaml");
  ASSERT_TRUE(config.ok()) << Render(config.status());
  EXPECT_EQ(std::get<service::SystemdSettings>(config->workers[0].service).unit, "kafka-connect.service");
  EXPECT_TRUE(std::holds_alternative<Journal>(config->workers[0].log));
}

TEST(Config, RelativePathsCountFromItsFolder) {
  const auto config = ParseConfig(kGood, "agent.yaml", "/etc/eos");
  ASSERT_TRUE(config.ok()) << Render(config.status());
  EXPECT_EQ(config->state_directory, "/etc/eos/state");
  EXPECT_EQ(config->tls.key, "/etc/eos/a.key");
  EXPECT_EQ(std::get<LogFile>(config->workers[0].log).path, "/etc/eos/w1.log");
  EXPECT_EQ(config->workers[0].properties_file, "/etc/kafka/w1.properties");
}

TEST(Config, ErrorsHaveLineAndNearestKey) {
  EXPECT_THAT(Error(kGood, "callers", "caller"), HasSubstr("\"callers\" is missing"));
  EXPECT_THAT(Error(kGood, "[\"spiffe://x/operator/*\", \"dns:jump1.example\"]", "[]"),
              HasSubstr("\"callers\" must be a list"));
  EXPECT_THAT(Error(kGood, "spiffe://x/operator/*", "*"), HasSubstr("agent.yaml:4: \"*\" is no caller"));
  EXPECT_THAT(Error(kGood, "dns:jump1", "jump1"), HasSubstr("is no caller"));
  EXPECT_THAT(Error(kGood, "    fleet: payments\n", "    fleet: payments\n    flet: x\n"),
              HasSubstr("agent.yaml:8: unknown key \"flet\"\nTo fix: did you mean \"fleet\"?"));
  EXPECT_THAT(Error(kGood, "name: w1", "name: ../w1"), HasSubstr("agent.yaml:6: \"name\" may hold letters"));
  EXPECT_THAT(Error(kGood, "http://c1:8083/", "c1:8083"),
              HasSubstr("agent.yaml:9: \"advertised_url\" must be scheme"));
  EXPECT_THAT(Error(kGood, "log: {file: w1.log}", "log: {journal: true}"), HasSubstr("needs a systemd unit"));
  EXPECT_THAT(Error(kGood, "{commands: {start: [/bin/a, x], stop: [/bin/b], status: [/bin/c]}}", "{}"),
              HasSubstr("either \"systemd\" or \"commands\""));
  EXPECT_THAT(Error(kGood, "start: [/bin/a, x]", "start: /bin/a"), HasSubstr("\"start\" must be a list"));
}

TEST(Config, TwoWorkersNeverShareNameFileOrUrl) {
  const std::string again = kGood.substr(kGood.find("  - name: w1"));
  EXPECT_THAT(Render(ParseConfig(kGood + again, "agent.yaml", "").status()),
              HasSubstr("two workers have the name \"w1\""));
}

}  // namespace
}  // namespace eos::config
