// The envelope of every record on disk: its format and a digest of its content, so that what is truncated,
// altered or foreign is noticed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "common/base/error.h"

namespace eos::operations {

// `format`: "connect-eos/operation/1". `content` must be an object.
std::string Seal(std::string_view format, const nlohmann::json& content);

// kLedgerDamaged with `path` in the message.
StatusOr<nlohmann::json> Unseal(std::string_view format, const std::string& bytes, const std::string& path);

Status Damaged(const std::string& path, std::string_view why);

}  // namespace eos::operations
