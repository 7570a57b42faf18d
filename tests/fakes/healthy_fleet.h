// A FleetView of a Connect cluster in which all is well, for tests to spoil.
#pragma once

#include <spdlog/fmt/fmt.h>

#include <string>

#include "controller/fleet/fleet_view.h"
#include "tests/fakes/fake_clock.h"

namespace eos::fakes {

inline constexpr Time kNoon{Millis{1'796'126'400'000}};  // 2026-12-01T12:00:00Z

inline WorkerFacts HealthyWorker(int number, Mode mode) {
  WorkerFacts facts;
  facts.name = fmt::format("w{}", number);
  facts.fleet = "payments";
  facts.advertised_url = fmt::format("http://c{}:8083/", number);
  facts.file = FileFacts{.sha256 = fmt::format("{:064x}", 16 * number + static_cast<int>(mode)),
                         .changed = kNoon - std::chrono::hours{2},
                         .mode = mode,
                         .mode_present = true,
                         .delay = std::nullopt,
                         .delay_present = false,
                         .warnings = {}};
  facts.process_known = true;
  facts.process = ProcessFacts{.pid = 1000 + number,
                               .start_ticks = 5000,
                               .boot_id = fmt::format("boot-{}", number),
                               .started = kNoon - std::chrono::hours{1},
                               .names_our_file = true,
                               .distributed = true};
  facts.service = ServiceFacts{ServiceState::kRunning, "running", std::nullopt, std::nullopt, {}};
  facts.rest = RestFacts{true, "4.0.0", "cluster-a", Health::kHealthy, true};
  return facts;
}

inline kafka::Member HealthyMember(int number) {
  kafka::Member member;
  member.member_id = fmt::format("connect-c{}:8083-{:08x}", number, number);
  member.client_id = fmt::format("connect-c{}:8083", number);
  member.client_host = fmt::format("/192.0.2.{}", number);
  member.url = fmt::format("http://c{}:8083/", number);
  member.delay = Millis{0};
  member.assigned = {fmt::format("orders{}", number), fmt::format("orders{}-0", number)};
  return member;
}

// Worker 1 leads; connector "ordersN" and its one task run on worker N.
inline fleet::Observations HealthyObservations(int workers, Mode mode = Mode::kDisabled) {
  fleet::Observations seen;
  seen.at = kNoon;
  seen.group =
      kafka::GroupView{"Stable", "connect", "sessioned", {}, "connect-c1:8083-00000001", "http://c1:8083/"};
  seen.connectors.emplace();
  for (int i = 1; i <= workers; ++i) {
    AgentFacts agent;
    agent.host = fmt::format("c{}", i);
    agent.version = "0.1.0";
    agent.protocol = kProtocolVersion;
    agent.boot_id = fmt::format("boot-{}", i);
    agent.clock = kNoon;
    agent.certificate_not_after = kNoon + std::chrono::hours{24 * 365};
    seen.agents.push_back({fmt::format("c{}", i), agent, std::nullopt});
    seen.workers.emplace_back(fmt::format("c{}", i), HealthyWorker(i, mode));
    seen.group->members.push_back(HealthyMember(i));
    ConnectorStatus connector;
    connector.name = fmt::format("orders{}", i);
    connector.type = ConnectorType::kSource;
    connector.connector_class = "org.apache.kafka.connect.file.FileStreamSourceConnector";
    connector.state = TaskState::kRunning;
    connector.worker_id = fmt::format("c{}:8083", i);
    connector.tasks = {{0, TaskState::kRunning, connector.worker_id, FailureKind::kNone, {}}};
    seen.connectors->push_back(connector);
  }
  return seen;
}

inline fleet::FleetView HealthyFleet(int workers, Mode mode = Mode::kDisabled) {
  return fleet::Join(HealthyObservations(workers, mode));
}

}  // namespace eos::fakes
