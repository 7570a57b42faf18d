// A Connect worker on a host, simulated: file, process, service, and what it does with the file at its start.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/operations/worker_host.h"
#include "common/files/sha256.h"
#include "tests/fakes/fake_clock.h"

namespace eos::fakes {

// By one thread at a time. The world moves in AwaitEvent only.
class FakeWorkerHost final : public operations::WorkerHost {
 public:
  explicit FakeWorkerHost(FakeClock& clock) : clock_(clock) {}

  // How it behaves.
  bool restarts_by_itself = true;
  Millis stop_takes{1'000};
  Millis start_takes{3'000};  // until REST answers
  std::function<Death(const std::string& bytes)>
      judge;                             // kUnknown: it lives; another: it dies of that at its start
  bool dies_silently = false;            // its log says nothing of what judge said
  std::atomic<bool> stop_hangs = false;  // may be changed by another thread
  Status refuse_start = OkStatus();
  Status refuse_write = OkStatus();
  std::function<void()> before_call;  // may throw Crash

  // What is true.
  std::string file;
  std::optional<ProcessFacts> process = ProcessFacts{100, 1, "boot", Time{}, true, true};
  int jvm_starts = 0;
  std::vector<std::string> contents;  // every content that the file ever had

  StatusOr<std::string> ReadFile() override {
    Call();
    return file;
  }
  Status ReplaceFile(const std::string& expected_sha256, const std::string& bytes) override {
    Call();
    if (!refuse_write.ok()) return refuse_write;
    if (Sha256Hex(file) != expected_sha256) return Err(Reason::kFileChanged, "somebody else changed it");
    file = bytes;
    contents.push_back(bytes);
    Call();
    return OkStatus();
  }
  StatusOr<std::optional<ProcessFacts>> Process() override { return process; }
  bool Alive(const ProcessFacts& p) override { return process && process->SameProcess(p); }
  StatusOr<ServiceState> Service() override {
    if (stopping_) return ServiceState::kStopping;
    if (process) return ServiceState::kRunning;
    return died_ == Death::kUnknown ? ServiceState::kStopped : ServiceState::kFailed;
  }
  bool RestartsByItself() const override { return restarts_by_itself; }
  Status RequestRestart() override {
    Call();
    restart_pending_ = true;
    return Stop();
  }
  Status RequestStop() override {
    Call();
    return Stop();
  }
  Status RequestStart() override {
    Call();
    if (!refuse_start.ok()) return refuse_start;
    if (!process) Start();
    Call();
    return OkStatus();
  }
  bool RestAnswers() override { return process && clock_.SinceBoot() >= rest_at_; }
  Death WhyDied(const ProcessFacts& of) override {
    return dies_silently || died_at_ < of.started ? Death::kUnknown : died_;
  }
  std::optional<int> ExitStatus() override { return std::nullopt; }
  void AwaitEvent(Millis limit) override {
    clock_.Advance(limit);
    Settle();
  }

  // The service manager goes on while no agent runs.
  void Pass(Millis time) {
    clock_.Advance(time);
    Settle();
  }
  bool Runs() const { return process.has_value(); }

 private:
  void Call() {
    if (before_call) before_call();
  }
  Status Stop() {
    if (process && !stopping_) {
      stopping_ = true;
      gone_at_ = clock_.SinceBoot() + stop_takes;
    }
    Call();
    return OkStatus();
  }
  void Start() {
    ++jvm_starts;
    process = ProcessFacts{
        100 + jvm_starts, static_cast<uint64_t>(1 + jvm_starts), "boot", clock_.Now(), true, true};
    rest_at_ = clock_.SinceBoot() + start_takes;
    const Death verdict = judge ? judge(file) : Death::kUnknown;
    if (verdict != Death::kUnknown) {
      dies_at_ = clock_.SinceBoot() + Millis{500};
      dies_of_ = verdict;
    } else {
      died_ = Death::kUnknown;
    }
  }
  void Settle() {
    if (stopping_ && !stop_hangs && clock_.SinceBoot() >= gone_at_) {
      stopping_ = false;
      process.reset();
      if (restart_pending_) {
        restart_pending_ = false;
        Start();
      }
    }
    if (dies_at_ && process && clock_.SinceBoot() >= *dies_at_) {
      process.reset();
      dies_at_.reset();
      died_ = dies_of_;
      died_at_ = clock_.Now();
    }
  }

  FakeClock& clock_;
  bool stopping_ = false;
  bool restart_pending_ = false;
  Millis gone_at_{};
  Millis rest_at_{};
  std::optional<Millis> dies_at_;
  Death dies_of_ = Death::kUnknown;
  Death died_ = Death::kUnknown;
  Time died_at_{};
};

}  // namespace eos::fakes
