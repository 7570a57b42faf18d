#include "controller/cli/signals.h"

#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "common/base/reason.h"

namespace eos::cli {
namespace {

void Say(const char* text) {
  const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
  static_cast<void>(written);
}

}  // namespace

void StopOnSignal(fleet::StopFlag& stop) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  std::thread([signals, &stop] {
    int number = 0;
    while (sigwait(&signals, &number) != 0) {
    }
    stop = true;
    Say("\neosctl: stopping; nothing new is begun (again to leave at once)\n");
    while (sigwait(&signals, &number) != 0) {
    }
    Say("eosctl: left; an agent finishes by itself what it has begun. The lease runs out by itself.\n");
    _exit(static_cast<int>(ExitCode::kInterrupted));
  }).detach();
}

}  // namespace eos::cli
