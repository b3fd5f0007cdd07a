#include <articula/formats/load.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

#include <articula/base/text.h>

#include "support/temporary_folder.h"

namespace articula::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class Load : public testing::Test {
 protected:
  fs::path put(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  static std::string content(const fs::path& file) {
    std::stringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_)) all.push_back(entry.path().filename().string());
    return all;
  }
  /// The error, without the name of the folder.
  std::string error_of(const std::function<void()>& action) const {
    try {
      action();
    } catch (const Error& error) {
      std::string text = error.what();
      const std::string prefix = folder_.string();
      for (std::size_t at; (at = text.find(prefix)) != std::string::npos;) text.replace(at, prefix.size(), "FOLDER");
      return text;
    }
    return "no error";
  }

  const test::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

constexpr std::string_view urdf = "<robot name=\"arm\"><link name=\"a\"/></robot>";
constexpr std::string_view yaml = "articula: 1\nname: arm\nbodies: {a: {mass: 1}}\n";

Model pendulum() {
  Model model("pendulum");
  model.add("rod", RigidBody{.mass = 1, .com = {0, 0, -1}});
  model.add("pivot", Joint{.axis = y_axis}, "world", "rod");
  return model;
}

/// Runs a function in a child process, since it would affect other tests; returns the exit code.
int in_a_process(const std::function<int()>& action) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(action());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_F(Load, TheExtensionChoosesTheFormat) {
  for (const std::string_view name : {"arm.urdf", "arm.xml", "ARM.URDF"})
    EXPECT_EQ(load(put(std::string(name), urdf)).name, "arm");
  for (const std::string_view name : {"arm.yaml", "arm.yml", "arm.YAML"})
    EXPECT_EQ(load(put(std::string(name), yaml)).name, "arm");
}

TEST_F(Load, TheTextChoosesTheFormatWhereTheExtensionDoesNot) {
  EXPECT_EQ(load(put("arm", "\xef\xbb\xbf  <!-- x -->" + std::string(urdf))).name, "arm");
  EXPECT_EQ(load(put("arm.txt", "# an arm\n" + std::string(yaml))).name, "arm");
  EXPECT_EQ(error_of([&] { load(put("arm.doc", "hello")); }),
            "FOLDER/arm.doc: the extension \".doc\" names no known format, and the text does not begin like "
            "one. Known: .yaml and .yml (native), .urdf and .xml (URDF).  [format-unknown]");
}

TEST_F(Load, OptionsAndFindingsArePassedOn) {
  Findings findings;
  const Model model = load(put("arm.urdf", "<robot name=\"arm\"><link name=\"a\"/><gazebo/></robot>"), &findings,
                           {.base = ReadOptions::Base::floating});
  EXPECT_EQ(model.names(Family::joint), std::vector<std::string>{"floating_base"});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, "not-expressed");
}

TEST_F(Load, MessagesBeginWithTheFileAsItWasNamed) {
  EXPECT_THAT(error_of([&] { load(put("arm.urdf", "<robot name=\"arm\">\n<link/></robot>")); }),
              HasSubstr("FOLDER/arm.urdf:2: link: <link> needs an attribute name."));
}

TEST_F(Load, AMissingFileIsNamedWithWhatWasProbablyMeant) {
  put("elbow.yaml", yaml);
  EXPECT_EQ(error_of([&] { load(folder_ / "elbov.yaml"); }),
            "FOLDER/elbov.yaml: there is no such file. Did you mean \"elbow.yaml\"?  [file-missing]");
  EXPECT_EQ(error_of([&] { load(folder_ / "nowhere" / "elbow.yaml"); }),
            "FOLDER/nowhere/elbow.yaml: there is no folder \"FOLDER/nowhere\".  [file-missing]");
}

TEST_F(Load, FoldersAndPipesAreNotRead) {
  EXPECT_EQ(error_of([&] { load(folder_); }), "FOLDER: it is a folder. Name a file in it.  [file-unreadable]");
  ASSERT_EQ(::mkfifo((folder_ / "pipe.urdf").c_str(), 0600), 0);
  EXPECT_EQ(error_of([&] { load(folder_ / "pipe.urdf"); }),
            "FOLDER/pipe.urdf: it is not a regular file.  [file-unreadable]");
}

TEST_F(Load, AFileThatMayNotBeReadIsAnError) {
  const fs::path file = put("arm.urdf", urdf);
  fs::permissions(file, fs::perms::none);
  fs::permissions(folder_, fs::perms::all);
  const auto read = [&] {
    if (::geteuid() == 0 && ::seteuid(65534) != 0) return 9;
    const std::string error = error_of([&] { load(file); });
    return error == "FOLDER/arm.urdf: it cannot be opened: Permission denied.  [file-unreadable]" ? 0 : 1;
  };
  EXPECT_EQ(in_a_process(read), 0);
}

TEST_F(Load, AHugeFileIsRefusedUnread) {
  const fs::path file = put("arm.urdf", "");
  fs::resize_file(file, (std::uintmax_t{1} << 30) + 1);  // sparse
  EXPECT_EQ(error_of([&] { load(file); }),
            "FOLDER/arm.urdf: it has 1073741825 bytes. Files up to 1073741824 bytes are read.  [file-too-large]");
}

// Saving ----------------------------------------------------------------------------------------------------

TEST_F(Load, WhatIsSavedIsLoadedEqual) {
  for (const std::string_view name : {"arm.urdf", "arm.yaml"}) {
    const fs::path file = folder_ / name;
    save(pendulum(), file);
    EXPECT_EQ(load(file), pendulum());
  }
  EXPECT_THAT(names(), UnorderedElementsAre("arm.urdf", "arm.yaml"));
}

TEST_F(Load, LossesArePassedOn) {
  Model model = pendulum();
  model.add("s", Spring{}, "world", "rod");
  Findings losses;
  save(model, folder_ / "arm.urdf", &losses);
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses[0].code, "not-expressed");
}

TEST_F(Load, TheExtensionMustNameAFormat) {
  EXPECT_EQ(error_of([&] { save(pendulum(), folder_ / "arm.doc"); }),
            "FOLDER/arm.doc: the extension \".doc\" names no known format. Known: .yaml and .yml (native), "
            ".urdf and .xml (URDF).  [format-unknown]");
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(Load, AFileIsReplacedWithItsPermissionsAndThroughLinks) {
  const fs::path file = put("arm.urdf", "old");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("arm.urdf", folder_ / "link.urdf");
  save(pendulum(), folder_ / "link.urdf");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.urdf"));
  EXPECT_EQ(load(file), pendulum());
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_THAT(names(), UnorderedElementsAre("arm.urdf", "link.urdf"));
}

TEST_F(Load, NothingIsWrittenWhereAFolderIs) {
  fs::create_directory(folder_ / "arm.urdf");
  EXPECT_EQ(error_of([&] { save(pendulum(), folder_ / "arm.urdf"); }),
            "FOLDER/arm.urdf: it is a folder. Name a file in it.  [file-unwritable]");
  EXPECT_EQ(error_of([&] { save(pendulum(), folder_ / "nowhere" / "arm.urdf"); }),
            "FOLDER/nowhere/arm.urdf: no file can be made in the folder \"FOLDER/nowhere\": No such file or "
            "directory. What was there is unchanged.  [file-unwritable]");
}

TEST_F(Load, AReadOnlyFolderIsAnErrorAndKeepsWhatItHas) {
  const fs::path file = put("arm.urdf", "old");
  fs::permissions(folder_,
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  const auto write = [&] {
    if (::geteuid() == 0 && ::seteuid(65534) != 0) return 9;
    const std::string error = error_of([&] { save(pendulum(), file); });
    return error == "FOLDER/arm.urdf: no file can be made in the folder \"FOLDER\": Permission denied. What "
                    "was there is unchanged.  [file-unwritable]"
               ? 0
               : 1;
  };
  EXPECT_EQ(in_a_process(write), 0);
  EXPECT_EQ(content(file), "old");
}

TEST_F(Load, AFullDiskIsAnErrorAndKeepsWhatWasThere) {
  const fs::path file = put("arm.urdf", "old");
  const auto write = [&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100, 100};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 9;
    const std::string error = error_of([&] { save(pendulum(), file); });
    return error == "FOLDER/arm.urdf: it cannot be written: File too large. What was there is unchanged.  "
                    "[file-unwritable]"
               ? 0
               : 1;
  };
  EXPECT_EQ(in_a_process(write), 0);
  EXPECT_EQ(content(file), "old");
  EXPECT_THAT(names(), ElementsAre("arm.urdf"));
}

}  // namespace
}  // namespace articula::test
