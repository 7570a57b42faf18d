// Replaces or creates a file so that at every instant, and after a crash at any instant, it holds the old
// bytes or the new ones (S3): temporary file in the same folder, fsync, metadata, rename, fsync of the
// folder.
#pragma once

#include <string>
#include <string_view>

#include "common/files/file_system.h"

namespace eos {

// Name of the temporary file for `path`: ".NAME.connect-eos-tmp" in the same folder. Only one writer at a
// time may replace a path; a left-over of a crash is removed by the next call and by RemoveLeftOver.
std::string TemporaryPathFor(const std::string& path);

// `path` must not be a link (resolve it first). An existing file passes its owner, mode, ACL and attributes
// on; a new one is 0600. On any error the old file is untouched and no temporary file stays behind (where it
// can be removed).
Status AtomicReplace(FileSystem& files, const std::string& path, std::string_view bytes);

// After a crash: removes the temporary file of `path`, if there is one.
Status RemoveLeftOver(FileSystem& files, const std::string& path);

}  // namespace eos
