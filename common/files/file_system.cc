#include "common/files/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "common/files/metadata.h"

namespace eos {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }

 private:
  int fd_;
};

Status Failed(Reason reason, const char* attempt, const std::string& path, int error) {
  if (error == ENOENT) reason = Reason::kNotFound;
  return Err(reason, fmt::format("{} \"{}\": {}", attempt, path, std::strerror(error)));
}

Status CannotRead(const char* attempt, const std::string& path, int error) {
  return Failed(Reason::kFileUnreadable, attempt, path, error);
}

Status CannotWrite(const char* attempt, const std::string& path, int error) {
  return Failed(Reason::kStorageFailed, attempt, path, error);
}

FileStat FromStat(const struct stat& s) {
  return {.device = s.st_dev,
          .inode = s.st_ino,
          .size = static_cast<uint64_t>(s.st_size),
          .mtime_ns = s.st_mtim.tv_sec * 1'000'000'000LL + s.st_mtim.tv_nsec,
          .ctime_ns = s.st_ctim.tv_sec * 1'000'000'000LL + s.st_ctim.tv_nsec,
          .mode = s.st_mode,
          .uid = s.st_uid,
          .gid = s.st_gid};
}

}  // namespace

StatusOr<std::string> PosixFileSystem::Read(const std::string& path, size_t max_bytes) const {
  // O_NONBLOCK: a FIFO in the file's place must not hold us up.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.ok()) return CannotRead("opening", path, errno);
  struct stat info {};
  if (fstat(file.get(), &info) != 0) return CannotRead("looking at", path, errno);
  if (!S_ISREG(info.st_mode)) {
    return Err(Reason::kFileUnreadable, fmt::format("opening \"{}\": it is not a regular file", path));
  }
  std::string bytes;
  std::string chunk(65536, '\0');
  while (bytes.size() <= max_bytes) {
    const ssize_t count = read(file.get(), chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return CannotRead("reading", path, errno);
    if (count == 0) return bytes;
    bytes.append(chunk, 0, static_cast<size_t>(count));
  }
  return Err(Reason::kFileUnreadable,
             fmt::format("reading \"{}\": it is larger than {} bytes", path, max_bytes));
}

StatusOr<FileStat> PosixFileSystem::Stat(const std::string& path) const {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return CannotRead("looking at", path, errno);
  return FromStat(info);
}

StatusOr<std::string> PosixFileSystem::RealPath(const std::string& path) const {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr), &std::free);
  if (!real) return CannotRead("resolving", path, errno);
  return std::string(real.get());
}

StatusOr<std::vector<std::string>> PosixFileSystem::List(const std::string& directory) const {
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(opendir(directory.c_str()), &closedir);
  if (!dir) return CannotRead("listing", directory, errno);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = readdir(dir.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
    errno = 0;
  }
  if (errno != 0) return CannotRead("listing", directory, errno);
  std::sort(names.begin(), names.end());
  return names;
}

Status PosixFileSystem::MakeDirectories(const std::string& path, mode_t mode) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (!part.empty() && mkdir(part.c_str(), mode) != 0 && errno != EEXIST) {
      return CannotWrite("making the folder", part, errno);
    }
    if (slash == std::string::npos) break;
  }
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return CannotWrite("looking at", path, errno);
  if (!S_ISDIR(info.st_mode)) return CannotWrite("making the folder", path, ENOTDIR);
  return OkStatus();
}

Status PosixFileSystem::WriteNew(const std::string& path, std::string_view bytes) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.ok()) return CannotWrite("creating", path, errno);
  while (!bytes.empty()) {
    const ssize_t count = write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return CannotWrite("writing", path, errno);
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  if (fsync(file.get()) != 0) return CannotWrite("syncing", path, errno);
  return OkStatus();
}

Status PosixFileSystem::CopyMetadata(const std::string& from, const std::string& to) {
  return files::CopyOwnerModeAndAttributes(from, to);
}

Status PosixFileSystem::Rename(const std::string& from, const std::string& to) {
  if (rename(from.c_str(), to.c_str()) != 0) return CannotWrite("renaming", from, errno);
  return OkStatus();
}

Status PosixFileSystem::SyncDirectory(const std::string& path) {
  const Descriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.ok()) return CannotWrite("opening the folder", path, errno);
  if (fsync(folder.get()) != 0) return CannotWrite("syncing the folder", path, errno);
  return OkStatus();
}

Status PosixFileSystem::Remove(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) return CannotWrite("removing", path, errno);
  return OkStatus();
}

}  // namespace eos
