#include <gmock/gmock.h>

#include "controller/rollout/decide.h"
#include "tests/fakes/healthy_fleet.h"

namespace eos::rollout {
namespace {

using fakes::HealthyObservations;
using fleet::Observations;
using fleet::Policy;
using Severity = Finding::Severity;

struct Trouble {
  const char* name;
  std::function<void(Observations&)> make;
  Reason reason;
  Severity severity;
  bool may_pass;
};

// gtest prints a parameter of a failed case.
void PrintTo(const Trouble& trouble, std::ostream* out) { *out << trouble.name; }

void Add(Observations& seen, Reason reason) {
  seen.workers[1].second.problems.push_back({reason, "as the agent said", ""});
}

class PreflightFinds : public testing::TestWithParam<Trouble> {};

TEST_P(PreflightFinds, It) {
  Observations seen = HealthyObservations(3);
  GetParam().make(seen);
  const auto findings = Preflight(fleet::Join(seen), Policy{});
  ASSERT_FALSE(findings.empty());
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [](const Finding& f) { return f.problem.reason == GetParam().reason; });
  ASSERT_NE(found, findings.end());
  EXPECT_EQ(found->severity, GetParam().severity);
  EXPECT_EQ(found->may_pass, GetParam().may_pass);
  EXPECT_FALSE(found->object.empty());
  EXPECT_FALSE(found->problem.message.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Each, PreflightFinds,
    testing::Values(
        Trouble{"unreachable_agent",
                [](auto& s) {
                  s.agents[0].facts.reset();
                  s.agents[0].unreached = Problem{Reason::kUnreachable, "connection refused", ""};
                },
                Reason::kUnreachable, Severity::kError, false},
        Trouble{"T33_stranger", [](auto& s) { s.group->members.push_back(fakes::HealthyMember(9)); },
                Reason::kStrangerInGroup, Severity::kError, false},
        Trouble{"T36_duplicate_url",
                [](auto& s) {
                  s.workers[0].second.advertised_url = "http://localhost:8083";
                  s.workers[1].second.advertised_url = "http://LOCALHOST:8083/";
                },
                Reason::kDuplicateIdentity, Severity::kError, false},
        Trouble{"loopback_on_many_hosts",
                [](auto& s) { s.workers[0].second.advertised_url = "http://127.0.0.1:8083/"; },
                Reason::kDuplicateIdentity, Severity::kError, false},
        Trouble{"same_name_twice", [](auto& s) { s.workers[1].second.name = "w1"; },
                Reason::kDuplicateIdentity, Severity::kError, false},
        Trouble{"agent_without_workers", [](auto& s) { s.workers.pop_back(); }, Reason::kNotFound,
                Severity::kError, false},
        Trouble{"worker_down", [](auto& s) { s.workers[1].second.process.reset(); }, Reason::kWorkerDown,
                Severity::kError, false},
        Trouble{"worker_down_while_an_operation_runs",
                [](auto& s) {
                  s.workers[1].second.process.reset();
                  s.workers[1].second.running_operation = "op-1";
                },
                Reason::kWorkerDown, Severity::kError, true},
        Trouble{"process_unseen",
                [](auto& s) {
                  s.workers[1].second.process.reset();
                  s.workers[1].second.process_known = false;
                },
                Reason::kModeUnknown, Severity::kError, false},
        Trouble{"starting", [](auto& s) { s.workers[1].second.rest->herder_answers = false; },
                Reason::kRestUnavailable, Severity::kError, true},
        Trouble{"not_joined", [](auto& s) { s.group->members.pop_back(); }, Reason::kMemberMissing,
                Severity::kError, true},
        Trouble{"rebalancing", [](auto& s) { s.group->state = "CompletingRebalance"; },
                Reason::kMemberMissing, Severity::kError, true},
        Trouble{"group_unreadable",
                [](auto& s) {
                  s.group.reset();
                  s.group_problem = Problem{Reason::kGroupUnreadable, "not authorized", ""};
                },
                Reason::kGroupUnreadable, Severity::kError, false},
        Trouble{"not_a_connect_group", [](auto& s) { s.group->protocol_type = "consumer"; },
                Reason::kGroupUnreadable, Severity::kError, false},
        Trouble{"too_old", [](auto& s) { Add(s, Reason::kWorkerTooOld); }, Reason::kWorkerTooOld,
                Severity::kError, false},
        Trouble{"standalone", [](auto& s) { Add(s, Reason::kWorkerStandalone); }, Reason::kWorkerStandalone,
                Severity::kError, false},
        Trouble{"T18_unparsable", [](auto& s) { Add(s, Reason::kFileUnparsable); }, Reason::kFileUnparsable,
                Severity::kError, false},
        Trouble{"T19_indirect", [](auto& s) { Add(s, Reason::kFileIndirect); }, Reason::kFileIndirect,
                Severity::kError, false},
        Trouble{"T51_polkit", [](auto& s) { Add(s, Reason::kServiceDenied); }, Reason::kServiceDenied,
                Severity::kError, false},
        Trouble{"T16_value_that_kafka_refuses", [](auto& s) { Add(s, Reason::kFileValueInvalid); },
                Reason::kFileValueInvalid, Severity::kWarning, false},
        Trouble{"no_file_and_no_word_why", [](auto& s) { s.workers[1].second.file.reset(); },
                Reason::kFileUnreadable, Severity::kError, false},
        Trouble{"two_kafka_clusters",
                [](auto& s) { s.workers[1].second.rest->kafka_cluster_id = "cluster-b"; }, Reason::kConflict,
                Severity::kError, false},
        Trouble{"clock_off", [](auto& s) { s.agents[1].facts->clock += std::chrono::minutes{5}; },
                Reason::kClockSkew, Severity::kWarning, false},
        Trouble{
            "certificate_ends_soon",
            [](auto& s) { s.agents[1].facts->certificate_not_after = fakes::kNoon + std::chrono::hours{24}; },
            Reason::kCertificateExpired, Severity::kWarning, false},
        Trouble{"unknown_mode", [](auto& s) { s.workers[1].second.file->changed = fakes::kNoon; },
                Reason::kModeUnknown, Severity::kWarning, false},
        Trouble{"forbidden_mix",
                [](auto& s) { s.workers[1].second = fakes::HealthyWorker(2, Mode::kEnabled); },
                Reason::kForbiddenMix, Severity::kWarning, false},
        Trouble{"failed_task",
                [](auto& s) {
                  (*s.connectors)[0].tasks[0].state = TaskState::kFailed;
                  (*s.connectors)[0].tasks[0].failure = FailureKind::kConnector;
                },
                Reason::kTaskFailed, Severity::kWarning, false}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(Preflight, AHealthyFleetHasNoFindings) {
  for (const Mode mode : {Mode::kDisabled, Mode::kPreparing, Mode::kEnabled}) {
    for (const Finding& finding : Preflight(fakes::HealthyFleet(3, mode), Policy{})) {
      ADD_FAILURE() << finding.object << ": " << finding.problem.message;
    }
  }
}

TEST(Preflight, WorstComesFirst) {
  Observations seen = HealthyObservations(3);
  seen.agents[0].facts->clock += std::chrono::minutes{5};
  seen.workers[0].second.rest->herder_answers = false;
  Add(seen, Reason::kWorkerTooOld);
  const auto findings = Preflight(fleet::Join(seen), Policy{});
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[0].problem.reason, Reason::kWorkerTooOld);
  EXPECT_EQ(findings[1].problem.reason, Reason::kRestUnavailable);
  EXPECT_EQ(findings[2].problem.reason, Reason::kClockSkew);
}

TEST(Preflight, NamesAJvmThatRunsAnotherRebalanceDelayThanItsFileSays) {
  Observations seen = HealthyObservations(3);
  seen.workers[1].second.log = LogFacts{Mode::kDisabled, Millis{1'000}, fakes::kNoon};
  const auto findings = Preflight(fleet::Join(seen), Policy{});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].object, "w2");
  EXPECT_EQ(findings[0].severity, Severity::kInfo);
  EXPECT_NE(findings[0].problem.message.find("the next restart brings the file's"), std::string::npos);
}

}  // namespace
}  // namespace eos::rollout
