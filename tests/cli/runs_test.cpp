// The program on stored runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include <articula/store/store.h>

#include "program.h"
#include "support/sanitized.h"

namespace articula::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class Runs : public testing::Test {
 protected:
  Runs() {
    if (std::string_view(ARTICULA_PROGRAM).empty()) return;
    Store store(file, Store::Access::write);
    first = add(store, 1.0);
    same = add(store, 1.0);
    other = add(store, 1.5);
  }
  void SetUp() override {
    if (std::string_view(ARTICULA_PROGRAM).empty()) GTEST_SKIP() << "the program is not built";
  }

  static std::string add(Store& store, double end) {
    RunOrigin provenance = RunOrigin::here();
    provenance.study = "elbow_swing";
    provenance.texts = {{"study", "elbow.yaml", "articula_study: 1\n"}};
    const std::array<NewTask, 1> tasks{{{"motion", "simulate"}}};
    const std::string id = store.add_run(provenance, tasks);
    const TaskId task = store.run(id).tasks[0].id;
    TaskWriter writer = store.write(task);
    writer.columns(std::array<StoredSignal, 2>{{{"t", "s"}, {"q.elbow", "rad"}}});
    writer.row(std::array{0.0, 0.5});
    writer.row(std::array{0.1, end});
    writer.finish(RunStatus::done);
    store.set_counts(task, std::array<Count, 1>{{{"right-hand sides", 42}}});
    store.set_checks(
        id, std::array<CheckResult, 1>{{{"motion", "end", "q.elbow", 1, end, 1e-9, end == 1.0,
                                         "is 1.5 rad, expected 1 ± 1e-09 rad; off by 0.5 rad", "closed form"}}});
    store.set_status(id, RunStatus::done);
    return id;
  }
  Outcome runs(const std::string& arguments) const {
    return articula_program("runs " + arguments + " --store '" + file + "'");
  }

  TemporaryFolder folder;
  std::string file = folder.path("runs.db"), first, same, other;
};

TEST_F(Runs, list_shows_all_runs_the_newest_first) {
  const Outcome text = runs("list");
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, StartsWith("run         created               status       study        tasks       rows  "
                                   "checks\n" +
                                   other + "  "));
  EXPECT_THAT(text.out, HasSubstr("1 of 1 failed\n"));
  const nlohmann::json json = nlohmann::json::parse(runs("list --json").out);
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[2]["id"], first);
  EXPECT_EQ(json[2]["rows"], 2);
  EXPECT_EQ(json[2]["checks_passed"], 1);
}

TEST_F(Runs, show_tells_where_a_run_comes_from_and_what_came_out) {
  const Outcome shown = runs("show latest");
  EXPECT_EQ(shown.code, 0);
  EXPECT_THAT(shown.out,
              AllOf(StartsWith("run " + other + ": done\n  study    elbow_swing\n"),
                    HasSubstr("  motion  simulate  done  2 rows of 2 signals\n    right-hand sides: 42\n"
                              "    signals: t [s], q.elbow [rad]\n"),
                    HasSubstr("  FAIL  end: is 1.5 rad, expected 1 ± 1e-09 rad; off by 0.5 rad  (closed form)\n")));
  const nlohmann::json json = nlohmann::json::parse(runs("show " + first.substr(0, 8) + " --json").out);
  EXPECT_EQ(json["id"], first);
  EXPECT_EQ(json["texts"][0]["text"], "articula_study: 1\n");
  EXPECT_EQ(json["tasks"][0]["counts"]["right-hand sides"], 42);
}

TEST_F(Runs, compare_ends_with_1_where_runs_differ) {
  const Outcome equal = runs("compare " + first + " " + same);
  EXPECT_EQ(equal.code, 0);
  EXPECT_EQ(equal.out, "motion: bit-identical, 2 rows\nruns " + first + " and " + same + " are bit-identical\n");
  const Outcome differ = runs("compare " + first + " latest");
  EXPECT_EQ(differ.code, 1);
  EXPECT_THAT(differ.out, HasSubstr("  q.elbow [rad]: largest difference 0.5 at 0.1: 1 and 1.5\n"));
  EXPECT_THAT(differ.out, HasSubstr(" differ\n"));
  const Outcome near = runs("compare " + first + " latest --tolerance 0.5");
  EXPECT_EQ(near.code, 0);
  EXPECT_THAT(near.out, HasSubstr("within the tolerance\n"));
  EXPECT_EQ(runs("compare " + first + " latest --tolerance -1").code, 2);
}

TEST_F(Runs, export_writes_by_the_ending) {
  const Outcome csv = runs("export latest -o '" + folder.path("a.csv") + "'");
  EXPECT_EQ(csv.code, 0) << csv.err;
  std::ifstream in(folder.path("a.csv"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "t [s],q.elbow [rad]\r\n0,0.5\r\n0.1,1.5\r\n");
  EXPECT_EQ(runs("export latest -o '" + folder.path("a.h5") + "'").code, 0);
  EXPECT_EQ(runs("export latest -o '" + folder.path("a.mcap") + "'").code, 0);
  const Outcome unknown = runs("export latest -o '" + folder.path("a.doc") + "'");
  EXPECT_EQ(unknown.code, 3);
  EXPECT_THAT(unknown.err, HasSubstr("the ending \".doc\" names no known format. Known: .csv, .h5 and .hdf5, .mcap."));
  EXPECT_THAT(runs("export latest --task moton -o '" + folder.path("a.csv") + "'").err,
              HasSubstr("Did you mean \"motion\"?"));
}

TEST_F(Runs, an_export_ends_with_a_file_or_a_reason_whatever_the_memory) {
  if (articula::test::sanitized) GTEST_SKIP() << "sanitizers need more memory than the limits leave";
  for (const int limit : {40000, 50000, 55000, 60000, 70000, 80000, 100000}) {
    SCOPED_TRACE(limit);
    const std::string out = folder.path("out" + std::to_string(limit) + ".h5");
    const std::string limited = "ulimit -v " + std::to_string(limit) + "; ";
    if (articula_program("--version", limited).code != 0) continue;  // not even the program can be loaded
    const Outcome outcome = articula_program("runs export latest -o " + out + " --store " + file, limited);
    EXPECT_THAT(outcome.code, AnyOf(0, 3, 5)) << outcome.err;
    EXPECT_EQ(std::filesystem::exists(out), outcome.code == 0);
    EXPECT_THAT(outcome.err, AnyOf(StartsWith("wrote "), AllOf(StartsWith("error: "), EndsWith("]\n"))));
  }
}

TEST_F(Runs, delete_says_what_is_gone) {
  const Outcome gone = runs("delete " + first + " " + same);
  EXPECT_EQ(gone.code, 0);
  EXPECT_THAT(gone.err, StartsWith("deleted run " + first + ": elbow_swing of "));
  EXPECT_THAT(gone.err, HasSubstr(", 1 task, 2 rows\ndeleted run " + same));
  EXPECT_EQ(nlohmann::json::parse(runs("list --json").out).size(), 1u);
  const Outcome again = runs("delete " + first);
  EXPECT_EQ(again.code, 3);
  EXPECT_THAT(again.err, HasSubstr("[no-such-run]"));
}

TEST_F(Runs, a_store_that_is_not_there_is_not_made) {
  file = folder.path("none.db");
  for (const char* command : {"list", "show latest", "delete latest", "resume latest", "verify"}) {
    const Outcome outcome = runs(command);
    EXPECT_EQ(outcome.code, 3) << command;
    EXPECT_THAT(outcome.err, HasSubstr("[store-missing]")) << command;
  }
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(Runs, verify_finds_damage_and_salvage_saves_the_rest) {
  EXPECT_EQ(runs("verify").code, 0);
  std::string bytes;
  {
    std::ifstream in(file, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  const double value = 1.5;
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&value), sizeof value));
  ASSERT_NE(at, std::string::npos);
  bytes[at + 2] = 1;
  std::ofstream(file, std::ios::binary) << bytes;
  const Outcome found = runs("verify");
  EXPECT_EQ(found.code, 1);
  EXPECT_THAT(found.err, HasSubstr("the rows from number 0 on are damaged, or missing."));
  const Outcome saved = runs("salvage '" + folder.path("new.db") + "'");
  EXPECT_EQ(saved.code, 0);
  EXPECT_THAT(saved.err, HasSubstr("new.db: 3 runs\n"));
}

}  // namespace
}  // namespace articula::test
