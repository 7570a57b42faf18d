// What the ledger keeps, as JSON and back. Reading checks every field: nothing is guessed.
#pragma once

#include <nlohmann/json.hpp>

#include "agent/operations/ledger.h"

namespace eos::operations {

nlohmann::json ToJson(const OperationRecord& record);
nlohmann::json ToJson(const StoredLease& lease);
nlohmann::json ToJson(const TemporaryDelay& delay);

// kLedgerDamaged (without a path: the caller adds it) where a field is missing or of another kind.
StatusOr<OperationRecord> OperationFromJson(const nlohmann::json& json);
StatusOr<StoredLease> LeaseFromJson(const nlohmann::json& json);
StatusOr<TemporaryDelay> DelayFromJson(const nlohmann::json& json);

}  // namespace eos::operations
