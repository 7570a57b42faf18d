#include <gmock/gmock.h>

#include "common/wire/grpc_edge.h"
#include "common/wire/translate.h"
#include "tests/fakes/healthy_fleet.h"

namespace eos::wire {
namespace {

using testing::HasSubstr;

WorkerFacts Full() {
  WorkerFacts facts = fakes::HealthyWorker(1, Mode::kPreparing);
  facts.file->delay = Millis{1'000};
  facts.file->delay_present = true;
  facts.file->warnings = {"line 1: shadowed"};
  facts.service->exit_status = 143;
  facts.service->stop_limit = Millis{90'500};
  facts.log = LogFacts{Mode::kPreparing, Millis{1'000}, fakes::kNoon};
  facts.temporary_delay = TemporaryDelay{Millis{1'000}, std::string("30\xE9\0", 4), fakes::kNoon};
  facts.running_operation = "op-00000001";
  facts.problems = {{Reason::kFileValueInvalid, "line 2: …", "write one of"}};
  return facts;
}

TEST(Wire, WorkerFactsGoAndComeBack) {
  EXPECT_EQ(FromWire(ToWire(Full())), Full());
  WorkerFacts empty;
  empty.name = "w";
  EXPECT_EQ(FromWire(ToWire(empty)), empty) << "absent stays absent";
}

TEST(Wire, AgentFactsGoAndComeBack) {
  AgentFacts facts = *fakes::HealthyObservations(1).agents[0].facts;
  facts.leases = {{"f", "session", "alice", "spiffe://x/y", 7, fakes::kNoon, Millis{1'234}}};
  facts.problems = {{Reason::kLedgerDamaged, "x", "y"}};
  EXPECT_EQ(FromWire(ToWire(facts)), facts);
}

OperationRecord Record() {
  OperationRecord record;
  record.request.id = "op-00000001";
  record.request.worker = "w1";
  record.request.lease_session = "session";
  record.request.lease_epoch = 3;
  record.request.expected_sha256 = std::string(64, 'a');
  record.request.mode = Mode::kEnabled;
  record.request.delay = DelayChange::kSetTemporary;
  record.request.temporary_delay = Millis{1'500};
  record.step = OperationStep::kRestoring;
  record.outcome = OperationOutcome::kPending;
  record.problem = Problem{Reason::kConfigRejected, "m", "f"};
  record.caller = "spiffe://x/y";
  record.accepted = fakes::kNoon;
  record.updated = fakes::kNoon + Millis{1};
  record.old_sha256 = "o";
  record.new_sha256 = "n";
  record.old_process = ProcessFacts{7, 9, "boot", fakes::kNoon, true, true};
  record.new_process = ProcessFacts{8, 10, "boot", fakes::kNoon, true, true};
  record.starts = 2;
  return record;
}

TEST(Wire, OperationsGoAndComeBack) {
  const auto record = FromWire(ToWire(Record()));
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(*record, Record());
}

TEST(Wire, ConnectorsGoAndComeBack) {
  ConnectorStatus status = fakes::HealthyObservations(1).connectors->front();
  status.tasks[0] = {0, TaskState::kFailed, "c1:8083", FailureKind::kFencing, {"org.example.AException"}};
  EXPECT_EQ(FromWire(ToWire(status)), status);
}

TEST(Wire, NumbersOfANewerPeerAreUnknownNeverADefaultThatMeansSomething) {
  v1::WorkerFacts facts;
  facts.mutable_file()->set_mode(static_cast<v1::Mode>(99));
  facts.mutable_service()->set_state(static_cast<v1::ServiceState>(99));
  EXPECT_EQ(FromWire(facts).file->mode, std::nullopt);
  EXPECT_EQ(FromWire(facts).service->state, ServiceState::kUnknown);
  v1::ConnectorStatus connector;
  auto* task = connector.add_tasks();
  task->set_state(v1::TASK_STATE_FAILED);
  task->set_failure(static_cast<v1::FailureKind>(99));
  EXPECT_EQ(FromWire(connector).tasks[0].failure, FailureKind::kConnector) << "FAILED stays FAILED";
  v1::Failure failure;
  failure.set_reason(static_cast<v1::Reason>(99));
  EXPECT_EQ(FromWire(failure).reason, Reason::kUnspecified);
  EXPECT_EQ(FromWire(static_cast<v1::ProbeResult>(99)), Probe::kUnknown);
}

TEST(Wire, OperationsThatCannotBeAreRefused) {
  const auto refused = [](auto spoil) {
    v1::Operation operation = ToWire(Record().request);
    spoil(operation);
    EXPECT_EQ(ReasonOf(FromWire(operation).status()), Reason::kInvalidArgument);
  };
  refused([](auto& o) { o.set_delay(v1::DELAY_CHANGE_UNSPECIFIED); });
  refused([](auto& o) { o.set_mode(static_cast<v1::Mode>(99)); });
  refused([](auto& o) { o.set_id("../../x"); });
  refused([](auto& o) { o.mutable_stop_limit()->set_seconds(INT64_MAX); });
  refused([](auto& o) { o.mutable_stop_limit()->set_seconds(INT64_MIN); });
  refused([](auto& o) { o.mutable_temporary_delay()->set_seconds(-5); });
  refused([](auto& o) { o.clear_expected_sha256(); });
}

TEST(Wire, BytesThatAreNoUtf8AreReplacedNotSent) {
  Problem problem{Reason::kInternal, std::string(5000, 'x') + "\xC3", "caf\xE9"};
  const v1::Failure failure = ToWire(problem);
  EXPECT_LE(failure.message().size(), 2048U);
  EXPECT_EQ(failure.fix(), "caf?");
}

TEST(Address, OnlySchemeHostAndPortTravel) {
  for (const std::string url : {"http://c1:8083", "https://c1.example:443", "http://[::1]:8083"}) {
    EXPECT_EQ(*UrlOf(*AddressOf(url)), url);
  }
  EXPECT_EQ(*UrlOf(*AddressOf("http://c1:8083/")), "http://c1:8083");
  for (const std::string bad :
       {"ftp://c1:1", "http://c1", "http://c1:0", "http://c1:65536", "http://c1:80/path", "http://u@c1:80",
        "http://:80", "http://c1:8x", "file:///etc/passwd", "http://c1:80?x", ""}) {
    EXPECT_EQ(ReasonOf(AddressOf(bad).status()), Reason::kInvalidArgument) << bad;
  }
  v1::WorkerAddress address;
  address.set_scheme(v1::SCHEME_HTTP);
  address.set_port(80);
  address.set_host("c1/..");
  EXPECT_FALSE(UrlOf(address).ok());
}

TEST(GrpcEdge, ReasonAndFixTravelInTheStatus) {
  const Status back = FromGrpc(ToGrpc(Err(Reason::kLeaseHeld, "it is held by bob", "wait")));
  EXPECT_EQ(ReasonOf(back), Reason::kLeaseHeld);
  EXPECT_EQ(Render(back), "it is held by bob\nTo fix: wait");
  EXPECT_TRUE(FromGrpc(ToGrpc(OkStatus())).ok());
}

TEST(GrpcEdge, StatusWithoutDetailsKeepsItsNearestReason) {
  EXPECT_EQ(ReasonOf(FromGrpc({grpc::StatusCode::UNAVAILABLE, "x"})), Reason::kUnreachable);
  EXPECT_EQ(ReasonOf(FromGrpc({grpc::StatusCode::DEADLINE_EXCEEDED, "x"})), Reason::kTimeout);
  EXPECT_EQ(ReasonOf(FromGrpc({grpc::StatusCode::UNIMPLEMENTED, "x"})), Reason::kVersionMismatch);
  EXPECT_EQ(ReasonOf(FromGrpc({grpc::StatusCode::UNKNOWN, "x", "\xFF\xFF"})), Reason::kInternal);
}

}  // namespace
}  // namespace eos::wire
