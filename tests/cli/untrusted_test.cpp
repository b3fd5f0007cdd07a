/// `articula run --untrusted`, `articula check --untrusted`: limits on files, rows, time and memory of an untrusted
/// study.

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"
#include "support/sanitized.h"

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

constexpr const char* pendulum = R"(articula: 1
name: pendulum
bodies: {rod: {mass: 2, com: [0, 0, -0.5]}}
joints: {hinge: {type: revolute, axis: y, from: world, to: rod}}
)";
const std::string swing = "start: {q: {hinge: 1}}\ntasks: {swing: {type: simulate, until: 2 s}}\n";

struct Bench {
  explicit Bench(const std::string& content, const std::string& model = "pendulum.yaml") {
    folder.file("pendulum.yaml", pendulum);
    study = folder.file("swing.yaml", "articula_study: 1\nmodel: " + model + "\n" + content);
  }
  Outcome run(const std::string& more = "") const {
    return articula_program("run " + study + " --store " + folder.path("runs.db") + " " + more);
  }
  Outcome check(const std::string& more = "") const { return articula_program("check " + study + " " + more); }
  Outcome runs(const std::string& command) const {
    return articula_program("runs " + command + " --store " + folder.path("runs.db"));
  }

  TemporaryFolder folder;
  std::string study;
};

TEST(Untrusted, AnHonestStudyRunsAsEver) {
  const Bench bench(swing);
  const Outcome outcome = bench.run("--untrusted");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(bench.runs("show latest").out,
              AllOf(HasSubstr("untrusted_root = " + fs::canonical(bench.folder.path()).string()),
                    HasSubstr("most_rows = 1000000")));
}

TEST(Untrusted, ReadsNoFileOfTheSystem) {
  const std::string table = "trajectories: {w: {type: table, joints: all, file: /etc/passwd}}\n";
  for (const Bench& bench : {Bench(swing, "/etc/passwd"), Bench(table + swing)}) {
    for (const Outcome& outcome : {bench.run("--untrusted"), bench.check("--untrusted")}) {
      EXPECT_EQ(outcome.code, 3);
      EXPECT_THAT(outcome.err, AllOf(HasSubstr("/etc/passwd: it lies outside of "), HasSubstr("[file-outside]")));
    }
    const Outcome plain = bench.run();
    EXPECT_EQ(plain.code, 3);
    EXPECT_THAT(plain.err + plain.out, Not(HasSubstr("root:"))) << "its text is not shown";
    EXPECT_FALSE(fs::exists(bench.folder.path("runs.db")));
  }
}

TEST(Untrusted, ItsOptionsNeedIt) {
  const Bench bench(swing);
  for (const char* const option : {"--root .", "--most-rows 5", "--most-time 5", "--most-memory 1GB"}) {
    const Outcome outcome = bench.run(option);
    EXPECT_EQ(outcome.code, 2) << option;
    EXPECT_THAT(outcome.err, HasSubstr("requires --untrusted"));
  }
  EXPECT_THAT(bench.run("--untrusted --root /etc").err, HasSubstr("[root-outside]"));
  EXPECT_EQ(bench.run("--untrusted --root " + bench.folder.path("..")).code, 0);
}

TEST(Untrusted, TooManyRowsEndTheRunAndAResumedOne) {
  const Bench bench(swing);
  for (const Outcome& outcome : {bench.run("--untrusted --most-rows 50"), bench.runs("resume latest")}) {
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err,
                AllOf(HasSubstr("task \"swing\": it gives more rows than the bounds of the run allow: 50 rows"),
                      HasSubstr("[bound-rows]")));
  }
  EXPECT_THAT(bench.runs("show latest").out, HasSubstr("failed  50 rows"));
}

TEST(Untrusted, TimeEndsTheRunAndItsRowsAreKept) {
  const Bench bench(
      "start: {q: {hinge: 1}}\ntasks: {swing: {type: simulate, until: 10000000 s, output_every: 10 s}}\n");
  const Outcome outcome = bench.run("--untrusted --most-time 0.3");
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(
      outcome.err,
      AllOf(HasSubstr("error: the run took longer than 0.3 s, which is what an untrusted study may take. Its rows "
                      "are kept. Allow more with --most-time.  [bound-time]"),
            HasSubstr("Go on with: articula runs resume")));
  EXPECT_THAT(outcome.out, HasSubstr("swing (simulate): interrupted, "));
  EXPECT_EQ(bench.runs("resume latest").code, 130) << "the bound is kept";
}

TEST(Untrusted, TimeEndsWhatComesBeforeTheRun) {
  std::string tasks = "tasks:\n";
  for (int k = 0; k < 1000; ++k) tasks += "  t" + std::to_string(k) + ": {type: simulate, until: 1 s}\n";
  const Bench bench(tasks);
  const Outcome outcome = bench.check("--untrusted --most-time 0.01");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.err,
            "error: the time that an untrusted study may take is over. Allow more with --most-time.  [bound-time]\n");
}

TEST(Untrusted, MemoryIsBounded) {
  if (articula::test::sanitized) GTEST_SKIP() << "sanitizers reserve memory that they do not use";
  const Bench bench("trajectories: {w: {type: table, joints: all, file: long.csv}}\n" + swing);
  std::ofstream table(bench.folder.path("long.csv"));
  table << "t,hinge\n";
  for (int k = 0; k < 200000; ++k) table << k << ",0.123456789012345678901234567890\n";
  table.close();
  EXPECT_EQ(bench.check("--untrusted").code, 0);
  const Outcome outcome = bench.check("--untrusted --most-memory 20MB");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("[out-of-memory]"));
}

}  // namespace
