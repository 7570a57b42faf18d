#include <fcntl.h>
#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "agent/worker/log_sources.h"

namespace eos::worker {
namespace {

class LogFile final : public LogSource {
 public:
  explicit LogFile(std::string path) : path_(std::move(path)) {}

  StatusOr<std::vector<std::string>> Tail(const ProcessFacts&, size_t max_bytes) override {
    const int fd = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return Cannot(errno);
    struct stat info {};
    const bool regular = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    const auto size = static_cast<size_t>(info.st_size);
    const size_t begin = size > max_bytes ? size - max_bytes : 0;
    std::string text(size - begin, '\0');
    const ssize_t count = regular ? pread(fd, text.data(), text.size(), static_cast<off_t>(begin)) : -1;
    const int error = regular ? errno : EINVAL;
    close(fd);
    if (count < 0) return Cannot(error);
    text.resize(static_cast<size_t>(count));
    if (begin > 0) text.erase(0, text.find('\n') + 1);  // the first line is cut
    return Lines(text);
  }

 private:
  Status Cannot(int error) const {
    return Err(Reason::kFileUnreadable,
               fmt::format("reading the worker's log \"{}\": {}", path_, std::strerror(error)),
               "correct \"log\" in eos-agent's configuration, or let its user read that file");
  }

  static std::vector<std::string> Lines(const std::string& text) {
    std::vector<std::string> lines;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      lines.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return lines;
  }

  const std::string path_;
};

}  // namespace

std::unique_ptr<LogSource> NewLogFile(std::string path) { return std::make_unique<LogFile>(std::move(path)); }

}  // namespace eos::worker
