#include "common/files/atomic_replace.h"

#include <gmock/gmock.h>
#include <sys/acl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "tests/fakes/faulty_file_system.h"
#include "tests/fakes/temp_dir.h"

namespace eos {
namespace {

using Fault = fakes::FaultyFileSystem::Fault;

TEST(AtomicReplace, T21_WhateverStepFailsTheFileIsOldOrNewAndNoTemporaryStays) {
  for (const Fault kind : {Fault::kFail, Fault::kCrashBefore, Fault::kCrashAfter, Fault::kTorn}) {
    for (int step = 1;; ++step) {
      fakes::FaultyFileSystem disk;
      disk.files["d/f"] = "old";
      disk.fault = [&](int number) { return number == step ? kind : Fault::kNone; };
      bool failed = false;
      try {
        failed = !AtomicReplace(disk, "d/f", "new bytes").ok();
      } catch (const fakes::Crash&) {
        failed = true;
      }
      EXPECT_THAT(disk.files["d/f"], testing::AnyOf("old", "new bytes")) << step;
      disk.fault = [](int) { return Fault::kNone; };
      ASSERT_TRUE(RemoveLeftOver(disk, "d/f").ok());
      EXPECT_EQ(disk.files.size(), 1U) << step;
      if (!failed) break;
      ASSERT_LT(step, 10);
    }
  }
}

TEST(AtomicReplace, T20_OwnerModeAclAndAttributesAreKeptAndTheInodeIsNew) {
  const fakes::TempDir dir;
  const std::string path = dir.Write("worker.properties", "old");
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  if (geteuid() == 0) {
    ASSERT_EQ(chown(path.c_str(), 12345, 23456), 0);
  }
  const bool attributes = setxattr(path.c_str(), "user.mark", "m", 1, 0) == 0;
  acl_t acl = acl_from_text("u::rw-,u:nobody:r--,g::r--,m::r--,o::---");
  const bool acls = acl_set_file(path.c_str(), ACL_TYPE_ACCESS, acl) == 0;
  acl_free(acl);
  struct stat before {};
  stat(path.c_str(), &before);

  PosixFileSystem files;
  ASSERT_TRUE(AtomicReplace(files, path, "new").ok());
  struct stat after {};
  stat(path.c_str(), &after);
  EXPECT_EQ(dir.Read("worker.properties"), "new");
  EXPECT_NE(after.st_ino, before.st_ino);
  EXPECT_EQ(after.st_mode, before.st_mode);
  EXPECT_EQ(after.st_uid, before.st_uid);
  EXPECT_EQ(after.st_gid, before.st_gid);
  if (attributes) {
    char value = 0;
    EXPECT_EQ(getxattr(path.c_str(), "user.mark", &value, 1), 1);
  }
  if (acls) {
    acl_t kept = acl_get_file(path.c_str(), ACL_TYPE_ACCESS);
    char* text = acl_to_text(kept, nullptr);
    EXPECT_THAT(text, testing::HasSubstr("user:nobody:r--"));
    acl_free(text);
    acl_free(kept);
  }
}

TEST(AtomicReplace, NewFileIsPrivate) {
  const fakes::TempDir dir;
  PosixFileSystem files;
  ASSERT_TRUE(AtomicReplace(files, dir / "record.json", "{}").ok());
  struct stat info {};
  stat((dir / "record.json").c_str(), &info);
  EXPECT_EQ(info.st_mode & 07777U, 0600U);
}

}  // namespace
}  // namespace eos
