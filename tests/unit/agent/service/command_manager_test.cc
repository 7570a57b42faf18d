#include "agent/service/command_manager.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "agent/service/run_command.h"
#include "tests/fakes/await.h"
#include "tests/fakes/temp_dir.h"

namespace eos::service {
namespace {

using testing::HasSubstr;

bool IsZombie(int pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(stat, line);
  return line.find(") Z") != std::string::npos;
}

class CommandTest : public testing::Test {
 protected:
  std::string Script(const std::string& name, const std::string& body, mode_t mode = 0755) {
    const std::string path = dir.Write(name, "#!/bin/sh\n" + body);
    chmod(path.c_str(), mode);
    return path;
  }
  fakes::TempDir dir;
};

TEST_F(CommandTest, StatusIsReadAsLsbSays) {
  CommandSettings settings;
  settings.start = settings.stop = {Script("ok", "exit 0\n")};
  for (const auto& [code, state] :
       {std::pair{0, ServiceState::kRunning}, std::pair{3, ServiceState::kStopped},
        std::pair{4, ServiceState::kUnknown}, std::pair{1, ServiceState::kUnknown}}) {
    settings.status = {Script("status", "exit " + std::to_string(code) + "\n")};
    EXPECT_EQ(NewCommandManager(settings)->Look()->state, state) << code;
  }
}

TEST_F(CommandTest, FailureNamesTheCommandAndItsStatusAndNotWhatItPrinted) {
  CommandSettings settings;
  settings.start = settings.status = {Script("ok", "exit 0\n")};
  settings.stop = {Script("stop", "echo Tr0ub4dor-test >&2; exit 7\n")};
  const Status stopped = NewCommandManager(settings)->RequestStop();
  EXPECT_EQ(ReasonOf(stopped), Reason::kServiceFailed);
  EXPECT_THAT(Render(stopped), testing::AllOf(HasSubstr("status 7"), testing::Not(HasSubstr("Tr0ub4dor"))));
}

TEST_F(CommandTest, NothingIsInterpretedByAShell) {
  const auto status =
      RunCommand({Script("args", "[ \"$1\" = '; touch x $(id) *' ]\n"), "; touch x $(id) *"}, Millis{5'000});
  EXPECT_EQ(*status, 0);
}

TEST_F(CommandTest, EnvironmentIsOnlyPathAndLang) {
  setenv("SECRET_OF_AGENT", "x", 1);
  EXPECT_EQ(*RunCommand({Script("env", "[ -z \"$SECRET_OF_AGENT\" ] && [ -n \"$PATH\" ]\n")}, Millis{5'000}),
            0);
}

TEST_F(CommandTest, OneThatHangsIsKilledWithWhatItStarted) {
  const std::string mark = dir / "pid";
  const auto status =
      RunCommand({Script("hang", "sleep 1000 & echo $! > " + mark + "; wait\n")}, Millis{300});
  EXPECT_EQ(ReasonOf(status.status()), Reason::kServiceFailed);
  const int child = std::stoi(dir.Read("pid"));
  EXPECT_TRUE(fakes::Await([&] { return kill(child, 0) != 0 || IsZombie(child); }));
}

TEST_F(CommandTest, DaemonThatItLeavesBehindIsNotWaitedFor) {
  const auto status = RunCommand({Script("daemon", "sleep 5 & exit 0\n")}, Millis{4'000});
  EXPECT_EQ(*status, 0);
}

TEST_F(CommandTest, SignalsAreTold) {
  EXPECT_EQ(*RunCommand({Script("kill", "kill -9 $$\n")}, Millis{5'000}), 137);
}

TEST_F(CommandTest, CheckRefusesWhatCannotOrMustNotBeRun) {
  const auto check = [&](const std::string& program) {
    CommandSettings settings;
    settings.start = settings.stop = settings.status = {program};
    return Render(NewCommandManager(settings)->Check());
  };
  EXPECT_EQ(check(Script("good", "exit 0\n")), "");
  EXPECT_THAT(check("systemctl"), HasSubstr("not an absolute path"));
  EXPECT_THAT(check(dir / "none"), HasSubstr("No such file"));
  EXPECT_THAT(check(Script("plain", "", 0644)), HasSubstr("chmod +x"));
  EXPECT_THAT(check(Script("open", "", 0777)), HasSubstr("chmod o-w"));
}

}  // namespace
}  // namespace eos::service
