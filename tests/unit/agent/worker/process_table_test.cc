#include "agent/worker/process_table.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/temp_dir.h"

namespace eos::worker {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class ProcessTableTest : public testing::Test {
 protected:
  ProcessTableTest() {
    std::filesystem::create_directories(proc / "sys/kernel/random");
    proc.Write("sys/kernel/random/boot_id", "boot-1\n");
  }
  void Add(const std::string& pid, const std::vector<std::string>& arguments,
           const std::string& comm = "java", char state = 'S', const std::string& ticks = "5000") {
    std::filesystem::create_directories(proc / pid);
    std::string cmdline;
    for (const std::string& argument : arguments) cmdline += argument + '\0';
    proc.Write(pid + "/cmdline", cmdline);
    std::string stat = pid + " (" + comm + ") " + state;
    for (int field = 4; field < 22; ++field) stat += " 1";
    proc.Write(pid + "/stat", stat + " " + ticks + " 0 0\n");
  }
  static std::vector<std::string> Worker(const std::string& file,
                                         const std::string& program = "/usr/bin/java") {
    return {program, "-Xmx1g", "-cp", "x", "org.apache.kafka.connect.cli.ConnectDistributed", file};
  }

  fakes::TempDir proc;
  fakes::FakeClock clock;
  ProcessTable table{clock, proc.path()};
};

TEST_F(ProcessTableTest, FindsWorkersByMainClass) {
  Add("100", Worker("/etc/w1.properties"));
  Add("200", {"/usr/bin/java", "-jar", "other.jar"});
  Add("300", {"/usr/bin/java", "org.apache.kafka.connect.cli.ConnectStandalone", "/etc/s.properties"});
  const auto found = table.Find();
  ASSERT_TRUE(found.ok());
  ASSERT_THAT(*found, SizeIs(2));
  EXPECT_EQ((*found)[0].facts.pid, 100);
  EXPECT_TRUE((*found)[0].facts.distributed);
  EXPECT_EQ((*found)[0].properties_file, "/etc/w1.properties");
  EXPECT_EQ((*found)[0].facts.boot_id, "boot-1");
  EXPECT_FALSE((*found)[1].facts.distributed);
}

TEST_F(ProcessTableTest, SameWordsOfAWrapperOrEditorAreNotTheJvm) {
  Add("100", {"/bin/sh", "/opt/run", "org.apache.kafka.connect.cli.ConnectDistributed", "/etc/w1.properties"},
      "sh");
  Add("101", {"grep", "org.apache.kafka.connect.cli.ConnectDistributed"}, "grep");
  EXPECT_THAT(*table.Find(), IsEmpty());
}

TEST_F(ProcessTableTest, NameWithParenthesesAndSpacesIsReadRight) {
  Add("100", Worker("/etc/w1.properties"), "a) R (b c", 'S', "77");
  ASSERT_THAT(*table.Find(), SizeIs(1));
  EXPECT_EQ((*table.Find())[0].facts.start_ticks, 77U);
}

TEST_F(ProcessTableTest, StartIsOnTheWallClock) {
  Add("100", Worker("/etc/w1.properties"));
  const long ticks = sysconf(_SC_CLK_TCK);
  EXPECT_EQ((*table.Find())[0].facts.started, clock.Now() - clock.SinceBoot() + Millis{5000 * 1000 / ticks});
}

TEST_F(ProcessTableTest, ZombieIsNotAliveAndAPidUsedAgainIsAnother) {
  Add("100", Worker("/etc/w1.properties"));
  const ProcessFacts facts = (*table.Find())[0].facts;
  EXPECT_TRUE(table.Alive(facts));
  Add("100", Worker("/etc/w1.properties"), "java", 'S', "6000");
  EXPECT_FALSE(table.Alive(facts));
  Add("100", Worker("/etc/w1.properties"), "java", 'Z');
  EXPECT_FALSE(table.Alive(facts));
  EXPECT_THAT(*table.Find(), IsEmpty());
}

TEST_F(ProcessTableTest, RelativeFileCountsFromTheProcessesFolder) {
  const fakes::TempDir home;
  home.Write("w.properties", "");
  Add("100", Worker("w.properties"));
  ASSERT_EQ(symlink(home.path().c_str(), (proc / "100/cwd").c_str()), 0);
  EXPECT_EQ((*table.Find())[0].properties_file, std::filesystem::canonical(home / "w.properties").string());
}

TEST_F(ProcessTableTest, WithoutProcNothingIsKnown) {
  EXPECT_FALSE(ProcessTable(clock, "/nonexistent").Find().ok());
}

}  // namespace
}  // namespace eos::worker
