#pragma once

#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/time.h"

namespace eos::service {

// Runs a program without a shell, in a process group of its own, and waits for it (not for what it leaves
// behind). Returns its exit status, 128 + N when signal N ended it. kServiceFailed: it could not be started,
// or did not end within `limit` and was killed.
StatusOr<int> RunCommand(const std::vector<std::string>& arguments, Millis limit);

}  // namespace eos::service
