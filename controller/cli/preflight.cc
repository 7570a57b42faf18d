#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/base/words.h"
#include "controller/cli/commands.h"
#include "controller/fleet/background.h"
#include "controller/report/json.h"
#include "controller/report/tables.h"

namespace eos::cli {
namespace {

using rollout::Finding;

// Once enabled, a task that starts asks the leader to fence, over the leader's advertised URL: every worker
// must reach every other.
std::vector<Finding> CheckReach(const fleet::FleetView& view, Context& context) {
  std::vector<std::string> urls;
  for (const auto& worker : view.workers) urls.push_back(worker.facts.advertised_url);
  std::vector<std::vector<Finding>> found(view.workers.size());
  fleet::ForEachAtOnce(view.workers.size(), 16, [&](size_t i) {
    const auto& worker = view.workers[i];
    const auto results = context.agents.at(worker.agent)->CheckReachability(worker.facts.name, urls);
    if (!results.ok()) {
      found[i].push_back(
          {Finding::Severity::kWarning, worker.facts.name, ProblemOf(results.status()), false});
      return;
    }
    for (size_t to = 0; to < results->size() && to < view.workers.size(); ++to) {
      const Reachability& result = (*results)[to];
      if (result.failed_at == ReachStep::kReached) continue;
      found[i].push_back(
          {Finding::Severity::kError, worker.facts.name,
           Problem{Reason::kUnreachable,
                   fmt::format("from its host, the REST of worker \"{}\" at {} cannot be reached: {} ({})",
                               view.workers[to].facts.name, urls[to], Printable(result.message),
                               ToString(result.failed_at)),
                   "open that way: once enabled, tasks ask the leader to fence over it"},
           false});
    }
  });
  std::vector<Finding> all;
  for (auto& part : found) std::move(part.begin(), part.end(), std::back_inserter(all));
  return all;
}

const char* Says(Probe probe) {
  return probe == Probe::kConnectorNotCapable ? "it is not capable of exactly-once with its configuration"
                                              : "it does not say whether it is capable of exactly-once";
}

// A worker that runs enabled says of each source connector whether it can deliver exactly once (KIP-618). One
// that does not run enabled says only that.
std::vector<Finding> CheckCapability(const fleet::FleetView& view, Context& context) {
  const auto enabled = std::find_if(view.workers.begin(), view.workers.end(),
                                    [](const auto& w) { return w.running.mode == Mode::kEnabled; });
  std::vector<Finding> findings;
  if (enabled == view.workers.end() || !view.connectors) return findings;
  for (const ConnectorStatus& connector : *view.connectors) {
    if (connector.type != ConnectorType::kSource) continue;
    const auto answer =
        context.agents.at(enabled->agent)->ProbeExactlyOnce(enabled->facts.name, connector.name);
    if (!answer.ok() || answer->result == Probe::kUnknown || answer->result == Probe::kCapable) continue;
    const std::string name = Printable(connector.name);
    if (answer->result == Probe::kWorkerNotEnabled) {
      findings.push_back(
          {Finding::Severity::kError, enabled->facts.name,
           Problem{Reason::kModeUnknown,
                   fmt::format("worker \"{}\" itself says that it does not run enabled, against its {}",
                               enabled->facts.name, ToString(enabled->running.evidence)),
                   "see that the agent's \"rest\" and \"log\" are of the same worker"},
           false});
      break;
    }
    findings.push_back({Finding::Severity::kWarning, name,
                        Problem{Reason::kUnspecified,
                                fmt::format("connector \"{}\" ({}): {}", name,
                                            Printable(answer->connector_class), Says(answer->result)),
                                "ask its maker; its duplicates are not this fleet's fault"},
                        false});
  }
  return findings;
}

}  // namespace

ExitCode Preflight(const Options& options, Context& context) {
  const fleet::FleetView view = context.observer.Observe();
  std::vector<Finding> findings = rollout::Preflight(view, context.inventory.policy);
  if (CodeOf(findings) == ExitCode::kDone) {
    const auto reach = CheckReach(view, context);
    findings.insert(findings.end(), reach.begin(), reach.end());
    const auto capability = CheckCapability(view, context);
    findings.insert(findings.end(), capability.begin(), capability.end());
  }
  const ExitCode code = CodeOf(findings);
  if (options.json) {
    context.out << report::Dump(report::PreflightJson(findings));
    return code;
  }
  context.out << report::FindingsText(findings, context.terminal.colour);
  context.out << (code == ExitCode::kDone
                      ? report::Paint(fmt::format("preflight: nothing stands in the way of {} workers\n",
                                                  view.workers.size()),
                                      report::Colour::kGood, context.terminal.colour)
                      : report::Paint("preflight: apply would refuse\n", report::Colour::kBad,
                                      context.terminal.colour));
  return code;
}

}  // namespace eos::cli
