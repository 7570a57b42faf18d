// One file a command. Each writes its answer to context.out and returns the exit code of design and
// docs/errors.md.
#pragma once

#include "controller/cli/context.h"
#include "controller/rollout/decide.h"

namespace eos::cli {

ExitCode Status(const Options& options, Context& context);
ExitCode Workers(const Options& options, Context& context);
ExitCode Preflight(const Options& options, Context& context);
ExitCode Verify(const Options& options, Context& context);
ExitCode Plan(const Options& options, Context& context);
ExitCode Apply(const Options& options, Context& context);
ExitCode Unlock(const Options& options, Context& context);
std::string CompletionScript(const std::string& shell);

// A failure to say: JSON on `out`, or text on `err`.
void Complain(const Problem& problem, bool json, std::ostream& out, std::ostream& err);

// 5 where an agent or Kafka did not answer, else 0.
ExitCode Reached(const fleet::FleetView& view);
// 3 for an error that waiting does not end, 5 if all of those are that somebody does not answer, else 0.
ExitCode CodeOf(const std::vector<rollout::Finding>& findings);

}  // namespace eos::cli
