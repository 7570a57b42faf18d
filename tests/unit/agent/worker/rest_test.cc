#include <gmock/gmock.h>

#include "agent/worker/rest_client.h"
#include "agent/worker/rest_json.h"
#include "tests/fakes/fake_connect_rest.h"

namespace eos::worker {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr char kRoot[] = R"({"version":"4.0.0","commit":"x","kafka_cluster_id":"abc"})";

class RestTest : public testing::Test {
 protected:
  RestTest() {
    RestSettings settings;
    settings.url = rest.url() + "/";
    settings.timeout = Millis{2'000};
    client = NewCurlRestClient(settings);
  }
  fakes::FakeConnectRest rest;
  std::unique_ptr<RestClient> client;
};

TEST_F(RestTest, T24_HealthIsReadByItsStatus) {
  rest.Set("GET /", 200, kRoot);
  for (const auto& [status, health, herder] :
       {std::tuple{200, Health::kHealthy, true}, std::tuple{503, Health::kStarting, false},
        std::tuple{500, Health::kUnhealthy, false}}) {
    rest.Set("GET /health", status, R"({"status":"x","message":"y"})");
    const RestFacts facts = client->Look();
    EXPECT_TRUE(facts.answers);
    EXPECT_EQ(facts.health, health);
    EXPECT_EQ(facts.herder_answers, herder);
  }
  EXPECT_EQ(client->Look().kafka_cluster_id, "abc");
}

TEST_F(RestTest, T25_OldWorkerFallsBackToTheConnectors) {
  rest.Set("GET /", 200, R"({"version":"3.6.1"})");
  EXPECT_EQ(client->Look().health, Health::kUnsupported);
  EXPECT_FALSE(client->Look().herder_answers) << "/connectors is 404 until the resources are there";
  rest.Set("GET /connectors", 200, "[]");
  EXPECT_TRUE(client->Look().herder_answers);
}

TEST_F(RestTest, NothingThereIsNoAnswer) {
  RestSettings settings;
  settings.url = "http://127.0.0.1:1";
  EXPECT_FALSE(NewCurlRestClient(settings)->Look().answers);
  rest.Set("GET /", 200, "<html>welcome</html>");
  EXPECT_FALSE(client->Look().answers) << "some other server";
}

TEST_F(RestTest, ConnectorsAreReadInOneCall) {
  rest.Set("GET /connectors?expand=status&expand=info", 200, R"({"orders":{
    "info":{"name":"orders","config":{"connector.class":"org.example.Orders","password":"Tr0ub4dor-test"},
            "tasks":[{"connector":"orders","task":0},{"connector":"orders","task":1},{"connector":"orders","task":2}],"type":"source"},
    "status":{"name":"orders","type":"source","connector":{"state":"RUNNING","worker_id":"c1:8083"},
      "tasks":[{"id":0,"state":"RUNNING","worker_id":"c1:8083"},
               {"id":1,"state":"FAILED","worker_id":"c2:8083","trace":"org.apache.kafka.connect.errors.ConnectException: Error fencing zombie\n\tat DistributedHerder.fenceZombieSourceTasks\nCaused by: java.net.ConnectException: Connection refused"}]}}})");
  const auto connectors = client->ListConnectors();
  ASSERT_TRUE(connectors.ok()) << connectors.status();
  ASSERT_EQ(connectors->size(), 1U);
  const ConnectorStatus& orders = connectors->front();
  EXPECT_EQ(orders.type, ConnectorType::kSource);
  EXPECT_EQ(orders.connector_class, "org.example.Orders");
  ASSERT_EQ(orders.tasks.size(), 3U);
  EXPECT_EQ(orders.tasks[1].failure, FailureKind::kFencing);
  EXPECT_EQ(orders.tasks[2].state, TaskState::kUnassigned) << "configured, no status yet";
}

TEST_F(RestTest, T28_ConflictAndOtherRefusalsKeepTheirStatusAndNoBody) {
  rest.Set("GET /connectors?expand=status&expand=info", 409, R"({"message":"Tr0ub4dor-test"})");
  const auto connectors = client->ListConnectors();
  EXPECT_EQ(ReasonOf(connectors.status()), Reason::kRestUnavailable);
  EXPECT_THAT(Render(connectors.status()), testing::AllOf(HasSubstr("409"), Not(HasSubstr("Tr0ub4dor"))));
  rest.Set("GET /connectors?expand=status&expand=info", 200, "[1,2]");
  EXPECT_EQ(ReasonOf(client->ListConnectors().status()), Reason::kRestUnavailable);
}

TEST_F(RestTest, T32_ProbeAsksWithTheConnectorsOwnConfiguration) {
  rest.Set("GET /connectors/a%2Fb%20c/config", 200, R"({"connector.class":"org.example.X","file":"/f"})");
  const auto with = [&](const std::string& errors) {
    rest.Set(
        "PUT /connector-plugins/org.example.X/config/validate", 200,
        R"({"configs":[{"value":{"name":"other","errors":["x"]}},{"value":{"name":"exactly.once.support","errors":[)" +
            errors + "]}}]}");
    return client->ProbeExactlyOnce("a/b c")->result;
  };
  EXPECT_EQ(with(""), Probe::kCapable);
  EXPECT_THAT(rest.last_body(), testing::AllOf(HasSubstr("\"file\":\"/f\""),
                                               HasSubstr("\"exactly.once.support\":\"required\"")));
  EXPECT_EQ(with("\"This worker does not have exactly-once source support enabled.\""),
            Probe::kWorkerNotEnabled);
  EXPECT_EQ(
      with("\"The connector does not support exactly-once semantics with the provided configuration.\""),
      Probe::kConnectorNotCapable);
  EXPECT_EQ(with("\"The connector does not implement the API required for preflight validation\""),
            Probe::kConnectorUndeclared);
  EXPECT_EQ(with("\"something new\""), Probe::kUnknown);
  rest.Set("PUT /connector-plugins/org.example.X/config/validate", 500, "{}");
  EXPECT_EQ(client->ProbeExactlyOnce("a/b c")->result, Probe::kUnknown) << "never counted as enabled";
}

TEST_F(RestTest, FailedTasksAreRestartedAndOnlyThose) {
  rest.Set("POST /connectors/orders/restart?includeTasks=true&onlyFailed=true", 202, "{}");
  EXPECT_TRUE(client->RestartFailedTasks("orders").ok());
  EXPECT_EQ(ReasonOf(client->RestartFailedTasks("none")), Reason::kNotFound);
}

TEST_F(RestTest, ReachNamesTheStepThatFailed) {
  rest.Set("GET /", 200, kRoot);
  EXPECT_EQ(client->Reach(rest.url()).failed_at, ReachStep::kReached);
  EXPECT_EQ(client->Reach("http://127.0.0.1:1").failed_at, ReachStep::kConnect);
  EXPECT_EQ(client->Reach("http://no-such-host.invalid:80").failed_at, ReachStep::kDns);
  std::string https = rest.url();
  EXPECT_EQ(client->Reach(https.replace(0, 4, "https")).failed_at, ReachStep::kTls);
  rest.Set("GET /", 302, "");
  EXPECT_EQ(client->Reach(rest.url()).failed_at, ReachStep::kHttp) << "redirects are not followed";
}

TEST(RestJson, HostileAnswersAreNoCrash) {
  for (const std::string body :
       {"", "null", "1", "[]", "{", R"({"a":1})", R"({"a":{"status":{"tasks":[1,null,{"id":"x"}]}}})",
        R"({"a":{"info":{"tasks":[{"task":9999999999999999999}]}}})"}) {
    const auto connectors = ConnectorsFrom(body);
    if (connectors.ok()) {
      EXPECT_LE(connectors->size(), 1U);
    }
    RestFacts facts;
    EXPECT_FALSE(ReadRoot(body, facts));
    EXPECT_EQ(ProbeFrom(body), Probe::kUnknown);
  }
}

}  // namespace
}  // namespace eos::worker
