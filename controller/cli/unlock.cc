#include <spdlog/fmt/fmt.h>

#include <nlohmann/json.hpp>
#include <set>

#include "common/base/words.h"
#include "controller/cli/commands.h"
#include "controller/fleet/background.h"
#include "controller/report/json.h"
#include "controller/report/text_table.h"

namespace eos::cli {
namespace {

struct Held {
  std::string agent;
  std::optional<Lease> lease;
  std::optional<Problem> problem;
};

std::vector<Held> Ask(Context& context) {
  std::vector<Held> all;
  for (const auto& [name, client] : context.agents) all.push_back({name, std::nullopt, std::nullopt});
  fleet::ForEachAtOnce(all.size(), 64, [&](size_t i) {
    const auto lease = context.agents.at(all[i].agent)->GetLease(context.inventory.fleet);
    if (lease.ok()) {
      all[i].lease = *lease;
    } else {
      all[i].problem = ProblemOf(lease.status());
    }
  });
  return all;
}

// Taking a lease raises its epoch, so whatever its old holder still sends is refused; then it is given back.
void End(Context& context, std::vector<Held>& all, const std::string& session) {
  const std::string ours =
      fmt::format("unlock-{:016x}", static_cast<uint64_t>(context.clock.SinceBoot().count()));
  for (Held& held : all) {
    if (!held.lease || held.lease->session != session) continue;
    fleet::AgentClient& client = *context.agents.at(held.agent);
    const auto taken =
        client.AcquireLease(context.inventory.fleet, ours, "eosctl unlock", Millis{5'000}, session);
    const eos::Status released =
        taken.ok() ? client.ReleaseLease(context.inventory.fleet, ours) : taken.status();
    if (released.ok()) {
      held.lease.reset();
    } else {
      held.problem = ProblemOf(released);
    }
  }
}

nlohmann::json ToJson(const std::vector<Held>& all) {
  nlohmann::json json{{"format", "connect-eos/unlock/1"}, {"agents", nlohmann::json::array()}};
  for (const Held& held : all) {
    nlohmann::json one{{"agent", held.agent}, {"session", nullptr}};
    if (held.lease) {
      one["session"] = held.lease->session;
      one["holder"] = held.lease->holder;
      one["granted"] = FormatUtc(held.lease->granted);
      one["remaining_ms"] = held.lease->remaining.count();
    }
    if (held.problem) one["problem"] = report::ToJson(*held.problem);
    json["agents"].push_back(std::move(one));
  }
  return json;
}

std::string ToText(const std::vector<Held>& all, bool colour) {
  std::vector<std::vector<report::Cell>> rows;
  for (const Held& held : all) {
    if (held.problem) {
      rows.push_back({held.agent, {held.problem->message, report::Colour::kBad}});
    } else if (held.lease) {
      rows.push_back({held.agent, Printable(held.lease->holder), held.lease->session,
                      FormatUtc(held.lease->granted), FormatDuration(held.lease->remaining)});
    } else {
      rows.push_back({held.agent, {"nobody", report::Colour::kDim}});
    }
  }
  return report::Table({"AGENT", "HOLDER", "SESSION", "SINCE", "ENDS IN"}, rows, colour);
}

}  // namespace

ExitCode Unlock(const Options& options, Context& context) {
  std::vector<Held> all = Ask(context);
  if (!options.take_over.empty() && options.yes) End(context, all, options.take_over);
  bool unreached = false;
  std::set<std::string> sessions;
  for (const Held& held : all) {
    unreached |= held.problem.has_value();
    if (held.lease) sessions.insert(held.lease->session);
  }
  if (options.json) {
    context.out << report::Dump(ToJson(all));
  } else {
    context.out << ToText(all, context.terminal.colour);
    for (const std::string& session : sessions) {
      context.out << fmt::format(
          "\nIf that run is dead, its lease ends by itself. To end it now: eosctl unlock "
          "--take-over {} --yes\n",
          session);
    }
  }
  if (!sessions.empty()) return ExitCode::kRefused;
  return unreached ? ExitCode::kUnreachable : ExitCode::kDone;
}

}  // namespace eos::cli
