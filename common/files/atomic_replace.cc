#include "common/files/atomic_replace.h"

namespace eos {
namespace {

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Status WriteAndRename(FileSystem& files, const std::string& path, const std::string& temporary,
                      std::string_view bytes) {
  EOS_RETURN_IF_ERROR(files.WriteNew(temporary, bytes));
  const auto existing = files.Stat(path);
  if (existing.ok()) {
    EOS_RETURN_IF_ERROR(files.CopyMetadata(path, temporary));
  } else if (ReasonOf(existing.status()) != Reason::kNotFound) {
    return existing.status();
  }
  return files.Rename(temporary, path);
}

}  // namespace

std::string TemporaryPathFor(const std::string& path) {
  const size_t slash = path.rfind('/');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  return path.substr(0, name) + "." + path.substr(name) + ".connect-eos-tmp";
}

Status AtomicReplace(FileSystem& files, const std::string& path, std::string_view bytes) {
  const std::string temporary = TemporaryPathFor(path);
  EOS_RETURN_IF_ERROR(files.Remove(temporary));
  if (Status written = WriteAndRename(files, path, temporary, bytes); !written.ok()) {
    // The first error is the one to tell; what cannot be removed now is by the next call.
    files.Remove(temporary).IgnoreError();
    return written;
  }
  // After the rename there is no way back: the new bytes are in force whether or not the folder can be
  // synced.
  return files.SyncDirectory(FolderOf(path));
}

Status RemoveLeftOver(FileSystem& files, const std::string& path) {
  return files.Remove(TemporaryPathFor(path));
}

}  // namespace eos
