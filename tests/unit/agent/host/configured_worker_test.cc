#include "agent/host/configured_worker.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include "agent/host/observe.h"
#include "common/files/sha256.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_worker_parts.h"
#include "tests/fakes/temp_dir.h"

namespace eos::host {
namespace {

using testing::Contains;
using testing::Field;

class WorkerTest : public testing::Test {
 protected:
  WorkerTest() {
    std::filesystem::create_directories(dir / "proc/sys/kernel/random");
    dir.Write("proc/sys/kernel/random/boot_id", "boot-1\n");
    real = dir.Write("real.properties",
                     "ssl.key.password=Tr0ub4dor-test\nexactly.once.source.support=preparing\n");
    EXPECT_EQ(symlink(real.c_str(), (dir / "w.properties").c_str()), 0);
    Make();
  }
  void Make() {
    auto own_service = std::make_unique<fakes::FakeService>();
    auto own_rest = std::make_unique<fakes::FakeRest>();
    service = own_service.get();
    rest = own_rest.get();
    worker = std::make_unique<ConfiguredWorker>(
        WorkerIdentity{"w1", "payments", "http://c1:8083/", dir / "w.properties"}, files, processes,
        std::move(own_service), nullptr, std::move(own_rest));
  }
  void Jvm(const std::string& pid, const std::string& file, const std::string& main = "ConnectDistributed") {
    std::filesystem::create_directories(dir / ("proc/" + pid));
    std::string cmdline;
    for (const std::string& argument :
         {std::string("/usr/bin/java"), std::string("-x"), "org.apache.kafka.connect.cli." + main, file}) {
      cmdline += argument + '\0';
    }
    dir.Write("proc/" + pid + "/cmdline", cmdline);
    std::string stat = pid + " (java) S";
    for (int field = 4; field < 22; ++field) stat += " 1";
    dir.Write("proc/" + pid + "/stat", stat + " 5000 0\n");
  }
  std::vector<Reason> Reasons() {
    std::vector<Reason> reasons;
    for (const Problem& problem : worker->Observe().problems) reasons.push_back(problem.reason);
    return reasons;
  }

  fakes::TempDir dir;
  std::string real;
  fakes::FakeClock clock;
  PosixFileSystem files;
  worker::ProcessTable processes{clock, dir / "proc"};
  fakes::FakeService* service = nullptr;
  fakes::FakeRest* rest = nullptr;
  std::unique_ptr<ConfiguredWorker> worker;
};

TEST_F(WorkerTest, SeesFileProcessServiceAndRestTogether) {
  Jvm("100", dir / "w.properties");
  const WorkerFacts facts = worker->Observe();
  EXPECT_EQ(facts.file->mode, Mode::kPreparing);
  ASSERT_TRUE(facts.process);
  EXPECT_TRUE(facts.process->names_our_file);
  EXPECT_EQ(facts.rest->version, "4.0.0");
  EXPECT_THAT(facts.problems, testing::IsEmpty());
}

TEST_F(WorkerTest, NoProcessIsKnownToBeNone) {
  const WorkerFacts facts = worker->Observe();
  EXPECT_TRUE(facts.process_known);
  EXPECT_FALSE(facts.process);
}

TEST_F(WorkerTest, ServiceThatRunsAnotherFileIsSaid) {
  Jvm("100", dir / "other.properties");
  service->main_pid = 100;
  EXPECT_THAT(Reasons(), Contains(Reason::kFileNotInUse));
}

TEST_F(WorkerTest, StandaloneOldAndDoubleAreSaid) {
  Jvm("100", dir / "w.properties", "ConnectStandalone");
  rest->facts.version = "3.2.3";
  EXPECT_THAT(Reasons(), testing::IsSupersetOf({Reason::kWorkerStandalone, Reason::kWorkerTooOld}));
  Jvm("101", real);
  EXPECT_THAT(Reasons(), Contains(Reason::kConflict));
  EXPECT_EQ(ReasonOf(worker->Process().status()), Reason::kConflict);
}

TEST_F(WorkerTest, T23_UnparsableFileIsAProblemWithoutItsContent) {
  dir.Write("real.properties", "ssl.key.password=Tr0ub4dor-test\na=\\u00zz\n");
  const WorkerFacts facts = worker->Observe();
  EXPECT_FALSE(facts.file);
  ASSERT_FALSE(facts.problems.empty());
  EXPECT_EQ(facts.problems[0].reason, Reason::kFileUnparsable);
  for (const Problem& problem : facts.problems) {
    EXPECT_THAT(problem.message, testing::Not(testing::HasSubstr("Tr0ub4dor")));
  }
}

TEST_F(WorkerTest, T20_ReplacesTheFileBehindTheLink) {
  const std::string old = dir.Read("real.properties");
  ASSERT_TRUE(worker->ReplaceFile(Sha256Hex(old), "new\n").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "w.properties"));
  EXPECT_EQ(dir.Read("real.properties"), "new\n");
}

TEST_F(WorkerTest, T22_ChangedUnderUsIsRefusedAndTheirBytesStay) {
  EXPECT_EQ(ReasonOf(worker->ReplaceFile(Sha256Hex("what was planned"), "new\n")), Reason::kFileChanged);
  EXPECT_THAT(dir.Read("real.properties"), testing::HasSubstr("preparing"));
}

TEST_F(WorkerTest, TidiesWhatACrashLeftBesideTheFile) {
  const std::string left_over = dir.Write(".real.properties.connect-eos-tmp", "half a fi");
  ASSERT_TRUE(worker->Tidy().ok());
  EXPECT_FALSE(std::filesystem::exists(left_over));
  EXPECT_TRUE(worker->Tidy().ok());
}

TEST_F(WorkerTest, EditIsSeenAtOnceWhateverWasRemembered) {
  EXPECT_EQ(worker->Observe().file->mode, Mode::kPreparing);
  dir.Write("real.properties", "exactly.once.source.support=enabled\n");
  EXPECT_EQ(worker->Observe().file->mode, Mode::kEnabled);
}

TEST_F(WorkerTest, CheckNamesWhatIsWrong) {
  EXPECT_TRUE(worker->Check().ok());
  service->check = Err(Reason::kServiceNotFound, "no such unit");
  EXPECT_EQ(ReasonOf(worker->Check()), Reason::kServiceNotFound);
  dir.Write("real.properties", "a=\\uxx\n");
  EXPECT_EQ(ReasonOf(worker->Check()), Reason::kFileUnparsable);
  std::filesystem::remove(real);
  EXPECT_FALSE(worker->Check().ok());
}

TEST(ChangedAt, IsTheLaterTimeAndTheEndOfACoarseSecond) {
  FileStat stat;
  stat.mtime_ns = 5'000'000'000;
  stat.ctime_ns = 7'000'000'001;
  EXPECT_EQ(ChangedAt(stat), Time{Millis{7'001}});
  stat.ctime_ns = 7'000'000'000;
  EXPECT_EQ(ChangedAt(stat), Time{Millis{7'999}});
}

}  // namespace
}  // namespace eos::host
