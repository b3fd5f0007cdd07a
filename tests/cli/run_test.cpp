/// `articula run`: its output, its exit codes, and the examples.

#include "cli/program.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* pendulum = R"(articula: 1
name: pendulum
bodies: {rod: {mass: 2, com: [0, 0, -0.5]}}
joints: {hinge: {type: revolute, axis: y, from: world, to: rod}}
)";

/// A folder with the pendulum and a study of it.
struct Bench {
  explicit Bench(const std::string& content) {
    folder.file("pendulum.yaml", pendulum);
    study = folder.file("swing.yaml", "articula_study: 1\nmodel: pendulum.yaml\n" + content);
  }
  Outcome run(const std::string& more = "", const std::string& before = "") const {
    return articula_program("run " + study + " --store " + folder.path("runs.db") + " " + more, before);
  }
  Outcome runs(const std::string& command) const {
    return articula_program("runs " + command + " --store " + folder.path("runs.db"));
  }

  TemporaryFolder folder;
  std::string study;
};

const std::string swing = "start: {q: {hinge: 1}}\ntasks: {swing: {type: simulate, until: 2 s}}\n";

TEST(RunCommand, SaysWhatItDidAndWhereItIs) {
  const Bench bench(swing +
                    "checks: [{task: swing, signal: q.hinge, at: 0 s, expect: 1, within: 0, reference: start}]\n");
  const Outcome outcome = bench.run();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              ContainsRegex("swing \\(simulate\\): done, 201 rows, .* s, [0-9]+ times faster than real time\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("pass  swing: q.hinge at 0: is 1 rad, expected 1 ± 0 rad  (start)\n1 of 1 checks passed\n"));
  EXPECT_THAT(outcome.out,
              ContainsRegex("run [0-9a-f]+ is in .*runs.db\nfor a page with plots: articula report [0-9a-f]+ --store"));
  EXPECT_EQ(outcome.err, "");
}

TEST(RunCommand, EndsWithOneIfACheckFails) {
  const Bench bench(swing + "checks: [{task: swing, signal: q.hinge, at: 0 s, expect: 2, within: 0.5}]\n");
  const Outcome outcome = bench.run();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(
      outcome.out,
      HasSubstr("FAIL  swing: q.hinge at 0: is 1 rad, expected 2 ± 0.5 rad; off by 1 rad\n0 of 1 checks passed"));
}

TEST(RunCommand, EndsWithThreeForBadInput) {
  EXPECT_EQ(Bench("tasks: {a: {type: simulte, until: 1}}\n").run().code, 3);
  EXPECT_EQ(Bench("tasks: {a: {type: inverse_dynamics, along: wave}}\n").run().code, 3);
  const Outcome missing = articula_program("run no_such_study.yaml");
  EXPECT_EQ(missing.code, 3);
  EXPECT_THAT(missing.err, HasSubstr("[file-missing]"));
  EXPECT_EQ(articula_program("run").code, 2);
}

TEST(RunCommand, StoresNothingWhereSomethingIsWrong) {
  const Bench bench(swing +
                    "checks: [{task: swing, signal: q.hing, between: [0, 1]}, {task: swing, signal: q.hinge, "
                    "between: [0, 10 kg]}]\n");
  const Outcome outcome = bench.run();
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("[no-such-signal]"), HasSubstr("[unit-dimension]")));
  EXPECT_EQ(outcome.out, "");
  EXPECT_FALSE(std::ifstream(bench.folder.path("runs.db")).good());
}

TEST(RunCommand, ShowsBoundsWithTheirUnit) {
  const Bench bench(swing + "checks: [{task: swing, signal: q.hinge, at: 0 s, between: [0, 2 rad]}]\n");
  EXPECT_THAT(bench.run().out, HasSubstr("q.hinge at 0: is 1 rad, expected between 0 and 2 rad\n"));
  EXPECT_THAT(bench.runs("show latest").out, HasSubstr("q.hinge at 0: is 1 rad, expected between 0 and 2 rad\n"));
}

TEST(RunCommand, CountsAllTimeOfATaskAsItsRealTime) {
  const Bench bench(swing);
  const std::string out = bench.run().out;
  const std::string rows = "201 rows, ";
  const std::size_t at = out.find(rows) + rows.size();
  const double seconds = std::stod(out.substr(at)), factor = std::stod(out.substr(out.find(" s, ", at) + 4));
  EXPECT_NEAR(factor * seconds, 2, 0.02);  // seconds are printed with three digits
}

TEST(CheckCommand, ChecksStudies) {
  const Bench good(swing);
  const Outcome fine = articula_program("check " + good.study);
  EXPECT_EQ(fine.code, 0) << fine.err;
  EXPECT_THAT(fine.out, HasSubstr("swing.yaml: good; 1 task, "));
  const Bench bad(swing + "checks: [{task: swing, signal: q.hing, between: [0, 1]}]\n");
  const Outcome outcome = articula_program("check " + bad.study);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("swing.yaml: bad, 1 error\n"));
  EXPECT_THAT(outcome.err, HasSubstr("check: task \"swing\" has no signal \"q.hing\". Did you mean \"q.hinge\"?"));
}

TEST(CheckCommand, SaysWhatOfAModelIsNotComputed) {
  const Outcome outcome = articula_program("check models/four_bar.yaml models/two_link.yaml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "models/four_bar.yaml: good; has a loop: described, not computed yet\nmodels/two_link.yaml: good\n");
}

TEST(RunCommand, EndsWithFourAfterADivergenceAndKeepsItsRows) {
  const Bench bench(
      "start: {q: [0.1]}\nblocks: {spring: {type: spring_damper, joints: all, stiffness: 1e6}}\n"
      "tasks: {burst: {type: simulate, until: 100 s, integrator: rk4, step: 0.1 s}}\n");
  const Outcome outcome = bench.run();
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.out, HasSubstr("burst (simulate): failed, "));
  EXPECT_THAT(bench.runs("show latest").out, AllOf(HasSubstr("failed"), Not(HasSubstr(" 0 rows"))));
}

TEST(RunCommand, StopsPolitelyAndGoesOn) {
  const Bench bench("start: {q: [1]}\ntasks: {swing: {type: simulate, until: 500000 s, tolerance: 1e-10}}\n");
  const Outcome outcome = bench.run("", "timeout --signal=INT --preserve-status 1 ");
  EXPECT_EQ(outcome.code, 130) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("swing (simulate): interrupted, "));
  EXPECT_THAT(outcome.err, ContainsRegex("Go on with: articula runs resume [0-9a-f]+ --store "));
  EXPECT_THAT(bench.runs("list").out, HasSubstr("interrupted"));
}

TEST(RunCommand, TakesASignalSentTwiceAtOnceForOne) {
  const Bench bench("start: {q: [1]}\ntasks: {swing: {type: simulate, until: 500000 s, tolerance: 1e-10}}\n");
  // The first is handled before the second comes.
  const Outcome outcome = bench.run(
      "",
      "bash -c '\"$@\" & sleep 1; for i in 1 2 3 4 5; do kill -TERM $! || break; sleep 0.001; done; wait $!' bash ");
  EXPECT_EQ(outcome.code, 130) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("swing (simulate): interrupted, "));
}

TEST(RunCommand, NeedsAStoreItCanWrite) {
  const Bench bench(swing);
  const Outcome outcome = articula_program("run " + bench.study + " --store /no/such/folder/runs.db");
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.err, HasSubstr("[store-"));
}

TEST(RunCommand, ReportsADiskThatIsFull) {
  const Bench bench("start: {q: [1]}\ntasks: {swing: {type: simulate, until: 100 s, output_every: 1 ms}}\n");
  const Outcome outcome = bench.run("", "ulimit -f 1000; ");
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.err, HasSubstr("[store-"));
  const Outcome resumed = bench.runs("resume latest");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("swing (simulate): done, 100001 rows"));
}

TEST(RunCommand, EscapesNames) {
  const Bench bench("tasks: {\"a\\e[31m\\n\": {type: simulate, until: 1 s}}\n");
  const Outcome outcome = bench.run();
  EXPECT_EQ(outcome.out.find('\033'), std::string::npos) << outcome.out;
}

TEST(Examples, TheTorquesOfTheKuka) {
  TemporaryFolder folder;
  const Outcome outcome =
      articula_program("run examples/kuka_lwr4/inverse_dynamics.yaml --store " + folder.path("runs.db"));
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("3 of 3 checks passed"));
}

TEST(Examples, TheMotionOfTheKuka) {
  TemporaryFolder folder;
  const Outcome outcome = articula_program("run examples/kuka_lwr4/pd_motion.yaml --store " + folder.path("runs.db"));
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
}

TEST(Examples, TheIntegratorsOfTheKuka) {
  TemporaryFolder folder;
  const Outcome outcome = articula_program("run examples/kuka_lwr4/integrators.yaml --store " + folder.path("runs.db"));
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("bdf_differences"), ContainsRegex("Scilab BDF +1e-6 +1924   as stated")));
}

/// With passive forces and without them.
TEST(RunCommand, ComputesElasticDrives) {
  for (const char* passive : {"", ", passive: false"}) {
    const Bench bench("tasks: {swing: {type: simulate, until: 0.1 s" + std::string(passive) + "}}\n");
    bench.folder.file("pendulum.yaml", std::string(pendulum) +
                                           "drives: {motor: {joint: hinge, rotor_inertia: 1e-4, stiffness: 1e4 "
                                           "N*m/rad}}\n");
    EXPECT_EQ(bench.run().code, 0) << bench.run().err;
  }
}

}  // namespace
