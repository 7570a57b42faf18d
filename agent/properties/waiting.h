// What a restart would put in force besides the keys that the agent changes. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace eos::properties {

// Keys of the file `bytes` to which it gives another value than `parsed`, the values that the running process
// printed of its configuration (AbstractConfig prints what it made of them: lists in brackets, passwords as
// [hidden]). Sorted names. Left out: the keys that the agent changes; keys that are not printed (those of
// producers, consumers and plugins); passwords; values from config providers or with characters outside of
// ASCII; a key that was taken out of the file, whose default is not known here. Empty for a file that Kafka
// could not load.
std::vector<std::string> WaitingEdits(std::string_view bytes,
                                      const std::map<std::string, std::string>& parsed);

}  // namespace eos::properties
