#include <gmock/gmock.h>

#include "agent/worker/rest_client.h"

namespace eos::worker {
namespace {

struct Trace {
  const char* name;
  const char* text;
  FailureKind kind;
};
void PrintTo(const Trace& trace, std::ostream* out) { *out << trace.name; }

class Classify : public testing::TestWithParam<Trace> {};

TEST_P(Classify, ByClassAndFrames) {
  std::vector<std::string> exceptions;
  EXPECT_EQ(ClassifyTrace(GetParam().text, exceptions), GetParam().kind);
}

INSTANTIATE_TEST_SUITE_P(
    Traces, Classify,
    testing::Values(
        Trace{
            "refused",
            "org.apache.kafka.connect.errors.ConnectException: Failed to perform zombie fencing\nCaused by: "
            "java.net.ConnectException: Connection refused",
            FailureKind::kFencing},
        Trace{"end_of_input",
              "org.apache.kafka.connect.errors.ConnectException: IO Error trying to forward REST "
              "request\nCaused by: "
              "com.fasterxml.jackson.databind.exc.MismatchedInputException: No content to map due to "
              "end-of-input",
              FailureKind::kFencing},
        Trace{"conflict",
              "org.apache.kafka.connect.runtime.rest.errors.ConnectRestException: 409\n\tat "
              "fenceZombieSourceTasks",
              FailureKind::kFencing},
        Trace{"T30_transactional_id",
              "org.apache.kafka.connect.errors.ConnectException: zombie fencing\nCaused by: "
              "org.apache.kafka.common.errors.TransactionalIdAuthorizationException: Transactional Id "
              "authorization failed.",
              FailureKind::kAuthorization},
        Trace{"fenced_producer",
              "org.apache.kafka.common.errors.ProducerFencedException: There is a newer producer",
              FailureKind::kTransaction},
        Trace{"configuration",
              "org.apache.kafka.common.config.ConfigException: Missing required configuration",
              FailureKind::kConfiguration},
        Trace{"the_connectors_own_connection_refused",
              "org.postgresql.util.PSQLException: Connection to db:5432 refused\nCaused by: "
              "java.net.ConnectException: "
              "Connection refused",
              FailureKind::kConnector},
        Trace{"nothing", "", FailureKind::kConnector}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(Classes, OnlyNamesOfClassesAreTaken) {
  std::vector<std::string> exceptions;
  ClassifyTrace(
      "org.example.AException: jdbc:postgresql://db?password=Tr0ub4dor-test\n\tat "
      "org.example.X.run(X.java:1)\n"
      "Caused by: org.example.inner.BError\nsecret.Tr0ub4dor-test.Exception: x",
      exceptions);
  EXPECT_THAT(exceptions, testing::ElementsAre("org.example.AException", "org.example.inner.BError"));
}

TEST(Classes, AtMostEight) {
  std::string trace;
  for (int i = 0; i < 50; ++i) trace += "Caused by: a.b.CException: x\n";
  std::vector<std::string> exceptions;
  ClassifyTrace(trace, exceptions);
  EXPECT_EQ(exceptions.size(), 8U);
}

}  // namespace
}  // namespace eos::worker
