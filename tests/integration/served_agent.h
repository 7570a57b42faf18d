// A whole agent on a free port over real mutual TLS: real files, ledger, runner and gRPC; the worker's
// process, service, log and REST are fakes.
#pragma once

#include <gmock/gmock.h>

#include <memory>

#include "agent/rpc/server.h"
#include "controller/rpc/agent_client.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_worker_host.h"
#include "tests/fakes/fake_worker_parts.h"
#include "tests/fakes/temp_dir.h"
#include "tests/fakes/test_pki.h"

namespace eos {

inline constexpr char kSession[] = "aaaaaaaaaaaaaaaa";

class ServedAgent : public testing::Test {
 protected:
  ServedAgent()
      : properties(dir.Write("w1.properties",
                             "ssl.key.password=Tr0ub4dor-test\nexactly.once.source.support=disabled\n")) {
    std::filesystem::create_directories(dir / "proc/sys/kernel/random");
    dir.Write("proc/sys/kernel/random/boot_id", "boot-1\n");
    auto own_service = std::make_unique<fakes::FakeService>();
    auto own_rest = std::make_unique<fakes::FakeRest>();
    service = own_service.get();
    rest = own_rest.get();
    worker = std::make_unique<host::ConfiguredWorker>(
        host::WorkerIdentity{"w1", "payments", "http://c1:8083/", properties}, files, processes,
        std::move(own_service), nullptr, std::move(own_rest));
    neighbour = std::make_unique<host::ConfiguredWorker>(
        host::WorkerIdentity{"w2", "orders", "http://c1:8084/",
                             dir.Write("w2.properties", "exactly.once.source.support=enabled\n")},
        files, processes, std::make_unique<fakes::FakeService>(), nullptr,
        std::make_unique<fakes::FakeRest>());
    simulated.file = dir.Read("w1.properties");
    runner = std::make_unique<operations::Runner>(
        ledger, leases, clock,
        std::vector<operations::DeskWorker>{{"w1", "payments", &simulated},
                                            {"w2", "orders", &simulated_neighbour}});
  }

  Status Serve(const tls::Files& certificates, Millis refresh = Millis{100}) {
    auto started = rpc::AgentServer::Start(
        {*runner, leases, ledger, real_clock, {worker.get(), neighbour.get()}, "boot-1", {}},
        {.listen = "127.0.0.1:0",
         .tls = certificates,
         .runtime_directory = dir / "run",
         .tls_refresh = refresh,
         .callers = {"spiffe://test/operator/*", "dns:jump1.example"},
         .report_every = Millis{50}});
    if (!started.ok()) return started.status();
    server = *std::move(started);
    return OkStatus();
  }

  std::unique_ptr<fleet::AgentClient> Client(const tls::Files& certificates,
                                             const std::string& tls_name = "") const {
    return rpc::NewAgentClient({"c1", "127.0.0.1:" + std::to_string(server->port()), tls_name},
                               {certificates.certificate, certificates.key, certificates.ca}, Millis{3'000});
  }
  tls::Files Operator(const std::string& name = "alice") const {
    return pki.Issue({.name = name, .san = "URI:spiffe://test/operator/" + name});
  }

  OperationRequest Request(const std::string& id, uint64_t epoch) const {
    OperationRequest request;
    request.id = id;
    request.worker = "w1";
    request.lease_session = kSession;
    request.lease_epoch = epoch;
    request.expected_sha256 = Sha256Hex(simulated.file);
    request.mode = Mode::kPreparing;
    return request;
  }

  fakes::TestPki pki;
  fakes::TempDir dir;
  std::string properties;
  fakes::FakeClock clock;
  RealClock real_clock;
  PosixFileSystem files;
  operations::Ledger ledger{files, dir / "state"};
  bool opened = ledger.Open().ok();
  operations::LeaseBook leases{ledger, clock, "boot-1"};
  worker::ProcessTable processes{clock, dir / "proc"};
  fakes::FakeService* service = nullptr;
  fakes::FakeRest* rest = nullptr;
  std::unique_ptr<host::ConfiguredWorker> worker;
  std::unique_ptr<host::ConfiguredWorker> neighbour;
  fakes::FakeWorkerHost simulated{clock};
  fakes::FakeWorkerHost simulated_neighbour{clock};
  std::unique_ptr<operations::Runner> runner;
  std::unique_ptr<rpc::AgentServer> server;
};

}  // namespace eos
