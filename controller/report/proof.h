// What was proven, for people and for programs. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "controller/proof/verify.h"

namespace eos::report {

// "Exactly-once holds since …", or why that cannot be said; then workers, tasks, and the evidence that is
// missing.
std::string VerificationText(const proof::Verification& verification, const std::string& fleet, bool colour);
nlohmann::json VerificationJson(const proof::Verification& verification, const std::string& fleet);

}  // namespace eos::report
