#include <spdlog/fmt/fmt.h>
#include <systemd/sd-journal.h>

#include <algorithm>
#include <cstring>

#include "agent/worker/log_sources.h"

namespace eos::worker {
namespace {

struct JournalClosed {
  void operator()(sd_journal* journal) const { sd_journal_close(journal); }
};

class Journal final : public LogSource {
 public:
  explicit Journal(std::string unit) : unit_(std::move(unit)) {}

  StatusOr<std::vector<std::string>> Tail(const ProcessFacts& process, size_t max_bytes) override {
    sd_journal* raw = nullptr;
    const int opened = sd_journal_open(&raw, SD_JOURNAL_LOCAL_ONLY | SD_JOURNAL_SYSTEM);
    const std::unique_ptr<sd_journal, JournalClosed> journal(raw);
    if (opened < 0) return Cannot(opened);
    const std::string match = "_SYSTEMD_UNIT=" + unit_;
    sd_journal_add_match(raw, match.c_str(), match.size());
    if (const int sought = sd_journal_seek_tail(raw); sought < 0) return Cannot(sought);
    std::vector<std::string> lines;
    size_t bytes = 0;
    uint64_t oldest = 0;
    const auto since =
        std::chrono::duration_cast<std::chrono::microseconds>(process.started.time_since_epoch());
    while (bytes < max_bytes && sd_journal_previous(raw) > 0) {
      uint64_t usec = 0;
      if (sd_journal_get_realtime_usec(raw, &usec) < 0) continue;
      if (std::chrono::microseconds{usec} + std::chrono::seconds{1} < since) break;
      const void* data = nullptr;
      size_t size = 0;
      constexpr size_t kField = sizeof("MESSAGE=") - 1;
      if (sd_journal_get_data(raw, "MESSAGE", &data, &size) < 0 || size < kField) continue;
      std::string text(static_cast<const char*>(data) + kField, size - kField);
      bytes += text.size();
      lines.push_back(std::move(text));
      oldest = usec;
    }
    // The worker's lines have time stamps of their own; those before the first such one take the journal's.
    lines.push_back(FormatUtc(Time{Millis{static_cast<int64_t>(oldest / 1000)}}));
    std::reverse(lines.begin(), lines.end());
    return lines;
  }

 private:
  Status Cannot(int error) const {
    return Err(Reason::kFileUnreadable,
               fmt::format("reading the journal of \"{}\": {}", unit_, std::strerror(-error)),
               "let the user of eos-agent read the journal: usermod -aG systemd-journal eos-agent");
  }

  const std::string unit_;
};

}  // namespace

std::unique_ptr<LogSource> NewJournal(std::string unit) { return std::make_unique<Journal>(std::move(unit)); }

}  // namespace eos::worker
