// Values of common/model to messages of eos.agent.v1 and back. Both programs' edges use it and nothing else
// knows both. What comes from the wire is checked: unknown numbers become the "unknown" value, never a
// default that means something; a message without what it must hold is kInvalidArgument.
#pragma once

#include <vector>

#include "common/base/error.h"
#include "common/model/connectors.h"
#include "common/model/host_report.h"
#include "common/model/lease.h"
#include "common/model/operation.h"
#include "common/model/worker_facts.h"
#include "eos/agent/v1/agent.pb.h"

namespace eos::wire {

namespace v1 = ::eos::agent::v1;

v1::Failure ToWire(const Problem& problem);
v1::WorkerFacts ToWire(const WorkerFacts& facts);
v1::AgentFacts ToWire(const AgentFacts& facts);
v1::Lease ToWire(const Lease& lease);
v1::Operation ToWire(const OperationRequest& request);
v1::OperationRecord ToWire(const OperationRecord& record);
v1::ConnectorStatus ToWire(const ConnectorStatus& status);
v1::ConnectorSettings ToWire(const ConnectorSettings& settings);
v1::ProbeResult ToWire(Probe probe);
v1::Reachability ToWire(const Reachability& reachability);

Problem FromWire(const v1::Failure& failure);
WorkerFacts FromWire(const v1::WorkerFacts& facts);
AgentFacts FromWire(const v1::AgentFacts& facts);
Lease FromWire(const v1::Lease& lease);
StatusOr<OperationRequest> FromWire(const v1::Operation& operation);
StatusOr<OperationRecord> FromWire(const v1::OperationRecord& record);
ConnectorStatus FromWire(const v1::ConnectorStatus& status);
ConnectorSettings FromWire(const v1::ConnectorSettings& settings);
Probe FromWire(v1::ProbeResult probe);
Reachability FromWire(const v1::Reachability& reachability);

// Only scheme, host and port travel. kInvalidArgument for anything else in the URL, or a range or character
// that no host name has.
StatusOr<v1::WorkerAddress> AddressOf(const std::string& url);
StatusOr<std::string> UrlOf(const v1::WorkerAddress& address);

}  // namespace eos::wire
