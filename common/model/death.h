#pragma once

namespace eos {

// Why a worker's process went away, by its last words.
enum class Death {
  kUnknown,         // nothing said
  kConfigRejected,  // ConfigException / IllegalArgumentException after "Stopping due to error"
  kKafkaUnreachable,
  kOther,
};

}  // namespace eos
