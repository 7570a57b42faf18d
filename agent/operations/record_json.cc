#include "agent/operations/record_json.h"

#include <array>

namespace eos::operations {

using nlohmann::json;

namespace {

// Enums are kept by their names: a number would change its meaning with the code.
template <typename T, size_t N>
T ByName(const json& value, const std::array<T, N>& all) {
  const auto& name = value.get_ref<const std::string&>();
  for (const T candidate : all) {
    if (ToString(candidate) == name) return candidate;
  }
  throw json::other_error::create(501, "unknown name", &value);
}

constexpr std::array kModes{Mode::kDisabled, Mode::kPreparing, Mode::kEnabled};
constexpr std::array kDelays{DelayChange::kKeep, DelayChange::kSetTemporary, DelayChange::kPutBack};
constexpr std::array kSteps{OperationStep::kAccepted, OperationStep::kBackedUp,  OperationStep::kFileReplaced,
                            OperationStep::kStopping, OperationStep::kStarting,  OperationStep::kProcessUp,
                            OperationStep::kRestUp,   OperationStep::kRestoring, OperationStep::kRestarting,
                            OperationStep::kFinished};
constexpr std::array kOutcomes{OperationOutcome::kPending, OperationOutcome::kDone,
                               OperationOutcome::kUnchanged, OperationOutcome::kRolledBack,
                               OperationOutcome::kFailed};

int64_t Ms(Time t) { return t.time_since_epoch().count(); }
Time TimeOf(const json& value) { return Time{Millis{value.get<int64_t>()}}; }
Millis MillisOf(const json& value) { return Millis{value.get<int64_t>()}; }

// Raw bytes (ISO-8859-1 files) as hex: JSON strings are UTF-8.
std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += kDigits[static_cast<unsigned char>(c) >> 4U];
    text += kDigits[static_cast<unsigned char>(c) & 0xFU];
  }
  return text;
}

std::string FromHex(const json& value) {
  const auto& text = value.get_ref<const std::string&>();
  if (text.size() % 2 != 0 || text.find_first_not_of("0123456789abcdef") != std::string::npos) {
    throw json::other_error::create(501, "not hexadecimal", &value);
  }
  std::string bytes;
  for (size_t i = 0; i < text.size(); i += 2)
    bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  return bytes;
}

json ProcessJson(const ProcessFacts& p) {
  return {{"pid", p.pid},
          {"start_ticks", p.start_ticks},
          {"boot_id", p.boot_id},
          {"started_ms", Ms(p.started)},
          {"names_our_file", p.names_our_file},
          {"distributed", p.distributed}};
}

ProcessFacts ProcessOf(const json& j) {
  return {.pid = j.at("pid").get<int>(),
          .start_ticks = j.at("start_ticks").get<uint64_t>(),
          .boot_id = j.at("boot_id").get<std::string>(),
          .started = TimeOf(j.at("started_ms")),
          .names_our_file = j.at("names_our_file").get<bool>(),
          .distributed = j.at("distributed").get<bool>()};
}

json RequestJson(const OperationRequest& r) {
  json j{{"id", r.id},
         {"worker", r.worker},
         {"lease_session", r.lease_session},
         {"lease_epoch", r.lease_epoch},
         {"expected_sha256", r.expected_sha256},
         {"delay", ToString(r.delay)},
         {"temporary_delay_ms", r.temporary_delay.count()},
         {"restart", r.restart},
         {"stop_limit_ms", r.stop_limit.count()},
         {"start_limit_ms", r.start_limit.count()}};
  if (r.mode) j["mode"] = ToString(*r.mode);
  return j;
}

OperationRequest RequestOf(const json& j) {
  OperationRequest r;
  r.id = j.at("id").get<std::string>();
  r.worker = j.at("worker").get<std::string>();
  r.lease_session = j.at("lease_session").get<std::string>();
  r.lease_epoch = j.at("lease_epoch").get<uint64_t>();
  r.expected_sha256 = j.at("expected_sha256").get<std::string>();
  if (j.contains("mode")) r.mode = ByName(j.at("mode"), kModes);
  r.delay = ByName(j.at("delay"), kDelays);
  r.temporary_delay = MillisOf(j.at("temporary_delay_ms"));
  r.restart = j.at("restart").get<bool>();
  r.stop_limit = MillisOf(j.at("stop_limit_ms"));
  r.start_limit = MillisOf(j.at("start_limit_ms"));
  return r;
}

template <typename T>
StatusOr<T> Guarded(const json& j, T (*read)(const json&)) {
  try {
    return read(j);
  } catch (const std::exception& error) {
    return Err(Reason::kLedgerDamaged, error.what());
  }
}

OperationRecord ReadOperation(const json& j) {
  OperationRecord r;
  r.request = RequestOf(j.at("request"));
  r.step = ByName(j.at("step"), kSteps);
  r.outcome = ByName(j.at("outcome"), kOutcomes);
  if (j.contains("problem")) {
    const json& p = j.at("problem");
    const std::string name = p.at("reason").get<std::string>();
    r.problem =
        Problem{Reason::kUnspecified, p.at("message").get<std::string>(), p.at("fix").get<std::string>()};
    for (const ReasonInfo& info : AllReasons()) {
      if (info.name == name) r.problem->reason = info.reason;
    }
  }
  r.caller = j.at("caller").get<std::string>();
  r.accepted = TimeOf(j.at("accepted_ms"));
  r.updated = TimeOf(j.at("updated_ms"));
  r.old_sha256 = j.at("old_sha256").get<std::string>();
  r.new_sha256 = j.at("new_sha256").get<std::string>();
  if (j.contains("old_process")) r.old_process = ProcessOf(j.at("old_process"));
  if (j.contains("new_process")) r.new_process = ProcessOf(j.at("new_process"));
  r.starts = j.at("starts").get<int>();
  return r;
}

StoredLease ReadLease(const json& j) {
  StoredLease s;
  s.lease.fleet = j.at("fleet").get<std::string>();
  s.lease.session = j.at("session").get<std::string>();
  s.lease.holder = j.at("holder").get<std::string>();
  s.lease.caller = j.at("caller").get<std::string>();
  s.lease.epoch = j.at("epoch").get<uint64_t>();
  s.lease.granted = TimeOf(j.at("granted_ms"));
  s.boot_id = j.at("boot_id").get<std::string>();
  s.expires_since_boot = MillisOf(j.at("expires_since_boot_ms"));
  s.ttl = MillisOf(j.at("ttl_ms"));
  s.released = j.at("released").get<bool>();
  return s;
}

TemporaryDelay ReadDelay(const json& j) {
  TemporaryDelay d;
  d.value = MillisOf(j.at("value_ms"));
  if (j.contains("original_hex")) d.original = FromHex(j.at("original_hex"));
  d.since = TimeOf(j.at("since_ms"));
  return d;
}

}  // namespace

json ToJson(const OperationRecord& r) {
  json j{{"request", RequestJson(r.request)},
         {"step", ToString(r.step)},
         {"outcome", ToString(r.outcome)},
         {"caller", r.caller},
         {"accepted_ms", Ms(r.accepted)},
         {"updated_ms", Ms(r.updated)},
         {"old_sha256", r.old_sha256},
         {"new_sha256", r.new_sha256},
         {"starts", r.starts}};
  if (r.problem) {
    j["problem"] = {
        {"reason", Info(r.problem->reason).name}, {"message", r.problem->message}, {"fix", r.problem->fix}};
  }
  if (r.old_process) j["old_process"] = ProcessJson(*r.old_process);
  if (r.new_process) j["new_process"] = ProcessJson(*r.new_process);
  return j;
}

json ToJson(const StoredLease& s) {
  return {{"fleet", s.lease.fleet},   {"session", s.lease.session},
          {"holder", s.lease.holder}, {"caller", s.lease.caller},
          {"epoch", s.lease.epoch},   {"granted_ms", Ms(s.lease.granted)},
          {"boot_id", s.boot_id},     {"expires_since_boot_ms", s.expires_since_boot.count()},
          {"ttl_ms", s.ttl.count()},  {"released", s.released}};
}

json ToJson(const TemporaryDelay& d) {
  json j{{"value_ms", d.value.count()}, {"since_ms", Ms(d.since)}};
  if (d.original) j["original_hex"] = Hex(*d.original);
  return j;
}

StatusOr<OperationRecord> OperationFromJson(const json& j) { return Guarded(j, &ReadOperation); }
StatusOr<StoredLease> LeaseFromJson(const json& j) { return Guarded(j, &ReadLease); }
StatusOr<TemporaryDelay> DelayFromJson(const json& j) { return Guarded(j, &ReadDelay); }

}  // namespace eos::operations
