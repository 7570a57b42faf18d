// What exactly-once depends on in a connector's configuration, read off REST's answers. Pure; nothing is
// trusted.
#pragma once

#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/model/connectors.h"

namespace eos::worker {

// GET /connectors/NAME/config. Of everything else in it nothing is kept. kRestUnavailable where it is not
// such an answer.
StatusOr<ConnectorSettings> SettingsFrom(const std::string& config);

// GET /connectors/NAME/topics; sorted, empty where it is not such an answer.
std::vector<std::string> TopicsFrom(const std::string& body, const std::string& connector);

}  // namespace eos::worker
