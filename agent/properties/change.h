// What an operation does to the two allowed keys, decided on the file's bytes. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/base/error.h"
#include "common/base/time.h"
#include "common/model/mode.h"
#include "common/model/operation.h"
#include "common/model/worker_facts.h"

namespace eos::properties {

// The part of FileFacts that follows from the bytes: digest, modes, delays, warnings (shadowed entries, a
// byte-order mark, a key in other letter case, marks of configuration management). An allowed key whose value
// Kafka would refuse, or that comes from a config provider, leaves the field absent and adds a problem
// (kFileValueInvalid, kFileIndirect). kFileUnparsable as Document::Parse. `changed` is left alone.
StatusOr<FileFacts> FactsOf(std::string_view bytes, std::vector<Problem>& problems);

struct Change {
  std::string bytes;  // the file afterwards; equal to the input where nothing needs changing
  std::optional<TemporaryDelay>
      temporary;  // what must be remembered from now on (`since` left to the caller)
};

// `remembered`: what an earlier operation put in place of the user's delay, if that has not been put back
// yet; a second kSetTemporary keeps the first one's original. kPutBack with nothing remembered changes
// nothing. A value that says the same to Kafka in another spelling is left alone. Errors: kFileUnparsable;
// kFileIndirect where a key to be changed comes from a config provider.
StatusOr<Change> Apply(std::string_view bytes, std::optional<Mode> mode, DelayChange delay,
                       Millis temporary_delay, const std::optional<TemporaryDelay>& remembered, Time now);

}  // namespace eos::properties
