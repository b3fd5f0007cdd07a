// Files are written completely or not at all.

#include <articula/text/output_file.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include <articula/text/file.h>

#include "support/temporary_folder.h"

namespace fs = std::filesystem;

namespace articula::test {
namespace {

using articula::test::TemporaryFolder;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

TEST(OutputFile, the_old_file_stays_until_the_new_one_is_complete) {
  const TemporaryFolder folder;
  const fs::path file = folder.file("a.txt", "old");
  {
    OutputFile output(file);
    output.write("new");
    EXPECT_EQ(read_text_file(file), "old");
    output.complete();
    EXPECT_EQ(read_text_file(file), "new");
  }
  EXPECT_THAT(names_in(folder.path()), ElementsAre("a.txt"));
}

TEST(OutputFile, what_is_not_complete_leaves_nothing) {
  const TemporaryFolder folder;
  const fs::path file = folder.file("a.txt", "old");
  { OutputFile(file).write(std::string(3 << 20, 'x')); }
  EXPECT_EQ(read_text_file(file), "old");
  EXPECT_THAT(names_in(folder.path()), ElementsAre("a.txt"));
}

TEST(OutputFile, links_are_followed_and_permissions_kept) {
  const TemporaryFolder folder;
  const fs::path file = folder.file("a.txt", "old");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("a.txt", folder.path("link.txt"));
  write_text_file(folder.path("link.txt"), "new");
  EXPECT_TRUE(fs::is_symlink(folder.path("link.txt")));
  EXPECT_EQ(read_text_file(file), "new");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(OutputFile, parts_can_be_written_anywhere) {
  const TemporaryFolder folder;
  const fs::path file = folder.path("a.txt");
  OutputFile output(file);
  output.write("begin");
  output.resize(8);
  output.write_at(6, "x");
  output.complete();
  EXPECT_EQ(read_text_file(file), std::string("begin\0x\0", 8));
}

TEST(OutputFile, a_new_file_takes_no_name_that_another_has) {
  const TemporaryFolder folder;
  const fs::path made = folder.file("made", "new"), taken = folder.file("taken", "old");
  EXPECT_EQ(place_new_file(made, taken), EEXIST);
  EXPECT_EQ(read_text_file(taken), "old");
  EXPECT_EQ(place_new_file(made, folder.path("free")), 0);
  EXPECT_EQ(read_text_file(folder.path("free")), "new");
  EXPECT_THAT(names_in(folder.path()), UnorderedElementsAre("taken", "free"));
}

}  // namespace
}  // namespace articula::test
