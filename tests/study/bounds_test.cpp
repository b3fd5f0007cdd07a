// Studies from strangers: what they may read and use, and what of other people's files lands in stores and messages.

#include <articula/study/bounds.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "study/study_text.h"

namespace articula::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_study::Bench;
using testing_study::Folder;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// Everything that a store holds: its file and its log.
std::string stored(const Bench& bench) { return text_of(bench.store_file()) + text_of(bench.store_file() + "-wal"); }

struct Told {
  RunOptions options() {
    RunOptions options;
    options.tell = [this](const Finding& finding) { texts.push_back(to_text(finding)); };
    return options;
  }
  std::vector<std::string> texts;
};

RunReport run(const Bench& bench, std::optional<StudyBounds> bounds, const RunOptions& options = {}) {
  Store store(bench.store_file(), Store::Access::write);
  Study study = bench.study();
  study.bounds = std::move(bounds);
  return run_study(study, store, options);
}

std::string error(const Bench& bench, std::optional<StudyBounds> bounds = StudyBounds()) {
  try {
    run(bench, std::move(bounds));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

const std::string swing = "start: {q: {hinge: 1}}\ntasks: {swing: {type: simulate, until: 2 s}}\n";

/// A study along a table.
std::string along(const std::string& file) {
  return "trajectories: {w: {type: table, joints: all, file: " + file +
         "}}\ntasks: {t: {type: inverse_dynamics, along: w}}\n";
}

TEST(Untrusted, ReadsWhatLiesInItsFolder) {
  Bench bench(along("motion.csv") +
              "checks: [{task: t, table: motion.csv, columns: {q.hinge: hinge}, within: 1e-9}]\n");
  bench.folder.file("motion.csv", "t,hinge\n0,0\n1,1\n2,0\n3,1\n");
  const RunReport report = run(bench, StudyBounds());
  EXPECT_EQ(report.status, RunStatus::done);
  EXPECT_TRUE(report.checks.at(0).result.pass) << report.checks.at(0).result.message;
}

TEST(Untrusted, ReadsNothingElse) {
  const Folder other;
  const std::string table = other.file("motion.csv", "t,hinge\n0,0\n1,1\n2,0\n3,1\n");
  EXPECT_EQ(error(Bench(along(table)), std::nullopt), "no error");
  EXPECT_THAT(error(Bench(along(table))),
              AllOf(HasSubstr(table + ": it lies outside of "), HasSubstr("[file-outside]")));
  EXPECT_THAT(
      error(Bench(swing + "checks: [{task: swing, table: " + table + ", columns: {q.hinge: hinge}, within: 1}]\n")),
      AllOf(HasSubstr("check: table " + table + ": it lies outside of "), HasSubstr("[file-outside]")));
  Bench linked(along("link.csv"));
  fs::create_symlink(table, linked.folder.path("link.csv"));
  EXPECT_THAT(error(linked), HasSubstr("the link \"link.csv\" leads out of "));

  const Bench model(swing);
  fs::rename(model.folder.path("pendulum.yaml"), other.path("pendulum.yaml"));
  fs::create_symlink(other.path("pendulum.yaml"), model.folder.path("pendulum.yaml"));
  EXPECT_EQ(error(model, std::nullopt), "no error");
  EXPECT_THAT(error(model),
              AllOf(HasSubstr("swing.yaml:2: model: "), HasSubstr("the link \"pendulum.yaml\" leads out")));
}

TEST(Untrusted, ARootWidensWhatMayBeRead) {
  const Bench bench(along("../motion.csv"));
  const fs::path sub = bench.folder.path("sub");
  fs::create_directory(sub);
  for (const char* const name : {"swing.yaml", "pendulum.yaml"}) fs::rename(bench.folder.path(name), sub / name);
  bench.folder.file("motion.csv", "t,hinge\n0,0\n1,1\n2,0\n3,1\n");
  Findings findings;
  Study study = load_study(sub / "swing.yaml", findings);
  study.bounds = StudyBounds();
  EXPECT_TRUE(has_errors(prepare_study(study).findings));
  study.bounds->root = bench.folder.path();
  EXPECT_FALSE(has_errors(prepare_study(study).findings));
}

TEST(Untrusted, ASweepOverFilesStaysInside) {
  const Folder other;
  const std::string table = other.file("motion.csv", "t,hinge\n0,0\n1,1\n2,0\n3,1\n");
  const Bench bench(
      "trajectories: {w: {type: table, joints: all, file: own.csv}}\ntasks: {t: {type: sweep, threads: 2, over: "
      "{w.file: "
      "[own.csv, " +
      table + "]}, task: {type: inverse_dynamics, along: w}}}\n");
  bench.folder.file("own.csv", "t,hinge\n0,0\n1,1\n2,0\n3,1\n");
  EXPECT_EQ(run(bench, std::nullopt).status, RunStatus::done);
  const RunReport report = run(bench, StudyBounds());
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_THAT(report.tasks.at(0).outcome.message, HasSubstr("it lies outside of "));
}

TEST(Untrusted, MeshesThatLieElsewhereAreErrors) {
  const Bench bench("tasks: {k: {type: equilibrium}}\n");
  bench.folder.file("swing.yaml", "articula_study: 1\nmodel: robot.urdf\ntasks: {k: {type: equilibrium}}\n");
  bench.folder.file("robot.urdf", R"(<robot name="r"><link name="base"/><link name="a"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry>
    <mesh filename="/etc/passwd"/></geometry></visual></link><joint name="j" type="continuous"><parent link="base"/>
    <child link="a"/><axis xyz="0 0 1"/></joint></robot>)");
  EXPECT_EQ(error(bench, std::nullopt), "no error");
  EXPECT_THAT(error(bench), HasSubstr("[mesh-outside]"));
}

TEST(Untrusted, RowsAndNumbersAreBoundedForAllTasksTogether) {
  const std::string two =
      "start: {q: {hinge: 1}}\ntasks:\n  a: {type: simulate, until: 1 s}\n  b: {type: simulate, until: 1 s}\n";
  EXPECT_EQ(error(Bench(two), StudyBounds{.rows = 202}), "no error");
  const Bench bench(two);
  EXPECT_THAT(
      error(bench, StudyBounds{.rows = 150}),
      HasSubstr("task \"b\": it gives more rows than the bounds of the run allow: 150 rows with 100000000 numbers "
                "in all. Those before are kept. Let the study give fewer, or allow more with --most-rows and "
                "--most-numbers.  [bound-rows]"));
  const Store store(bench.store_file());
  const StoredRun kept = store.run("latest");
  EXPECT_EQ(kept.status, RunStatus::failed);
  EXPECT_EQ(kept.task("a").rows, 101);
  EXPECT_EQ(kept.task("b").rows, 49);
  const auto width = static_cast<std::int64_t>(kept.task("a").signals.size());
  EXPECT_EQ(error(Bench(two), StudyBounds{.numbers = 202 * width}), "no error");
  EXPECT_THAT(error(Bench(two), StudyBounds{.numbers = 202 * width - 1}), HasSubstr("[bound-rows]"));
}

TEST(Untrusted, AResumedRunKeepsItsBounds) {
  const Bench bench("start: {q: {hinge: 1}}\ntasks: {swing: {type: simulate, until: 20 s, checkpoint_every: 1 s}}\n");
  const StudyBounds bounds{.root = {}, .rows = 1500, .numbers = 77'000'000, .seconds = 12.5, .memory = 3'000'000'000};
  std::atomic<bool> stop = false;
  RunOptions options;
  options.cancel = &stop;
  options.progress = [&](const RunProgress&) { stop = true; };
  EXPECT_EQ(run(bench, bounds, options).status, RunStatus::interrupted);
  Store store(bench.store_file(), Store::Access::write);
  const auto kept = bounds_of(store.run("latest").provenance);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->root, fs::canonical(bench.folder.path()));
  EXPECT_EQ(kept->rows, bounds.rows);
  EXPECT_EQ(kept->numbers, bounds.numbers);
  EXPECT_EQ(kept->seconds, bounds.seconds);
  EXPECT_EQ(kept->memory, bounds.memory);
  try {
    resume_run(store, "latest");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "bound-rows");
  }
  EXPECT_EQ(store.run("latest").task("swing").rows, 1500);
}

TEST(Untrusted, SeesNoVariablesOfTheEnvironment) {
  const Folder other;
  other.file("a.csv", "t,x\n0,1\n");
  setenv("ARTICULA_TEST_DATA", other.path().c_str(), 1);
  const std::string check =
      "checks: [{task: swing, table: \"${ARTICULA_TEST_DATA}/a.csv\", columns: {q.hinge: x}, within: 1}]\n";
  EXPECT_FALSE(run(Bench(swing + check), std::nullopt).checks.at(0).skipped);
  const RunReport report = run(Bench(swing + check), StudyBounds());
  EXPECT_TRUE(report.checks.at(0).skipped);
  EXPECT_EQ(
      report.checks.at(0).result.message,
      "skipped: ${ARTICULA_TEST_DATA}/a.csv names a variable of the environment which an untrusted study does not "
      "see");
}

TEST(FilesElsewhere, AreReadAndListed) {
  const Folder other;
  const std::string table = other.file("motion.csv", "t,hinge\n0,0\n1,1\n2,0\n3,1\n");
  Told told;
  EXPECT_EQ(run(Bench(along(table)), std::nullopt, told.options()).status, RunStatus::done);
  EXPECT_THAT(told.texts, ElementsAre(table + ": the study reads this file, which lies outside of its folder.  "
                                              "[file-elsewhere]"));
  Told own;
  Bench bench(along("motion.csv"));
  bench.folder.file("motion.csv", "t,hinge\n0,0\n1,1\n2,0\n3,1\n");
  run(bench, std::nullopt, own.options());
  EXPECT_THAT(own.texts, IsEmpty());
}

TEST(FilesElsewhere, AreListedWhereTheStudyCannotBeRunToo) {
  const Folder other;
  const std::string note = ": the study reads this file, which lies outside of its folder.  [file-elsewhere]";
  // What is wrong is in the table, in the model, or in the study.
  const std::string table = other.file("motion.csv", "t,other\n0,0\n1,1\n");
  Told of_table, of_model, of_study;
  EXPECT_THROW(run(Bench(along(table)), std::nullopt, of_table.options()), Error);
  EXPECT_THAT(of_table.texts, ElementsAre(table + note));

  const std::string model = other.file("bad.yaml", "articula: 1\nbodies: {rod: {mass: -1}}\n");
  const Bench bench(swing);
  bench.folder.file("swing.yaml", "articula_study: 1\nmodel: " + model + "\n" + swing);
  EXPECT_THROW(run(bench, std::nullopt, of_model.options()), Error);
  EXPECT_THAT(of_model.texts, ElementsAre(model + note));

  const std::string good = other.file("good.yaml", std::string(testing_study::pendulum));
  bench.folder.file("swing.yaml",
                    "articula_study: 1\nmodel: " + good + "\ntasks: {t: {type: simulate, until: -1 s}}\n");
  EXPECT_THROW(run(bench, std::nullopt, of_study.options()), Error);
  EXPECT_THAT(of_study.texts, ElementsAre(good + note));
}

TEST(FilesElsewhere, IncludedOnesAreListedToo) {
  const Folder other;
  const std::string part = "articula: 1\nbodies: {rod: {mass: 2, com: [0, 0, -0.5]}}\n";
  other.file("part.yaml", part);
  other.file(
      "top.yaml",
      "articula: 1\nparts: {p: {include: part.yaml}}\njoints: {hinge: {type: revolute, axis: y, from: world, to: "
      "p/rod}}\n");
  const Bench bench("tasks: {k: {type: equilibrium}}\n");
  bench.folder.file("swing.yaml",
                    "articula_study: 1\nmodel: " + other.path("top.yaml") + "\ntasks: {k: {type: equilibrium}}\n");
  Told told;
  try {
    run(bench, std::nullopt, told.options());
  } catch (const Error& error) {
    FAIL() << error.what();
  }
  EXPECT_THAT(told.texts, Contains(HasSubstr("top.yaml: the study reads this file")));
  EXPECT_THAT(told.texts, Contains(HasSubstr("part.yaml: the study reads this file")));
}

TEST(FilesElsewhere, TextThatIsNoModelIsNotShown) {
  const Folder other;
  for (const char* const name : {"secret.yaml", "secret.urdf", "secret"}) {
    const std::string file = other.file(name, "hunter2: hunter2\nhunter2: hunter2\n");
    const Bench bench(swing);
    bench.folder.file("swing.yaml",
                      "articula_study: 1\nmodel: link" + fs::path(name).extension().string() + "\n" + swing);
    fs::create_symlink(file, bench.folder.path("link" + fs::path(name).extension().string()));
    const std::string message = error(bench, std::nullopt);
    EXPECT_THAT(message,
                HasSubstr("it is no model. Since it lies outside of the study's folder, its text is not shown. A "
                          "native model has a line `articula: 1`, URDF is XML with an element <robot>.  "
                          "[format-unknown]"));
    EXPECT_THAT(message, Not(HasSubstr("hunter2")));
  }
}

TEST(FilesElsewhere, TextThatIsNoTableIsNotShown) {
  const Folder other;
  for (const char* const text :
       {"hunter2\nhunter2\n", "x;t\n1;hunter2\n", "t,hinge\nhunter2,hunter2\n", "t [hunter2],hinge\nx,y\n",
        "hunter2,hunter2\n1,2\n", "t [hunter2]\n", "t hinge\n1 hunter2\n"}) {
    const std::string table = other.file("secret.csv", text);
    for (const std::string& content : {along(table), swing + "checks: [{task: swing, table: " + table +
                                                         ", columns: {q.hinge: hinge}, within: 1}]\n"}) {
      const std::string message = error(Bench(content), std::nullopt);
      EXPECT_THAT(message, Not(HasSubstr("hunter2"))) << text;
      EXPECT_THAT(message, HasSubstr("secret.csv")) << text;
    }
  }
  const std::string table = other.file("group.csv", "root:x:0:\ndaemon:x:1:\n");
  EXPECT_THAT(error(Bench(along(table)), std::nullopt),
              HasSubstr("column \"t\" not found. No column of the file holds numbers; is it a table?  [csv-column]"));
}

TEST(FilesElsewhere, OfATableNumbersAreStored) {
  const Folder other;
  const std::string table = other.file("motion.csv",
                                       "# hunter2\nt [ms];hinge;note\n0;0,5;hunter2\n1000;+1;hunter2\n2000;0;hunter2\n"
                                       "3000;1e-1;hunter2\n");
  const Bench bench(along(table));
  run(bench, std::nullopt);
  EXPECT_THAT(stored(bench), Not(HasSubstr("hunter2")));
  const Store store(bench.store_file());
  const StoredRun kept = store.run("latest");
  ASSERT_EQ(kept.provenance.texts.size(), 3u);
  EXPECT_EQ(kept.provenance.texts[2].role, "table");
  EXPECT_EQ(kept.provenance.texts[2].text, "\"t [ms]\";\"hinge\"\n0;0.5\n1000;1\n2000;0\n3000;1e-1\n");
}

TEST(FilesElsewhere, VariablesOfTheEnvironmentStayAsTheyAreWritten) {
  setenv("ARTICULA_TEST_SECRET", "/hunter2/hunter2", 1);
  const std::string check =
      "checks: [{task: swing, table: \"${ARTICULA_TEST_SECRET}/a.csv\", columns: {q.hinge: x}, within: 1}]\n";
  const Bench bench(swing + check);
  const std::string message = error(bench, std::nullopt);
  EXPECT_THAT(message, HasSubstr("check: table ${ARTICULA_TEST_SECRET}/a.csv: there is no such file.  [file-missing]"));
  EXPECT_THAT(message, Not(HasSubstr("hunter2")));

  const Folder other;
  other.file("a.csv", "t,x\n0,1\n");
  setenv("ARTICULA_TEST_SECRET", other.path().c_str(), 1);
  Told told;
  run(bench, std::nullopt, told.options());
  EXPECT_THAT(told.texts,
              ElementsAre("${ARTICULA_TEST_SECRET}/a.csv: the study reads this file, which lies outside of its "
                          "folder.  [file-elsewhere]"));
  EXPECT_THAT(stored(bench), Not(HasSubstr(other.path().string())));
}

}  // namespace
}  // namespace articula::test
