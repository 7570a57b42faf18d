#include "agent/worker/connector_json.h"

#include <gmock/gmock.h>

namespace eos::worker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ConnectorSettings, OnlyWhatExactlyOnceDependsOnIsKept) {
  const auto settings =
      SettingsFrom(R"({"connector.class": "org.example.Source", "name": "orders", "tasks.max": "3",
    "connection.password": "Tr0ub4dor-test", "exactly.once.support": "required", "transaction.boundary": "interval",
    "transaction.boundary.interval.ms": "10000", "offsets.storage.topic": "own",
    "producer.override.transaction.timeout.ms": "120000", "producer.override.bootstrap.servers": "b:9092"})");
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(*settings, (ConnectorSettings{.connector_class = "org.example.Source",
                                          .exactly_once_support = "required",
                                          .boundary = "interval",
                                          .boundary_interval_ms = 10'000,
                                          .offsets_topic = "own",
                                          .transaction_timeout_ms = 120'000,
                                          .other_cluster = true,
                                          .tasks_max = 3}));
}

std::string ProducerUser(const std::string& jaas) {
  return SettingsFrom(R"({"connector.class": "X", "producer.override.sasl.jaas.config": ")" + jaas + R"("})")
      ->producer_user;
}

TEST(ConnectorSettings, A9_EachClientsUserIsKnownAndNoPassword) {
  EXPECT_EQ(ProducerUser(R"(a.b.ScramLoginModule required username=\"alice\" password=\"x\";)"), "alice");
  EXPECT_EQ(ProducerUser(R"(a.b.ScramLoginModule required password='x' username='bob';)"), "bob");
  EXPECT_EQ(ProducerUser("a.b.PlainLoginModule required username=carol password=x;"), "carol");
  EXPECT_EQ(ProducerUser(R"(a.b.ScramLoginModule required username=\"${file:/etc/x:user}\";)"), kUnknownUser);
  EXPECT_EQ(ProducerUser("a.b.OAuthBearerLoginModule required;"), kUnknownUser);
  EXPECT_EQ(ProducerUser(R"(m required username=\"never ends)"), kUnknownUser);
  EXPECT_EQ(SettingsFrom(R"({"connector.class": "X"})")->admin_user, "") << "the worker's own";
  EXPECT_EQ(
      SettingsFrom(R"({"connector.class": "X", "admin.override.ssl.keystore.location": "/k"})")->admin_user,
      kUnknownUser);
}

TEST(ConnectorSettings, NumbersThatAreNoneAreAbsent) {
  const auto settings = SettingsFrom(R"({"connector.class": "X", "tasks.max": "many",
    "producer.override.transaction.timeout.ms": "${env:T}", "transaction.boundary.interval.ms": 5000})");
  EXPECT_EQ(settings->tasks_max, 1);
  EXPECT_EQ(settings->transaction_timeout_ms, std::nullopt);
  EXPECT_EQ(settings->boundary_interval_ms, 5'000);
}

TEST(ConnectorSettings, WhatIsNoConfigurationIsRefused) {
  for (const char* body : {"", "[]", "{}", "null", R"({"connector.class": true})", "{\"connector.class\""})
    EXPECT_EQ(ReasonOf(SettingsFrom(body).status()), Reason::kRestUnavailable) << body;
}

TEST(Topics, AreSortedAndOfThatConnector) {
  EXPECT_THAT(TopicsFrom(R"({"a": {"topics": ["z", "y", 7]}})", "a"), ElementsAre("y", "z"));
  for (const char* body :
       {"", "{}", R"({"b": {"topics": ["z"]}})", R"({"a": []})", R"({"a": {"topics": "z"}})"})
    EXPECT_THAT(TopicsFrom(body, "a"), IsEmpty()) << body;
}

}  // namespace
}  // namespace eos::worker
