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

StatusOr<std::string> WithMode(std::string bytes, Mode mode) {
  EOS_ASSIGN_OR_RETURN(const Document document, Document::Parse(std::move(bytes)));
  EOS_RETURN_IF_ERROR(RefuseIndirect(document, kModeKey));
  const Entry* entry = document.Find(kModeKey);
  if (entry && ParseMode(document.Value(*entry)) == mode) return document.bytes();
  // An absent key means disabled already, but what is asked for is to say so.
  return WithValue(document, kModeKey, ToString(mode));
}

std::optional<Millis> CurrentDelay(const Document& document) {
  const Entry* entry = document.Find(kDelayKey);
  return entry ? ParseDelay(document.Value(*entry)) : std::nullopt;
}

StatusOr<Change> SetTemporary(std::string bytes, Millis value,
                              const std::optional<TemporaryDelay>& remembered, Time now) {
  EOS_ASSIGN_OR_RETURN(const Document document, Document::Parse(std::move(bytes)));
  EOS_RETURN_IF_ERROR(RefuseIndirect(document, kDelayKey));
  Change change;
  const bool same = CurrentDelay(document) == value;
  change.bytes = same ? document.bytes() : WithValue(document, kDelayKey, std::to_string(value.count()));
  // What is remembered holds only as long as the file says what we wrote; otherwise somebody has decided
  // anew.
  if (remembered && CurrentDelay(document) == remembered->value) {
    change.temporary = TemporaryDelay{value, remembered->original, remembered->since};
  } else if (!same) {
    change.temporary = TemporaryDelay{value, std::nullopt, now};
    if (const Entry* entry = document.Find(kDelayKey)) change.temporary->original = document.RawValue(*entry);
  }
  return change;
}

StatusOr<Change> PutBack(std::string bytes, const std::optional<TemporaryDelay>& remembered) {
  EOS_ASSIGN_OR_RETURN(const Document document, Document::Parse(std::move(bytes)));
  Change change;
  // If the file holds another value than ours, somebody has decided anew: theirs stays.
  if (!remembered || CurrentDelay(document) != remembered->value) {
    change.bytes = document.bytes();
  } else if (remembered->original) {
    change.bytes = WithValue(document, kDelayKey, *remembered->original);
  } else {
    change.bytes = WithoutEntry(document, kDelayKey);
  }
  return change;
}

}  // namespace

StatusOr<Change> Apply(std::string_view bytes, std::optional<Mode> mode, DelayChange delay,
                       Millis temporary_delay, const std::optional<TemporaryDelay>& remembered, Time now) {
  std::string text(bytes);
  if (mode) {
    EOS_ASSIGN_OR_RETURN(text, WithMode(std::move(text), *mode));
  } else {
    EOS_RETURN_IF_ERROR(Document::Parse(text).status());
  }
  switch (delay) {
    case DelayChange::kKeep:
      return Change{std::move(text), remembered};
    case DelayChange::kSetTemporary:
      return SetTemporary(std::move(text), temporary_delay, remembered, now);
    case DelayChange::kPutBack:
      return PutBack(std::move(text), remembered);
  }
  return Err(Reason::kInternal, "unknown change of the delay");
}

}  // namespace eos::properties
