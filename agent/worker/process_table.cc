#include "agent/worker/process_table.h"

#include <dirent.h>
#include <fcntl.h>
#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>

#include "common/base/words.h"

namespace eos::worker {
namespace {

constexpr std::string_view kPackage = "org.apache.kafka.connect.cli.";
constexpr std::string_view kDistributed = "org.apache.kafka.connect.cli.ConnectDistributed";
constexpr std::string_view kStandalone = "org.apache.kafka.connect.cli.ConnectStandalone";

// Files in /proc have no size and may go away at any moment: what cannot be read is empty.
std::string Contents(const std::string& path, size_t most) {
  std::string text;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  std::string chunk(65536, '\0');
  for (ssize_t count = 1; count > 0 && text.size() < most;) {
    count = read(fd, chunk.data(), chunk.size());
    if (count > 0) text.append(chunk, 0, static_cast<size_t>(count));
  }
  close(fd);
  return text;
}

std::vector<std::string> Arguments(const std::string& cmdline) {
  std::vector<std::string> arguments;
  for (size_t begin = 0; begin < cmdline.size();) {
    const size_t end = std::min(cmdline.find('\0', begin), cmdline.size());
    arguments.push_back(cmdline.substr(begin, end - begin));
    begin = end + 1;
  }
  return arguments;
}

struct Stat {
  char state = 'X';
  uint64_t start_ticks = 0;
};

// The command's name stands in parentheses and may hold any character: fields are counted behind the last
// ')'.
std::optional<Stat> ParseStat(const std::string& text) {
  const size_t close = text.rfind(')');
  if (close == std::string::npos || close + 2 >= text.size()) return std::nullopt;
  Stat stat;
  stat.state = text[close + 2];
  size_t at = close + 2;
  for (int field = 3; field < 22; ++field) {
    at = text.find(' ', at);
    if (at == std::string::npos) return std::nullopt;
    ++at;
  }
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), stat.start_ticks);
  if (error != std::errc()) return std::nullopt;
  return stat;
}

// Resolved as far as it exists; a process's relative argument counts from its own folder.
std::string Resolve(const std::string& path, const std::string& proc_of_pid) {
  std::error_code error;
  std::filesystem::path absolute = path;
  if (absolute.is_relative()) {
    const auto folder = std::filesystem::read_symlink(proc_of_pid + "/cwd", error);
    if (error) return path;
    absolute = folder / absolute;
  }
  const auto real = std::filesystem::weakly_canonical(absolute, error);
  return error ? absolute.string() : real.string();
}

}  // namespace

ProcessTable::ProcessTable(const Clock& clock, std::string proc) : clock_(clock), proc_(std::move(proc)) {}

StatusOr<std::string> ProcessTable::BootId() const {
  const std::string id(TrimAscii(Contents(proc_ + "/sys/kernel/random/boot_id", 4096)));
  if (!id.empty()) return id;
  return Err(Reason::kInternal,
             fmt::format("reading \"{}/sys/kernel/random/boot_id\": it cannot be read", proc_));
}

StatusOr<std::vector<ConnectProcess>> ProcessTable::Find() const {
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(opendir(proc_.c_str()), &closedir);
  if (!dir) return Err(Reason::kInternal, fmt::format("listing \"{}\": it cannot be read", proc_));
  EOS_ASSIGN_OR_RETURN(const std::string boot_id, BootId());
  const long ticks = sysconf(_SC_CLK_TCK);
  std::vector<ConnectProcess> found;
  while (const dirent* entry = readdir(dir.get())) {
    const std::string name = entry->d_name;
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string folder = proc_ + "/" + name;
    const std::string cmdline = Contents(folder + "/cmdline", 1U << 20U);
    if (cmdline.find(kPackage) == std::string::npos) continue;  // nearly all, cheaply
    const auto arguments = Arguments(cmdline);
    const auto main_class = std::find_if(arguments.begin(), arguments.end(),
                                         [](const auto& a) { return a == kDistributed || a == kStandalone; });
    // A shell or a wrapper that carries the same words is not the JVM: that one has its options in between,
    // and runs a program called java.
    if (main_class == arguments.end() || main_class == arguments.begin()) continue;
    if (!arguments.front().ends_with("java")) continue;
    const auto stat = ParseStat(Contents(folder + "/stat", 65536));
    if (!stat || stat->state == 'Z' || stat->state == 'X') continue;
    ConnectProcess process;
    process.facts.pid = std::stoi(name);
    process.facts.start_ticks = stat->start_ticks;
    process.facts.boot_id = boot_id;
    process.facts.started =
        clock_.Now() - clock_.SinceBoot() + Millis{static_cast<int64_t>(stat->start_ticks) * 1000 / ticks};
    process.facts.distributed = *main_class == kDistributed;
    if (main_class + 1 != arguments.end()) process.properties_file = Resolve(*(main_class + 1), folder);
    found.push_back(std::move(process));
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.facts.pid < b.facts.pid; });
  return found;
}

bool ProcessTable::Alive(const ProcessFacts& process) const {
  const auto stat = ParseStat(Contents(fmt::format("{}/{}/stat", proc_, process.pid), 65536));
  if (!stat || stat->state == 'Z' || stat->state == 'X' || stat->start_ticks != process.start_ticks)
    return false;
  const auto boot_id = BootId();
  return boot_id.ok() && *boot_id == process.boot_id;
}

}  // namespace eos::worker
