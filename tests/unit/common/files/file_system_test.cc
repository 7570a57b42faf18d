#include "common/files/file_system.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "common/files/sha256.h"
#include "tests/fakes/temp_dir.h"

namespace eos {
namespace {

TEST(Sha256, IsTheKnownOne) {
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(PosixFileSystem, MissingIsToldFromUnreadable) {
  const fakes::TempDir dir;
  const PosixFileSystem files;
  EXPECT_EQ(ReasonOf(files.Read(dir / "none", 10).status()), Reason::kNotFound);
  EXPECT_EQ(ReasonOf(files.Read(dir.path(), 10).status()), Reason::kFileUnreadable);
}

TEST(PosixFileSystem, FifoInAFilesPlaceDoesNotHoldUsUp) {
  const fakes::TempDir dir;
  ASSERT_EQ(mkfifo((dir / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(ReasonOf(PosixFileSystem().Read(dir / "fifo", 10).status()), Reason::kFileUnreadable);
}

TEST(PosixFileSystem, TooLargeIsRefused) {
  const fakes::TempDir dir;
  dir.Write("large", std::string(100, 'x'));
  EXPECT_EQ(ReasonOf(PosixFileSystem().Read(dir / "large", 99).status()), Reason::kFileUnreadable);
  EXPECT_EQ(PosixFileSystem().Read(dir / "large", 100)->size(), 100U);
}

TEST(PosixFileSystem, LinkIsResolvedAndNewFilesNeverFollowOne) {
  const fakes::TempDir dir;
  const std::string target = dir.Write("target", "x");
  ASSERT_EQ(symlink(target.c_str(), (dir / "link").c_str()), 0);
  PosixFileSystem files;
  EXPECT_EQ(*files.RealPath(dir / "link"), *files.RealPath(target));
  EXPECT_FALSE(files.WriteNew(dir / "link", "y").ok());
  EXPECT_EQ(dir.Read("target"), "x");
}

TEST(PosixFileSystem, FoldersAreMadeAllTheWay) {
  const fakes::TempDir dir;
  PosixFileSystem files;
  ASSERT_TRUE(files.MakeDirectories(dir / "a/b/c", 0700).ok());
  ASSERT_TRUE(files.WriteNew(dir / "a/b/c/f", "x").ok());
  EXPECT_THAT(*files.List(dir / "a/b/c"), testing::ElementsAre("f"));
  EXPECT_FALSE(files.MakeDirectories(dir / "a/b/c/f", 0700).ok());
  EXPECT_TRUE(files.Remove(dir / "a/b/c/none").ok());
}

}  // namespace
}  // namespace eos
