// The two halves of the machine. Included by machine.cc, file_steps.cc and restart_steps.cc only.
#pragma once

#include "agent/operations/machine.h"

namespace eos::operations {

// Records `step` and begins it. False where the ledger could not take it.
bool Enter(OperationRecord& record, World& world, OperationStep step);
Problem CannotRecord();
// kWait where the end must be recorded and cannot be: it is tried again.
Next Finish(OperationRecord& record, World& world, OperationOutcome outcome,
            std::optional<Problem> problem = {});
Next Fail(OperationRecord& record, World& world, const Status& status);

// file_steps.cc
Next Accept(OperationRecord& record, World& world);
Next ReplaceFile(OperationRecord& record, World& world);
Next AfterReplacing(OperationRecord& record, World& world);
Next RestoreFile(OperationRecord& record, World& world);
// Forgets a temporary delay that the file does not hold (any more).
void ForgetStaleDelay(const std::string& worker, World& world);

// restart_steps.cc
Next Stop(OperationRecord& record, World& world);
Next Start(OperationRecord& record, World& world);
Next AwaitRest(OperationRecord& record, World& world);
Next StartOnOldBytes(OperationRecord& record, World& world);

}  // namespace eos::operations
