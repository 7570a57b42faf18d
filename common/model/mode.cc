#include "common/model/mode.h"

#include "common/base/words.h"

namespace eos {

std::optional<Mode> ParseMode(std::string_view text) {
  const std::string_view word = TrimAscii(text);
  for (const Mode mode : {Mode::kDisabled, Mode::kPreparing, Mode::kEnabled}) {
    if (EqualsIgnoreCase(word, ToString(mode))) return mode;
  }
  return std::nullopt;
}

std::string_view ToString(Mode mode) {
  switch (mode) {
    case Mode::kDisabled:
      return "disabled";
    case Mode::kPreparing:
      return "preparing";
    case Mode::kEnabled:
      return "enabled";
  }
  return "?";
}

}  // namespace eos
