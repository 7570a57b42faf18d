#include "controller/cli/options.h"

#include <gmock/gmock.h>

#include "controller/cli/commands.h"

namespace eos::cli {
namespace {

using testing::HasSubstr;

std::string Error(const std::vector<std::string>& arguments) {
  return Render(ParseArguments(arguments).status());
}

TEST(Options, AreRead) {
  const auto parsed =
      ParseArguments({"apply", "--to", "disabled", "--output", "json", "--events", "-", "--fleet", "f.yaml"});
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_TRUE(parsed->run);
  EXPECT_EQ(parsed->options.to, Mode::kDisabled);
  EXPECT_TRUE(parsed->options.json);
  EXPECT_EQ(parsed->options.fleet_file, "f.yaml");
}

TEST(Options, FleetMayStandBeforeTheCommandOrInTheEnvironment) {
  EXPECT_EQ(ParseArguments({"--fleet", "f.yaml", "status"})->options.fleet_file, "f.yaml");
  setenv("EOSCTL_FLEET", "e.yaml", 1);
  EXPECT_EQ(ParseArguments({"status"})->options.fleet_file, "e.yaml");
  unsetenv("EOSCTL_FLEET");
  EXPECT_EQ(ParseArguments({"status"})->options.fleet_file, "fleet.yaml");
}

TEST(Options, MistakesNameTheNearestWord) {
  EXPECT_THAT(Error({"aply", "--to", "enabled"}), HasSubstr("did you mean \"apply\"?"));
  EXPECT_THAT(Error({"plan", "--to", "enabled", "--explian"}), HasSubstr("did you mean \"--explain\"?"));
  EXPECT_THAT(Error({"plan", "--to", "on"}), HasSubstr("eosctl plan --help"));
  EXPECT_THAT(Error({"apply"}), HasSubstr("--to"));
  EXPECT_EQ(ReasonOf(ParseArguments({"apply"}).status()), Reason::kUsage);
}

TEST(Help, OfEachCommandHasAnExampleAndWhatItDoesNotCheck) {
  for (const Word& command : Commands()) {
    const auto help = ParseArguments({command.name, "--help"});
    ASSERT_TRUE(help.ok()) << command.name;
    EXPECT_FALSE(help->run);
    EXPECT_THAT(help->text, testing::AllOf(HasSubstr("Example:"), HasSubstr("Does not check:")))
        << command.name;
  }
  EXPECT_THAT(ParseArguments({})->text, HasSubstr("apply"));
  EXPECT_THAT(ParseArguments({"--version"})->text, HasSubstr("eosctl "));
}

TEST(Completion, KnowsEveryCommandAndOption) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string script = CompletionScript(shell);
    for (const Word& command : Commands()) {
      EXPECT_THAT(script, HasSubstr(command.name)) << shell;
      for (const std::string& option : OptionsOf(command.name))
        EXPECT_THAT(script, HasSubstr(option.substr(2))) << shell;
    }
  }
}

}  // namespace
}  // namespace eos::cli
