// What Connect's REST answers, read. Pure; nothing from the wire is trusted.
#pragma once

#include <string>
#include <vector>

#include "agent/worker/rest_client.h"

namespace eos::worker {

// GET /connectors?expand=status&expand=info. kRestUnavailable where it is not such an answer. In order of
// names.
StatusOr<std::vector<ConnectorStatus>> ConnectorsFrom(const std::string& body);

// GET /: version and cluster id into `facts`; false where it is not such an answer.
bool ReadRoot(const std::string& body, RestFacts& facts);

// PUT …/config/validate with exactly.once.support=required: what the errors of that one property say
// (measured on 4.0.0; the texts are those of DistributedHerder).
Probe ProbeFrom(const std::string& body);

// The body for that: `config` is GET /connectors/NAME/config, or empty for a class of its own.
StatusOr<std::string> ProbeBody(const std::string& config, const std::string& connector_class);
StatusOr<std::string> ClassFrom(const std::string& config);

}  // namespace eos::worker
