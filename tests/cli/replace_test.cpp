// Files that the program does not overwrite, runs whose store is removed, and damaged rows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <sqlite3.h>

#include "cli/program.h"

namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::Eq;
using testing::HasSubstr;
using testing::Not;

constexpr const char* pendulum = R"(articula: 1
name: pendulum
bodies: {rod: {mass: 2, com: [0, 0, -0.5]}}
joints: {hinge: {type: revolute, axis: y, from: world, to: rod}}
)";

std::string content(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Executes SQL without the program.
void sql(const std::string& file, const char* text) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, text, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
}

/// A folder with a model, a study of it and a store.
class Replace : public testing::Test {
 protected:
  Replace() {
    model = folder.file("pendulum.yaml", pendulum);
    const std::string head = "articula_study: 1\nmodel: pendulum.yaml\nstart: {q: {hinge: 1}}\n";
    study =
        folder.file("swing.yaml", head + "tasks: {a: {type: simulate, until: 2 s}, b: {type: simulate, until: 1 s}}\n");
    long_study =
        folder.file("long.yaml", head + "tasks: {swing: {type: simulate, until: 500000 s, tolerance: 1e-10}}\n");
    store = folder.path("runs.db");
  }
  void SetUp() override { ASSERT_EQ(articula_program("run " + study + " --store " + store).code, 0); }
  Outcome on_store(const std::string& command) const { return articula_program(command + " --store " + store); }

  TemporaryFolder folder;
  std::string model, study, long_study, store;
};

TEST_F(Replace, the_store_is_never_written_over) {
  const std::string before = content(store);
  fs::create_symlink("runs.db", folder.path("link.html"));
  for (const char* name : {"runs.db", "link.html", "runs.db-wal", "runs.db-lock"}) {
    for (const char* command : {"report latest -o ", "runs export latest --format hdf5 -o ",
                                "runs export latest --task a --format csv --force -o "}) {
      const Outcome outcome = on_store(command + folder.path(name));
      EXPECT_EQ(outcome.code, 3) << command << name;
      EXPECT_THAT(outcome.err,
                  EndsWith(std::string(name) + ": it belongs to the store that the run is read from. Name another "
                                               "file.  [file-is-input]\n"));
    }
  }
  fs::create_hard_link(store, folder.path("hard.csv"));
  EXPECT_THAT(on_store("runs export latest --task a -o " + folder.path("hard.csv")).err, HasSubstr("[file-is-input]"));
  EXPECT_THAT(on_store("runs salvage " + folder.path("hard.csv")).err, HasSubstr("[file-exists]"));
  EXPECT_EQ(content(store), before);
}

TEST_F(Replace, files_of_others_are_kept_and_our_own_replaced) {
  const std::vector<std::pair<std::string, std::string>> outputs{
      {"report latest -o ", "page.html"},
      {"runs export latest -o ", "out.h5"},
      {"runs export latest -o ", "out.mcap"},
      {"runs export latest --task a -o ", "out.csv"},
  };
  for (const auto& [command, name] : outputs) {
    SCOPED_TRACE(name);
    const std::string file = folder.file(name, "mine");
    const Outcome refused = on_store(command + file);
    EXPECT_EQ(refused.code, 3);
    EXPECT_THAT(refused.err,
                AllOf(HasSubstr(name + ": the file is there already and is no "),
                      EndsWith(" of Articula. Name another file, or replace it with --force.  [file-exists]\n")));
    EXPECT_EQ(content(file), "mine");
    EXPECT_EQ(on_store(command + file + " --force").code, 0);
    EXPECT_THAT(content(file), Not(Eq("mine")));
    EXPECT_EQ(on_store(command + file).code, 0) << "it is our own now";
    std::ofstream(file, std::ios::trunc).close();
    EXPECT_EQ(on_store(command + file).code, 0) << "an empty file";
  }
}

TEST_F(Replace, of_several_tables_none_is_written_if_one_is_not_ours) {
  const std::string foreign = folder.file("out_b.csv", "mine");
  EXPECT_EQ(on_store("runs export latest -o " + folder.path("out.csv")).code, 3);
  EXPECT_FALSE(fs::exists(folder.path("out_a.csv")));
  EXPECT_EQ(content(foreign), "mine");
}

TEST_F(Replace, convert_replaces_no_model_unasked) {
  fs::create_hard_link(model, folder.path("same.yaml"));
  EXPECT_THAT(articula_program("convert " + model + " " + folder.path("same.yaml")).err,
              HasSubstr(", which is read. Name another file, or replace it with --force.  [file-is-input]"));
  const std::string other = folder.file("other.urdf", "<robot/>");
  const Outcome refused = articula_program("convert " + model + " " + other);
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, EndsWith("other.urdf: the file is there already. Name another file, or replace it with "
                                    "--force.  [file-exists]\n"));
  EXPECT_EQ(content(other), "<robot/>");
  EXPECT_EQ(articula_program("convert --force " + model + " " + other).code, 0);
  EXPECT_THAT(content(other), HasSubstr("pendulum"));
}

TEST_F(Replace, generate_keeps_what_it_did_not_write) {
  const std::string command = "generate " + model + " --algorithm mass_matrix -o " + folder.path("code");
  fs::create_directory(folder.path("code"));
  const std::string readme = folder.file("code/README.md", "# My notes\n");
  const std::string part = folder.file("code/pendulum_mass_matrix.c.part", "mine");
  const Outcome refused = articula_program(command);
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, EndsWith("README.md: the file is there already and is no generated file of Articula. Name "
                                    "another file, or replace it with --force.  [file-exists]\n"));
  EXPECT_EQ(content(readme), "# My notes\n");
  EXPECT_FALSE(fs::exists(folder.path("code/CMakeLists.txt")));
  EXPECT_EQ(articula_program(command + " --force").code, 0);
  const Outcome again = articula_program(command);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(content(part), "mine");
}

TEST_F(Replace, a_run_whose_store_is_removed_does_not_end_as_if_it_were_stored) {
  const std::string other = folder.path("gone.db");
  const Outcome outcome =
      articula_program("run " + long_study + " --store " + other, "(sleep 0.7; rm -f " + other + "*) & timeout 20 ");
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.out, Not(HasSubstr(" is in ")));
  EXPECT_THAT(outcome.err, HasSubstr("gone.db: the file was removed, renamed or replaced while the store was in use."));
}

TEST_F(Replace, damaged_tasks_that_were_done_are_computed_again) {
  const std::string whole = folder.path("whole.db");
  fs::copy_file(store, whole);
  sql(store, "DELETE FROM blocks WHERE task = 1");
  EXPECT_EQ(on_store("runs verify").code, 1);
  const Outcome resumed = on_store("runs resume latest");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("runs.db: task \"a\" was done, but some of its rows are damaged, or missing. They "
                                     "are computed again.  [rows-damaged]"));
  EXPECT_THAT(resumed.out,
              AllOf(HasSubstr("a (simulate): done, 201 rows"), HasSubstr("b (simulate): done before, 101 rows")));
  EXPECT_EQ(on_store("runs verify").code, 0);
  EXPECT_THAT(on_store("runs compare latest latest --other-store " + whole).out, HasSubstr("are bit-identical\n"));
}

TEST_F(Replace, a_run_does_not_go_on_with_a_damaged_text) {
  sql(store, "UPDATE texts SET text = replace(text, 'mass: 2', 'mass: 3'); DELETE FROM blocks");
  const Outcome resumed = on_store("runs resume latest");
  EXPECT_EQ(resumed.code, 3);
  EXPECT_THAT(resumed.err,
              HasSubstr("pendulum.yaml\" is damaged. The run cannot go on; run the study again.  [run-incomplete]"));
}

}  // namespace
