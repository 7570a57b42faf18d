#include "agent/operations/ledger.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <functional>

#include "agent/operations/record_json.h"
#include "agent/operations/stored.h"
#include "common/files/atomic_replace.h"

namespace eos::operations {
namespace {

constexpr std::string_view kOperationFormat = "connect-eos/operation/1";
constexpr std::string_view kLeaseFormat = "connect-eos/lease/1";
constexpr std::string_view kDelayFormat = "connect-eos/delay/1";
constexpr size_t kMaxRecord = 1U << 20U;
constexpr size_t kMaxOldBytes = 4U << 20U;

// Names become file names: whatever else a configuration or the wire allows, here nothing but these.
Status CheckName(const std::string& name) {
  const bool fine = !name.empty() && name.size() <= 128 && name.front() != '.' &&
                    std::all_of(name.begin(), name.end(), [](char c) {
                      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                             c == '-' || c == '_' || c == '.';
                    });
  if (fine) return OkStatus();
  return Err(Reason::kInvalidArgument, "a name has characters other than letters, digits, '-', '_' and '.'");
}

template <typename T>
StatusOr<T> ReadRecord(FileSystem& files, const std::string& path, std::string_view format,
                       StatusOr<T> (*read)(const nlohmann::json&)) {
  EOS_ASSIGN_OR_RETURN(const std::string bytes, files.Read(path, kMaxRecord));
  EOS_ASSIGN_OR_RETURN(const nlohmann::json content, Unseal(format, bytes, path));
  auto record = read(content);
  if (!record.ok()) return Damaged(path, "a field is missing or of another kind");
  return record;
}

// Who is told of it sits elsewhere, and must know which disk to look at.
Status Store(FileSystem& files, const std::string& path, std::string_view bytes) {
  const Status stored = AtomicReplace(files, path, bytes);
  if (ReasonOf(stored) != Reason::kStorageFailed) return stored;
  Problem problem = ProblemOf(stored);
  problem.fix =
      "see that eos-agent can write its state_directory on that host (df, its owner, a read-only mount), "
      "then run apply again";
  return Err(problem);
}

template <typename T>
StatusOr<std::optional<T>> Optional(StatusOr<T> record) {
  if (record.ok()) return std::optional<T>(*std::move(record));
  if (ReasonOf(record.status()) == Reason::kNotFound) return std::optional<T>();
  return record.status();
}

}  // namespace

Ledger::Ledger(FileSystem& files, std::string directory) : files_(files), directory_(std::move(directory)) {}

std::string Ledger::PathOf(std::string_view folder, const std::string& name, std::string_view suffix) const {
  return fmt::format("{}/{}/{}{}", directory_, folder, name, suffix);
}

StatusOr<std::vector<Problem>> Ledger::Open() {
  std::vector<Problem> problems;
  for (const char* folder : {"operations", "leases", "delays"}) {
    const std::string path = directory_ + "/" + folder;
    EOS_RETURN_IF_ERROR(files_.MakeDirectories(path, 0700));
    EOS_ASSIGN_OR_RETURN(const std::vector<std::string> names, files_.List(path));
    for (const std::string& name : names) {
      if (name.ends_with(".connect-eos-tmp")) EOS_RETURN_IF_ERROR(files_.Remove(path + "/" + name));
    }
  }
  Operations(problems);
  const auto check = [&](const std::string& folder, const std::function<Status(const std::string&)>& read) {
    for (const std::string& name :
         files_.List(directory_ + "/" + folder).value_or(std::vector<std::string>{})) {
      if (!name.ends_with(".json")) continue;
      if (const Status status = read(name.substr(0, name.size() - 5)); !status.ok()) {
        problems.push_back(ProblemOf(status));
      }
    }
  };
  check("leases", [this](const std::string& name) { return ReadLease(name).status(); });
  check("delays", [this](const std::string& name) { return ReadDelay(name).status(); });
  return problems;
}

StatusOr<OperationRecord> Ledger::ReadOperation(const std::string& id) const {
  EOS_RETURN_IF_ERROR(CheckName(id));
  const std::string path = PathOf("operations", id, ".json");
  auto record = ReadRecord(files_, path, kOperationFormat, &OperationFromJson);
  if (record.ok() && record->request.id != id) return Damaged(path, "it belongs to another operation");
  return record;
}

Status Ledger::WriteOperation(const OperationRecord& record) {
  EOS_RETURN_IF_ERROR(CheckName(record.request.id));
  return Store(files_, PathOf("operations", record.request.id, ".json"),
               Seal(kOperationFormat, ToJson(record)));
}

std::vector<OperationRecord> Ledger::Operations(std::vector<Problem>& problems) const {
  std::vector<OperationRecord> records;
  const auto names = files_.List(directory_ + "/operations");
  if (!names.ok()) {
    problems.push_back(ProblemOf(names.status()));
    return records;
  }
  for (const std::string& name : *names) {
    if (!name.ends_with(".json")) continue;
    auto record = ReadOperation(name.substr(0, name.size() - 5));
    if (record.ok()) {
      records.push_back(*std::move(record));
    } else {
      problems.push_back(ProblemOf(record.status()));
    }
  }
  std::stable_sort(records.begin(), records.end(), [](const OperationRecord& a, const OperationRecord& b) {
    return a.accepted < b.accepted;
  });
  return records;
}

Status Ledger::KeepOldBytes(const std::string& id, std::string_view bytes) {
  EOS_RETURN_IF_ERROR(CheckName(id));
  return Store(files_, PathOf("operations", id, ".old"), bytes);
}

StatusOr<std::string> Ledger::OldBytes(const std::string& id) const {
  EOS_RETURN_IF_ERROR(CheckName(id));
  return files_.Read(PathOf("operations", id, ".old"), kMaxOldBytes);
}

Status Ledger::Prune(size_t keep) {
  std::vector<Problem> damaged;
  auto records = Operations(damaged);
  std::erase_if(records, [](const OperationRecord& r) { return !r.finished(); });
  if (records.size() <= keep) return OkStatus();
  records.resize(records.size() - keep);
  for (const OperationRecord& record : records) {
    EOS_RETURN_IF_ERROR(files_.Remove(PathOf("operations", record.request.id, ".old")));
    EOS_RETURN_IF_ERROR(files_.Remove(PathOf("operations", record.request.id, ".json")));
  }
  return OkStatus();
}

StatusOr<std::optional<StoredLease>> Ledger::ReadLease(const std::string& fleet) const {
  EOS_RETURN_IF_ERROR(CheckName(fleet));
  return Optional(ReadRecord(files_, PathOf("leases", fleet, ".json"), kLeaseFormat, &LeaseFromJson));
}

Status Ledger::WriteLease(const StoredLease& lease) {
  EOS_RETURN_IF_ERROR(CheckName(lease.lease.fleet));
  return Store(files_, PathOf("leases", lease.lease.fleet, ".json"), Seal(kLeaseFormat, ToJson(lease)));
}

StatusOr<std::optional<TemporaryDelay>> Ledger::ReadDelay(const std::string& worker) const {
  EOS_RETURN_IF_ERROR(CheckName(worker));
  return Optional(ReadRecord(files_, PathOf("delays", worker, ".json"), kDelayFormat, &DelayFromJson));
}

Status Ledger::WriteDelay(const std::string& worker, const std::optional<TemporaryDelay>& delay) {
  EOS_RETURN_IF_ERROR(CheckName(worker));
  const std::string path = PathOf("delays", worker, ".json");
  if (delay) return Store(files_, path, Seal(kDelayFormat, ToJson(*delay)));
  EOS_RETURN_IF_ERROR(files_.Remove(path));
  return files_.SyncDirectory(directory_ + "/delays");
}

}  // namespace eos::operations
