#pragma once

#include <string>
#include <vector>

namespace eos::cli {

// The whole of eosctl; the exit code.
int Main(const std::vector<std::string>& arguments);

}  // namespace eos::cli
