// The file system, one primitive a method, so that a test can fail or lose any single step. Everything
// durable in both programs goes through it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/base/time.h"

namespace eos {

struct FileStat {
  uint64_t device = 0;
  uint64_t inode = 0;
  uint64_t size = 0;
  int64_t mtime_ns = 0;
  int64_t ctime_ns = 0;
  mode_t mode = 0;  // permission bits and type, as st_mode
  uid_t uid = 0;
  gid_t gid = 0;

  bool operator==(const FileStat&) const = default;
};

// Errors: kNotFound where the object does not exist; else kFileUnreadable for reading calls and
// kStorageFailed for writing ones, with the path and errno's text in the message. Thread-safe.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // The whole content. A file of more than `max_bytes` is refused, and so is anything but a regular file.
  virtual StatusOr<std::string> Read(const std::string& path, size_t max_bytes) const = 0;
  virtual StatusOr<FileStat> Stat(const std::string& path) const = 0;         // follows links
  virtual StatusOr<std::string> RealPath(const std::string& path) const = 0;  // all links resolved
  virtual StatusOr<std::vector<std::string>> List(const std::string& directory) const = 0;  // names, sorted

  virtual Status MakeDirectories(const std::string& path,
                                 mode_t mode) = 0;  // existing ones are left as they are
  // Creates `path`, which must not exist (O_EXCL, 0600 from its first moment), writes all bytes and syncs the
  // file.
  virtual Status WriteNew(const std::string& path, std::string_view bytes) = 0;
  // Gives `to` owner, group, mode, ACL and extended attributes (security label included) of `from`.
  virtual Status CopyMetadata(const std::string& from, const std::string& to) = 0;
  virtual Status Rename(const std::string& from, const std::string& to) = 0;
  virtual Status SyncDirectory(const std::string& path) = 0;
  virtual Status Remove(const std::string& path) = 0;  // a missing file is fine
};

class PosixFileSystem final : public FileSystem {
 public:
  StatusOr<std::string> Read(const std::string& path, size_t max_bytes) const override;
  StatusOr<FileStat> Stat(const std::string& path) const override;
  StatusOr<std::string> RealPath(const std::string& path) const override;
  StatusOr<std::vector<std::string>> List(const std::string& directory) const override;
  Status MakeDirectories(const std::string& path, mode_t mode) override;
  Status WriteNew(const std::string& path, std::string_view bytes) override;
  Status CopyMetadata(const std::string& from, const std::string& to) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status SyncDirectory(const std::string& path) override;
  Status Remove(const std::string& path) override;
};

}  // namespace eos
