#include <spdlog/fmt/fmt.h>

#include <nlohmann/json.hpp>

#include "controller/cli/commands.h"
#include "controller/cli/deadline.h"
#include "controller/fleet/background.h"
#include "controller/proof/gather.h"
#include "controller/report/json.h"
#include "controller/report/proof.h"

namespace eos::cli {
namespace {

ExitCode CodeOf(const proof::Verification& verification, const fleet::FleetView& view) {
  switch (verification.verdict) {
    case proof::Verdict::kPass:
      return ExitCode::kDone;
    case proof::Verdict::kFail:
      return ExitCode::kProofFailed;
    case proof::Verdict::kUnverified:
      break;
  }
  return Reached(view) == ExitCode::kDone ? ExitCode::kInconclusive : ExitCode::kUnreachable;
}

}  // namespace

ExitCode Verify(const Options& options, Context& context) {
  const auto wait = ParseLength(options.wait);
  if (!wait) {
    Complain({Reason::kUsage, fmt::format("reading --wait \"{}\": it is no length of time", options.wait),
              "write a length like 30s or 5m"},
             options.json, context.out, context.err);
    return ExitCode::kUsage;
  }
  const bool live = context.terminal.live && !options.json;
  fleet::Threads threads;
  std::string shown;
  const auto on_progress = [&](const std::string& line) {
    if (!live || line == shown) return;
    context.err << "\r\033[K" << line << std::flush;
    shown = line;
  };
  const proof::Evidence evidence =
      proof::Gather(context.inventory.group_id,
                    {context.agents, context.observer, context.topics, threads, context.clock, context.stop},
                    *wait, on_progress);
  if (!shown.empty()) context.err << "\r\033[K" << std::flush;
  if (context.stop) {
    Complain({Reason::kInterrupted, "interrupted before the evidence was complete; nothing was changed",
              "run the same verify again"},
             options.json, context.out, context.err);
    return ExitCode::kInterrupted;
  }
  const proof::Verification verification =
      proof::Verify(evidence, context.inventory.group_id, context.clock.Now());
  if (options.json) {
    context.out << report::Dump(report::VerificationJson(verification, context.inventory.fleet));
  } else {
    context.out << report::VerificationText(verification, context.inventory.fleet, context.terminal.colour);
  }
  return CodeOf(verification, evidence.view);
}

}  // namespace eos::cli
