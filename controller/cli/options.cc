#include "controller/cli/options.h"

#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>

#include "common/base/words.h"

namespace eos::cli {
namespace {

constexpr char kStatusHelp[] = R"(
Example:
  eosctl --fleet fleet.yaml status
  eosctl status --output json | jq .guarantee

Says whether exactly-once source support is in force and since when, who runs what, and what is wrong.
Does not check: whether connectors themselves can deliver exactly once, ACLs, or the records in topics.
Exit codes: 0 all agents and Kafka answered; 5 one did not.)";

constexpr char kWorkersHelp[] = R"(
Example:
  eosctl workers
  eosctl workers --output json | jq '.workers[] | {name, running_mode, evidence}'

Lists every worker with its mode and the evidence for it.
Does not check: anything; it only tells what the agents and the group say now.
Exit codes: 0; 5 an agent did not answer.)";

constexpr char kPreflightHelp[] = R"(
Example:
  eosctl preflight && eosctl apply --to enabled

Everything that stands in the way of a rollout: agents, files, services, versions, group membership, strangers,
failed tasks, whether each worker reaches every other's REST (starting a task needs that once enabled), and, once a
worker runs enabled, which source connectors cannot deliver exactly once.
Does not check: ACLs on transactional ids, transaction time-outs of connectors, free space on brokers.
Exit codes: 0 nothing in the way; 3 something is; 5 only that an agent or Kafka does not answer.)";

constexpr char kVerifyHelp[] = R"(
Example:
  eosctl verify
  eosctl verify --wait 5m --output json | jq '.verdict, .since'

Does exactly-once hold, and since when? Asks each worker whether it runs enabled (by validating a connector that
requires it), then looks in Kafka's transaction log for a commit of each source task that holds its records and its offsets
together. An idle task is UNVERIFIED. Needs Read on topic __transaction_state. Changes nothing.
Does not check: the records in the topics for duplicates; whether readers use isolation.level=read_committed.
Exit codes: 0 proven for every worker and source task; 5 an agent or Kafka does not answer; 6 evidence against it;
7 evidence is missing; 130 interrupted.)";

constexpr char kPlanHelp[] = R"(
Example:
  eosctl plan --to enabled --explain

The steps that apply would take, in their order, and why in this order.
Does not check: what happens between now and apply, which looks again before each step. Changes nothing.
Exit codes: 0 nothing to do; 1 changes pending; 3 refused (see preflight); 5 an agent or Kafka does not answer;
8 nothing that --limit, --canary or --pause-between-phases lets apply do.)";

constexpr char kApplyHelp[] = R"(
Example:
  eosctl apply --to enabled
  eosctl apply --to disabled --events rollout.ndjson
  eosctl apply --to enabled --pause-between-phases --deadline 2h

Brings every worker to the mode, one at a time, over preparing; goes on where an earlier run stopped.
^C stops new work and says where things stand; what an agent has begun, it finishes by itself.
Does not check: that sources deliver no duplicates, which needs a look into the topics.
--limit, --canary, --pause-between-phases and --deadline end it earlier, with the fleet healthy, in a state from
which the same command without them goes on.
Exit codes: 0 done; 3 refused, nothing changed; 4 stopped in mid-rollout, safe to run again; 5 unreachable;
8 paused as asked; 130 interrupted.)";

constexpr char kUnlockHelp[] = R"(
Example:
  eosctl unlock
  eosctl unlock --take-over 3f2a9c0d4e5b6a71 --yes

Says who holds the lease on the fleet and since when; with --take-over SESSION --yes ends that lease.
Does not check: whether the holder is really dead. A lease ends by itself when its holder does not renew it.
Exit codes: 0 nobody holds it (any more); 3 somebody does; 5 an agent does not answer.)";

constexpr char kCompletionHelp[] = R"(
Example:
  eosctl completion bash > /etc/bash_completion.d/eosctl

Prints a completion script for bash, zsh or fish.
Does not check: which version of the shell reads it.)";

struct CommandInfo {
  const char* name;
  const char* summary;
  const char* help;
};

constexpr CommandInfo kCommands[] = {
    {"status", "is exactly-once in force, and who runs what", kStatusHelp},
    {"workers", "every worker with its mode and the evidence", kWorkersHelp},
    {"preflight", "what stands in the way of a rollout", kPreflightHelp},
    {"verify", "does exactly-once hold, and since when", kVerifyHelp},
    {"plan", "the steps that apply would take", kPlanHelp},
    {"apply", "bring the fleet to a mode", kApplyHelp},
    {"unlock", "who holds the lease, and end it", kUnlockHelp},
    {"completion", "completion script for a shell", kCompletionHelp},
};

void AddOptions(CLI::App& command, Options& options, std::string& to, std::string& output) {
  const std::string name = command.get_name();
  if (name == "completion") {
    command.add_option("shell", options.shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    return;
  }
  command.add_option("--fleet", options.fleet_file, "fleet file; else $EOSCTL_FLEET, else ./fleet.yaml");
  command.add_option("--output", output, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->default_str("table");
  command.add_flag("--verbose", options.verbose, "log what goes on to standard error");
  if (name == "plan" || name == "apply") {
    command.add_option("--to", to, "mode to bring the fleet to: enabled, preparing or disabled")
        ->required()
        ->check(CLI::IsMember({"enabled", "preparing", "disabled"}));
  }
  if (name == "plan" || name == "apply") {
    command
        .add_option("--limit", options.limit,
                    "change these workers only (names, comma-separated); the barrier still waits for all")
        ->delimiter(',');
    command.add_option("--canary", options.canary, "pause when so many workers of a phase are done")
        ->check(CLI::Range(1, 1000));
    command.add_flag("--pause-between-phases", options.pause_between_phases,
                     "pause when all run preparing, before the next phase");
  }
  if (name == "plan") command.add_flag("--explain", options.explain, "say why, and what it costs");
  if (name == "apply") {
    command.add_option("--deadline", options.deadline,
                       "begin no step that would end after this: 45m, 2h, or 2026-12-06T03:30:00Z");
    command.add_option("--events", options.events,
                       "append events to this file as NDJSON; - is standard output");
    command.add_option("--take-over", options.take_over,
                       "take the lease from this session, whose run is known to be dead");
  }
  if (name == "verify") {
    command
        .add_option("--wait", options.wait, "how long to wait for tasks that have not committed yet: 30s, 5m")
        ->capture_default_str();
  }
  if (name == "unlock") {
    command.add_option("--take-over", options.take_over, "session whose lease to end");
    command.add_flag("--yes", options.yes, "really");
  }
}

struct Command {
  CLI::App app{"eosctl switches exactly-once source support of a running Kafka Connect fleet", "eosctl"};
  Options options;
  std::string to;
  std::string output;

  Command() {
    app.require_subcommand(0, 1);
    app.set_version_flag("--version", std::string("eosctl ") + EOS_VERSION);
    app.add_option("--fleet", options.fleet_file, "fleet file; else $EOSCTL_FLEET, else ./fleet.yaml");
    app.footer("Run eosctl COMMAND --help for an example of each and what it does not check.");
    for (const CommandInfo& info : kCommands) {
      CLI::App* command = app.add_subcommand(info.name, info.summary);
      command->footer(info.help);
      AddOptions(*command, options, to, output);
    }
  }
};

std::vector<std::string_view> CommandNames() {
  std::vector<std::string_view> names;
  for (const CommandInfo& info : kCommands) names.emplace_back(info.name);
  return names;
}

std::string Nearby(const std::string& word, const std::string& command) {
  if (!word.starts_with("-")) {
    const auto names = CommandNames();
    const auto nearest = Nearest(word, names);
    return nearest ? fmt::format("did you mean \"{}\"?", *nearest) : "";
  }
  const std::vector<std::string> options = OptionsOf(command);
  const std::vector<std::string_view> views(options.begin(), options.end());
  const auto nearest = Nearest(word, views);
  return nearest ? fmt::format("did you mean \"{}\"?", *nearest) : "";
}

// The first word that nothing knows.
std::string UnknownWord(const std::vector<std::string>& arguments, const std::string& command) {
  const auto names = CommandNames();
  const auto options = OptionsOf(command);
  for (const std::string& argument : arguments) {
    const std::string word = argument.substr(0, argument.find('='));
    if (word.starts_with("-")
            ? std::find(options.begin(), options.end(), word) == options.end()
            : command.empty() && std::find(names.begin(), names.end(), word) == names.end()) {
      return word;
    }
  }
  return {};
}

std::string CommandIn(const std::vector<std::string>& arguments) {
  const auto names = CommandNames();
  for (const std::string& argument : arguments) {
    if (std::find(names.begin(), names.end(), argument) != names.end()) return argument;
  }
  return {};
}

Status UsageError(const std::string& what, const std::vector<std::string>& arguments) {
  const std::string command = CommandIn(arguments);
  const std::string unknown = UnknownWord(arguments, command);
  std::string fix = unknown.empty() ? "" : Nearby(unknown, command);
  if (fix.empty()) fix = fmt::format("see: eosctl {}{}--help", command, command.empty() ? "" : " ");
  return Err(Reason::kUsage, "reading the command line: " + Printable(what), fix);
}

}  // namespace

StatusOr<Parsed> ParseArguments(const std::vector<std::string>& arguments) {
  Command command;
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
  try {
    command.app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = command.app.get_subcommands();
    return Parsed{{}, false, chosen.empty() ? command.app.help() : chosen.front()->help()};
  } catch (const CLI::CallForVersion&) {
    return Parsed{{}, false, std::string("eosctl ") + EOS_VERSION + "\n"};
  } catch (const CLI::ParseError& error) {
    return UsageError(error.what(), arguments);
  }
  const auto chosen = command.app.get_subcommands();
  if (chosen.empty()) return Parsed{{}, false, command.app.help()};
  Parsed parsed{command.options, true, ""};
  parsed.options.command = chosen.front()->get_name();
  parsed.options.json = command.output == "json";
  if (!command.to.empty()) parsed.options.to = *ParseMode(command.to);
  if (parsed.options.fleet_file.empty()) {
    const char* from_environment = std::getenv("EOSCTL_FLEET");
    parsed.options.fleet_file = from_environment && *from_environment ? from_environment : "fleet.yaml";
  }
  return parsed;
}

std::vector<Word> Commands() {
  std::vector<Word> words;
  for (const CommandInfo& info : kCommands) words.push_back({info.name, info.summary});
  return words;
}

std::vector<std::string> OptionsOf(const std::string& name) {
  const Command command;
  const CLI::App* app = &command.app;
  if (!name.empty()) app = command.app.get_subcommand(name);
  std::vector<std::string> options;
  for (const CLI::Option* option : app->get_options()) {
    for (const std::string& long_name : option->get_lnames()) options.push_back("--" + long_name);
  }
  return options;
}

}  // namespace eos::cli
