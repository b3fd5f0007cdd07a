// Files that a text may name are read; files outside of the folder are refused or listed.

#include <articula/text/file_reach.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include <articula/base/error.h>

#include "support/temporary_folder.h"

namespace articula::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// `outer/secret.txt`, and `outer/root/` with `own.txt`, `sub/deep.txt` and links.
class Reach : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(root / "sub");
    outer.file("secret.txt", "secret");
    outer.file("root/own.txt", "own");
    outer.file("root/sub/deep.txt", "deep");
    fs::create_symlink("sub/deep.txt", root / "inward");
    fs::create_symlink("../secret.txt", root / "outward");
    fs::create_symlink(outer.path() / "secret.txt", root / "absolute");
    fs::create_directory_symlink("..", root / "up");
    fs::create_symlink("loop", root / "loop");
  }

  std::string read(const fs::path& name) const { return FileReach(root, root).read(root / name); }
  std::string error(const fs::path& name) const {
    try {
      return "read: " + read(name);
    } catch (const Error& error) {
      return error.what();
    }
  }

  const test::TemporaryFolder outer;
  const fs::path root = outer.path() / "root";
};

TEST_F(Reach, WhatLiesBeneathTheRootIsRead) {
  EXPECT_EQ(read("own.txt"), "own");
  EXPECT_EQ(read("./sub/../sub/deep.txt"), "deep");
  EXPECT_EQ(read("inward"), "deep");
  EXPECT_EQ(read(fs::canonical(root) / "own.txt"), "own") << "an absolute path into it";
  EXPECT_EQ(FileReach(root / "sub", root).read(root / "sub" / ".." / "own.txt"), "own") << "beside the study's folder";
}

TEST_F(Reach, WhatLiesOutsideIsRefusedByName) {
  const std::string why =
      "\"" + fs::canonical(root).string() +
      "\", and an untrusted study reads only what lies beneath it. Copy the file there, choose another "
      "folder with --root, or, if you trust the study, run it without --untrusted.  [file-outside]";
  for (const char* const name : {"../secret.txt", "sub/../../secret.txt", "/etc/passwd"})
    EXPECT_THAT(error(name), HasSubstr(": it lies outside of " + why)) << name;
  for (const char* const name : {"outward", "absolute"})
    EXPECT_THAT(error(name), HasSubstr("the link \"" + std::string(name) + "\" leads out of " + why)) << name;
  EXPECT_THAT(error("up/secret.txt"), HasSubstr("the link \"up\" leads out of " + why));
  EXPECT_THAT(error("up/root/own.txt"), HasSubstr("the link \"up\" leads out of ")) << "also if it comes back";
}

TEST_F(Reach, WhatIsNoFileIsRefused) {
  ASSERT_EQ(mkfifo((root / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(error("pipe"), HasSubstr("it is not a regular file.  [file-unreadable]"));
  EXPECT_THAT(error("sub"), HasSubstr("[file-unreadable]"));
  EXPECT_THAT(error("loop"), HasSubstr("there is no such file.  [file-missing]"));
  EXPECT_THAT(error("own.txt/x"), HasSubstr("there is no such file.  [file-missing]"));
  EXPECT_THAT(error("none"), HasSubstr("there is no such file.  [file-missing]"));
}

TEST_F(Reach, ARootMustHoldTheStudy) {
  try {
    FileReach(root, root / "sub");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "the study's folder \"" + fs::canonical(root).string() +
                                   "\" does not lie beneath the root \"" + fs::canonical(root / "sub").string() +
                                   "\". Choose a root that holds the study.");
  }
}

TEST_F(Reach, NobodyLeadsOutByExchangingFolders) {
  // sub/ is a folder with an own secret.txt, or a link to where another one is.
  outer.file("root/sub/secret.txt", "own");
  fs::create_directory_symlink(outer.path(), root / "trap");
  std::atomic<bool> stop = false;
  std::thread attacker([&] {
    std::error_code ignored;
    while (!stop) {
      fs::rename(root / "sub", root / "aside", ignored);
      fs::rename(root / "trap", root / "sub", ignored);
      fs::rename(root / "sub", root / "trap", ignored);
      fs::rename(root / "aside", root / "sub", ignored);
    }
  });
  const FileReach reach(root, root);
  for (int k = 0; k < 20000; ++k) {
    try {
      ASSERT_EQ(reach.read(root / "sub" / "secret.txt"), "own");
    } catch (const Error&) {
    }
  }
  stop = true;
  attacker.join();
}

TEST_F(Reach, WithoutARootFilesElsewhereAreListed) {
  const FileReach reach(root), copy = reach;
  EXPECT_EQ(reach.read(root / "own.txt"), "own");
  EXPECT_EQ(reach.read(root / "sub" / ".." / "inward"), "deep");
  EXPECT_THAT(reach.elsewhere(), IsEmpty());
  EXPECT_EQ(reach.read(root / "outward"), "secret");
  EXPECT_EQ(reach.read(root / ".." / "secret.txt", "${DATA}/secret.txt"), "secret");
  EXPECT_EQ(reach.read(root / "outward"), "secret");
  EXPECT_THAT(copy.elsewhere(), ElementsAre((root / "outward").string(), "${DATA}/secret.txt"));
  EXPECT_TRUE(reach.is_elsewhere(root / "outward"));
  EXPECT_FALSE(reach.is_elsewhere(root / "inward"));
}

TEST_F(Reach, ATextMayStandInPlaceOfAFile) {
  for (FileReach reach : {FileReach(root), FileReach(root, root)}) {
    reach.replace(root / "own.txt", "stored");
    reach.replace(root / ".." / "gone.txt", "");
    EXPECT_EQ(reach.read(root / "own.txt"), "stored");
    EXPECT_EQ(reach.read(root / ".." / "gone.txt"), "");
    EXPECT_EQ(reach.read(root / "sub" / ".." / "inward"), "deep");
    EXPECT_THAT(reach.elsewhere(), IsEmpty());
  }
}

TEST_F(Reach, APathThatIsNotShownStaysOutOfMessages) {
  try {
    FileReach(root).read("/nowhere/secret/x.txt", "${DATA}/x.txt");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "${DATA}/x.txt: there is no such file.  [file-missing]");
  }
}

}  // namespace
}  // namespace articula::test
