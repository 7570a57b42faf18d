#pragma once

#include <string>
#include <string_view>

namespace eos {

std::string Sha256Hex(std::string_view bytes);  // lower-case hex, 64 characters

}  // namespace eos
