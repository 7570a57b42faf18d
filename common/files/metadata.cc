#include "common/files/metadata.h"

#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace eos::files {
namespace {

Status Failed(const std::string& what, const std::string& path, int error) {
  return Err(Reason::kStorageFailed, fmt::format("{} \"{}\": {}", what, path, std::strerror(error)));
}

// Attributes that the kernel keeps by itself.
bool KernelsOwn(const std::string& name) {
  return name == "security.ima" || name == "security.evm" || name == "security.capability";
}

Status CopyAttribute(const std::string& from, const std::string& to, const std::string& name) {
  const ssize_t size = getxattr(from.c_str(), name.c_str(), nullptr, 0);
  if (size < 0)
    return errno == ENODATA ? OkStatus() : Failed("reading attribute " + name + " of", from, errno);
  std::string value(static_cast<size_t>(size), '\0');
  const ssize_t got = getxattr(from.c_str(), name.c_str(), value.data(), value.size());
  if (got < 0) return Failed("reading attribute " + name + " of", from, errno);
  value.resize(static_cast<size_t>(got));
  std::string present(value.size() + 1, '\0');
  const ssize_t has = getxattr(to.c_str(), name.c_str(), present.data(), present.size());
  if (has == got && present.compare(0, value.size(), value) == 0) return OkStatus();
  if (setxattr(to.c_str(), name.c_str(), value.data(), value.size(), 0) != 0) {
    return Failed("copying attribute " + name + " to", to, errno);
  }
  return OkStatus();
}

Status CopyAttributes(const std::string& from, const std::string& to) {
  const ssize_t size = listxattr(from.c_str(), nullptr, 0);
  if (size < 0) return errno == ENOTSUP ? OkStatus() : Failed("listing attributes of", from, errno);
  std::string names(static_cast<size_t>(size), '\0');
  const ssize_t got = size == 0 ? 0 : listxattr(from.c_str(), names.data(), names.size());
  if (got < 0) return Failed("listing attributes of", from, errno);
  names.resize(static_cast<size_t>(got));
  for (size_t begin = 0; begin < names.size();) {
    const std::string name = names.c_str() + begin;
    begin += name.size() + 1;
    if (!KernelsOwn(name)) EOS_RETURN_IF_ERROR(CopyAttribute(from, to, name));
  }
  return OkStatus();
}

}  // namespace

Status CopyOwnerModeAndAttributes(const std::string& from, const std::string& to) {
  struct stat info {};
  if (stat(from.c_str(), &info) != 0) return Failed("looking at", from, errno);
  struct stat ours {};
  if (stat(to.c_str(), &ours) != 0) return Failed("looking at", to, errno);
  if ((ours.st_uid != info.st_uid || ours.st_gid != info.st_gid) &&
      chown(to.c_str(), info.st_uid, info.st_gid) != 0) {
    return Failed("giving the owner of \"" + from + "\" to", to, errno);
  }
  EOS_RETURN_IF_ERROR(CopyAttributes(from, to));
  // After the ACL, whose mask the group bits are (acl(5)), and after chown, which clears set-id bits
  // (chown(2)).
  if (chmod(to.c_str(), info.st_mode & 07777U) != 0)
    return Failed("giving the mode of \"" + from + "\" to", to, errno);
  return OkStatus();
}

}  // namespace eos::files
