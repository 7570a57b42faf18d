// A file system in memory that can fail, or lose everything that follows, at any single step.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>

#include "common/files/file_system.h"

namespace eos::fakes {

// Thrown out of a step at which the program "dies": the test catches it and goes on with what is on disk.
struct Crash : std::runtime_error {
  Crash() : std::runtime_error("crash") {}
};

// Thread-safe but for its public members. Counts its changing steps; `fault` is asked before each with its
// number (from 1).
class FaultyFileSystem final : public FileSystem {
 public:
  enum class Fault { kNone, kFail, kCrashBefore, kCrashAfter, kTorn /* half is written, then a crash */ };

  std::function<Fault(int)> fault = [](int) { return Fault::kNone; };
  std::map<std::string, std::string> files;
  int steps = 0;
  std::function<Time()> now = [] { return Time{}; };  // for the times of files
  std::function<void(const std::string& path)> on_change = [](const std::string&) {
  };  // its content is new, or gone

  StatusOr<std::string> Read(const std::string& path, size_t) const override {
    const std::lock_guard lock(mutex_);
    const auto found = files.find(path);
    if (found == files.end()) return Err(Reason::kNotFound, "reading \"" + path + "\": not there");
    return found->second;
  }
  StatusOr<FileStat> Stat(const std::string& path) const override {
    const std::lock_guard lock(mutex_);
    const auto found = files.find(path);
    if (found == files.end()) return Err(Reason::kNotFound, "looking at \"" + path + "\": not there");
    FileStat stat;
    stat.size = found->second.size();
    if (const auto changed = changed_.find(path); changed != changed_.end()) {
      stat.mtime_ns = stat.ctime_ns = std::chrono::nanoseconds(changed->second.time_since_epoch()).count();
    }
    return stat;
  }
  StatusOr<std::string> RealPath(const std::string& path) const override { return path; }
  StatusOr<std::vector<std::string>> List(const std::string& directory) const override {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> names;
    for (const auto& [path, bytes] : files) {
      if (path.starts_with(directory + "/") && path.find('/', directory.size() + 1) == std::string::npos) {
        names.push_back(path.substr(directory.size() + 1));
      }
    }
    return names;
  }
  Status MakeDirectories(const std::string&, mode_t) override { return OkStatus(); }
  Status WriteNew(const std::string& path, std::string_view bytes) override {
    const std::lock_guard lock(mutex_);
    if (files.contains(path)) return Err(Reason::kStorageFailed, "creating \"" + path + "\": it exists");
    const Fault kind = Before();
    if (kind == Fault::kFail) {
      Put(path, bytes.substr(0, bytes.size() / 2));  // a full disk leaves a part behind
      return Err(Reason::kStorageFailed, "writing \"" + path + "\": No space left on device");
    }
    Put(path, kind == Fault::kTorn ? bytes.substr(0, bytes.size() / 2) : bytes);
    return After(kind);
  }
  Status CopyMetadata(const std::string&, const std::string&) override {
    const std::lock_guard lock(mutex_);
    const Fault kind = Before();
    if (kind == Fault::kFail) return Err(Reason::kStorageFailed, "copying metadata: not permitted");
    return After(kind);
  }
  Status Rename(const std::string& from, const std::string& to) override {
    const std::lock_guard lock(mutex_);
    const Fault kind = Before();
    if (kind == Fault::kFail) return Err(Reason::kStorageFailed, "renaming \"" + from + "\": not permitted");
    Put(to, files[from]);
    files.erase(from);
    return After(kind);
  }
  Status SyncDirectory(const std::string&) override {
    const std::lock_guard lock(mutex_);
    const Fault kind = Before();
    if (kind == Fault::kFail) return Err(Reason::kStorageFailed, "syncing: input/output error");
    return After(kind);
  }
  Status Remove(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    if (!files.contains(path)) return OkStatus();
    const Fault kind = Before();
    if (kind == Fault::kFail) return Err(Reason::kStorageFailed, "removing \"" + path + "\": not permitted");
    files.erase(path);
    on_change(path);
    return After(kind);
  }

  // As somebody else's write: nothing is counted, nothing fails.
  void Put(const std::string& path, std::string_view bytes) {
    files[path] = bytes;
    changed_[path] = now();
    on_change(path);
  }

 private:
  mutable std::recursive_mutex mutex_;
  std::map<std::string, Time> changed_;

  Fault Before() {
    const Fault kind = fault(++steps);
    if (kind == Fault::kCrashBefore) throw Crash();
    return kind;
  }
  static Status After(Fault kind) {
    if (kind == Fault::kCrashAfter || kind == Fault::kTorn) throw Crash();
    return OkStatus();
  }
};

}  // namespace eos::fakes
