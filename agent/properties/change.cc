#include "agent/properties/change.h"

#include "agent/properties/properties.h"
#include "agent/properties/values.h"

namespace eos::properties {
namespace {

Status RefuseIndirect(const Document& document, std::string_view key) {
  const Entry* entry = document.Find(key);
  if (entry && IsIndirect(document.Value(*entry))) return Err(IndirectProblem(key, entry->line));
  return OkStatus();
}

std::optional<Millis> CurrentDelay(const Document& document) {
  const Entry* entry = document.Find(kDelayKey);
  return entry ? ParseDelay(document.Value(*entry)) : std::nullopt;
}

Status SetMode(const Document& document, Mode mode, Edits& edits) {
  EOS_RETURN_IF_ERROR(RefuseIndirect(document, kModeKey));
  const Entry* entry = document.Find(kModeKey);
  // An absent key means disabled already, but what is asked for is to say so.
  if (!entry || ParseMode(document.Value(*entry)) != mode) edits.Set(kModeKey, ToString(mode));
  return OkStatus();
}

// Gives what must be remembered from now on.
StatusOr<std::optional<TemporaryDelay>> SetTemporary(const Document& document, Millis value,
                                                     const std::optional<TemporaryDelay>& remembered,
                                                     Time now, Edits& edits) {
  EOS_RETURN_IF_ERROR(RefuseIndirect(document, kDelayKey));
  const std::optional<Millis> current = CurrentDelay(document);
  if (current != value) edits.Set(kDelayKey, std::to_string(value.count()));
  // What is remembered holds only as long as the file says what we wrote; otherwise somebody has decided
  // anew.
  if (remembered && current == remembered->value) {
    return std::optional(TemporaryDelay{value, remembered->original, remembered->since});
  }
  if (current == value) return std::optional<TemporaryDelay>();
  TemporaryDelay temporary{value, std::nullopt, now};
  if (const Entry* entry = document.Find(kDelayKey)) temporary.original = document.RawValue(*entry);
  return std::optional(std::move(temporary));
}

void PutBack(const Document& document, const std::optional<TemporaryDelay>& remembered, Edits& edits) {
  // If the file holds another value than ours, somebody has decided anew: theirs stays.
  if (!remembered || CurrentDelay(document) != remembered->value) return;
  if (remembered->original) {
    edits.Set(kDelayKey, *remembered->original);
  } else {
    edits.Remove(kDelayKey);
  }
}

}  // namespace

StatusOr<Change> Apply(std::string_view bytes, std::optional<Mode> mode, DelayChange delay,
                       Millis temporary_delay, const std::optional<TemporaryDelay>& remembered, Time now) {
  EOS_ASSIGN_OR_RETURN(const Document document, Document::Parse(std::string(bytes)));
  Edits edits(document);
  if (mode) EOS_RETURN_IF_ERROR(SetMode(document, *mode, edits));
  std::optional<TemporaryDelay> temporary;
  switch (delay) {
    case DelayChange::kKeep:
      temporary = remembered;
      break;
    case DelayChange::kSetTemporary: {
      EOS_ASSIGN_OR_RETURN(temporary, SetTemporary(document, temporary_delay, remembered, now, edits));
      break;
    }
    case DelayChange::kPutBack:
      PutBack(document, remembered, edits);
      break;
  }
  return Change{edits.Apply(), std::move(temporary)};
}

}  // namespace eos::properties
