#include <spdlog/fmt/fmt.h>

#include "controller/cli/commands.h"

namespace eos::cli {
namespace {

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string Names() {
  std::vector<std::string> names;
  for (const Word& command : Commands()) names.push_back(command.name);
  return Joined(names);
}

std::string Bash() {
  std::string cases;
  for (const Word& command : Commands()) {
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command.name, Joined(OptionsOf(command.name)));
  }
  return fmt::format(R"(_eosctl() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" command="" words="" word
  case "$previous" in
    --to) COMPREPLY=($(compgen -W "enabled preparing disabled" -- "$current")); return ;;
    --output) COMPREPLY=($(compgen -W "table json" -- "$current")); return ;;
    --fleet|--events) COMPREPLY=($(compgen -f -- "$current")); return ;;
    completion) COMPREPLY=($(compgen -W "bash zsh fish" -- "$current")); return ;;
  esac
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case " {} " in *" $word "*) command="$word" ;; esac
  done
  case "$command" in
    "") words="{} {}" ;;
{}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -F _eosctl eosctl
)",
                     Names(), Names(), Joined(OptionsOf("")), cases);
}

std::string Zsh() { return "#compdef eosctl\nautoload -U +X bashcompinit && bashcompinit\n" + Bash(); }

std::string Fish() {
  std::string script = "complete -c eosctl -f\n";
  const std::string none = fmt::format("not __fish_seen_subcommand_from {}", Names());
  for (const Word& command : Commands()) {
    script += fmt::format("complete -c eosctl -n '{}' -a {} -d '{}'\n", none, command.name, command.help);
    for (const std::string& option : OptionsOf(command.name)) {
      const char* values = option == "--to"       ? " -x -a 'enabled preparing disabled'"
                           : option == "--output" ? " -x -a 'table json'"
                           : option == "--fleet" || option == "--events" ? " -r -F"
                                                                         : "";
      script += fmt::format("complete -c eosctl -n '__fish_seen_subcommand_from {}' -l {}{}\n", command.name,
                            option.substr(2), values);
    }
  }
  script += "complete -c eosctl -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'\n";
  return script;
}

}  // namespace

std::string CompletionScript(const std::string& shell) {
  return shell == "fish" ? Fish() : shell == "zsh" ? Zsh() : Bash();
}

}  // namespace eos::cli
