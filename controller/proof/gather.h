// Asks everybody for the evidence that Verify judges: workers over their agents, and Kafka's topics. Reads
// only.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "common/base/clock.h"
#include "controller/fleet/agent_client.h"
#include "controller/fleet/background.h"
#include "controller/fleet/observer.h"
#include "controller/kafka/topic_reader.h"
#include "controller/proof/verify.h"

namespace eos::proof {

// Nothing in it is owned.
struct Sources {
  const std::map<std::string, fleet::AgentClient*>& agents;
  fleet::FleetObserver& observer;
  const kafka::TopicOpener& topics;
  fleet::Background& background;
  const Clock& clock;
  const fleet::StopFlag& stop;
};

// Blocks until everything that Verify could want is there, or `wait` has passed since the end of the
// transaction log was first reached (tasks commit when records come, or each offset.flush.interval.ms) or
// since it last gave something, or `stop` is set. `on_progress`: one line for people now and then. Never
// fails as a whole: what could not be had is told by the evidence.
Evidence Gather(const std::string& group_id, const Sources& sources, Millis wait,
                const std::function<void(const std::string&)>& on_progress);

// Reads the log from where `reader` stands, for at most `limit`; decodes and adds up. The number of records.
StatusOr<size_t> ReadLog(kafka::TopicReader& reader, Millis limit, Tally& tally);

}  // namespace eos::proof
