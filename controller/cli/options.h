// The command line.
#pragma once

#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/model/mode.h"

namespace eos::cli {

struct Options {
  std::string command;  // "status", "workers", …
  std::string fleet_file;
  bool json = false;
  bool verbose = false;
  Mode to = Mode::kEnabled;           // plan, apply
  bool explain = false;               // plan
  std::vector<std::string> limit;     // plan, apply: names of workers
  int canary = 0;                     // plan, apply; 0: none
  bool pause_between_phases = false;  // plan, apply
  std::string deadline;               // apply: "30m", "2h", or a time in UTC
  std::string events;                 // apply: file for NDJSON; "-": standard output
  std::string take_over;              // apply, unlock: session
  bool yes = false;                   // unlock
  std::string wait = "90s";           // verify
  std::string shell;                  // completion
};

struct Parsed {
  Options options;
  bool run = false;  // false: `text` says it all
  std::string text;  // help or version
};

// kUsage with the nearest known word for an unknown one.
StatusOr<Parsed> ParseArguments(const std::vector<std::string>& arguments);

struct Word {
  std::string name;
  std::string help;
};
// For completion scripts: all commands, and the options of one.
std::vector<Word> Commands();
std::vector<std::string> OptionsOf(const std::string& command);

}  // namespace eos::cli
