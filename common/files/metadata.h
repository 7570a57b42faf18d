#pragma once

#include <string>

#include "common/base/error.h"

namespace eos::files {

// Owner, group, extended attributes (POSIX ACLs and security labels are such: acl(5), xattr(7)) and
// permission bits, in an order in which `to` is never open to more than `from`. `to` must be a fresh file of
// mode 0600. What `from` has and `to` cannot get is an error (kStorageFailed); a file system without
// attributes has none to copy.
Status CopyOwnerModeAndAttributes(const std::string& from, const std::string& to);

}  // namespace eos::files
