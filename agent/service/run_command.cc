#include "agent/service/run_command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <spdlog/fmt/fmt.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace eos::service {
namespace {

Status CannotStart(const std::string& program, int error) {
  return Err(Reason::kServiceFailed, fmt::format("running \"{}\": {}", program, std::strerror(error)));
}

struct SpawnSettings {
  posix_spawn_file_actions_t files{};
  posix_spawnattr_t attributes{};

  SpawnSettings() {
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    // Our own threads block signals for sigwait; the command must not inherit that.
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
};

// True when the process ended within the limit. pidfd_open(2), Linux 5.3.
bool AwaitEnd(pid_t pid, Millis limit) {
  const int fd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (fd < 0) return false;
  pollfd wait{fd, POLLIN, 0};
  const int ready = poll(&wait, 1, static_cast<int>(limit.count()));
  close(fd);
  return ready > 0;
}

int Reap(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

StatusOr<int> RunCommand(const std::vector<std::string>& arguments, Millis limit) {
  std::vector<std::string> copies = arguments;
  std::vector<char*> argv;
  argv.reserve(copies.size() + 1);
  for (std::string& argument : copies) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::string path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  std::string lang = "LANG=C.UTF-8";
  char* environment[] = {path.data(), lang.data(), nullptr};

  const SpawnSettings settings;
  pid_t pid = 0;
  const int error =
      posix_spawn(&pid, argv.front(), &settings.files, &settings.attributes, argv.data(), environment);
  if (error != 0) return CannotStart(arguments.front(), error);
  if (AwaitEnd(pid, limit)) return Reap(pid);
  kill(-pid, SIGKILL);
  Reap(pid);
  return Err(Reason::kServiceFailed, fmt::format("running \"{}\": it did not end within {} and was killed",
                                                 arguments.front(), FormatDuration(limit)));
}

}  // namespace eos::service
