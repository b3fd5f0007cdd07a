// Studies from text to stored rows, figures and checks; that runs which were stopped or killed go on bit by bit.
#include "study/study_text.h"

#include <cmath>
#include <csignal>
#include <cstring>
#include <numbers>
#include <random>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace articula::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using namespace testing_study;

constexpr double g = 9.81, length = 0.5, mass = 2;

std::vector<double> column(const Bench& bench, const std::string& task, const std::string& signal) {
  const Store store(bench.store_file());
  return store.column(store.run("latest").task(task).id, signal);
}

double count(const Bench& bench, const std::string& task, const std::string& name) {
  const Store store(bench.store_file());
  const StoredRun run = store.run("latest");
  for (const Count& each : run.task(task).counts) {
    if (each.name == name) return each.value;
  }
  ADD_FAILURE() << "no count " << name;
  return 0;
}

constexpr const char* swing =
    "start: {q: {hinge: 0.001}}\n"
    "tasks: {swing: {type: simulate, until: 2 s, tolerance: 1e-12, output_every: 0.1 s}}\n";

TEST(RunStudy, SimulatesASmallSwingAsItsClosedForm) {
  Bench bench(swing);
  const RunReport report = bench.run();
  EXPECT_EQ(report.status, RunStatus::done);
  const std::vector<double> t = column(bench, "swing", "t"), q = column(bench, "swing", "q.hinge");
  ASSERT_EQ(t.size(), 21u);
  const double omega = std::sqrt(g / length);
  // The next term of the pendulum's period is θ²/16 of the angle: 1e-10 over some periods.
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(q[k], 0.001 * std::cos(omega * t[k]), 2e-9);
}

TEST(RunStudy, StoresWhereItComesFrom) {
  Bench bench(std::string(swing) + "seed: 11\n");
  RunOptions options;
  options.command = "articula run swing.yaml";
  bench.run(options);
  const StoredRun run = Store(bench.store_file()).run("latest");
  EXPECT_EQ(run.provenance.study, "swing");
  EXPECT_EQ(run.provenance.seed, 11u);
  EXPECT_EQ(run.provenance.command, "articula run swing.yaml");
  ASSERT_EQ(run.provenance.texts.size(), 2u);
  EXPECT_EQ(run.provenance.texts[0].role, "study");
  EXPECT_EQ(run.provenance.texts[0].text, bench.study().text);
  EXPECT_EQ(run.provenance.texts[1].role, "model");
  EXPECT_EQ(run.provenance.texts[1].text, pendulum);
}

TEST(RunStudy, InverseDynamicsCarriesTheWeight) {
  Bench bench(
      "trajectories: {still: {type: constant, joints: all, value: 30 deg}}\n"
      "tasks: {torques: {type: inverse_dynamics, along: still, times: [0, 1], frames: [rod.tip], cut_forces: "
      "[rod.tip]}}\n");
  bench.run();
  // About y, a rod that hangs down and is turned by θ needs m·g·l·sin θ.
  EXPECT_NEAR(column(bench, "torques", "tau.hinge").at(1), mass * g * length * 0.5, 1e-12);
  EXPECT_NEAR(column(bench, "torques", "pose.rod.tip.x").at(0), -length * 0.5, 1e-12);
  EXPECT_NEAR(column(bench, "torques", "pose.rod.tip.z").at(0), -length * std::sqrt(0.75), 1e-12);
}

TEST(RunStudy, ForwardKinematicsAtListedPositions) {
  Bench bench("tasks: {places: {type: forward_kinematics, frames: rod.tip, at: [[0], [1.5707963267948966]]}}\n");
  bench.run();
  EXPECT_NEAR(column(bench, "places", "pose.rod.tip.z").at(0), -0.5, 1e-15);
  EXPECT_NEAR(column(bench, "places", "pose.rod.tip.x").at(1), -0.5, 1e-15);
}

TEST(RunStudy, ForwardKinematicsAlongATrajectoryGivesSpeeds) {
  Bench bench(
      "trajectories: {turn: {type: harmonic, amplitude: 1, omega: 2}}\n"
      "tasks: {places: {type: forward_kinematics, frames: rod.tip, along: turn, times: [0]}}\n");
  bench.run();
  // θ = sin 2t: θ' = 2, θ'' = 0 at 0; the tip hangs below and turns about y: its speed is −2·l along x.
  EXPECT_NEAR(column(bench, "places", "velocity.rod.tip.x").at(0), -2 * length, 1e-14);
  EXPECT_NEAR(column(bench, "places", "velocity.rod.tip.wy").at(0), 2, 1e-14);
  EXPECT_NEAR(column(bench, "places", "acceleration.rod.tip.z").at(0), 4 * length, 1e-13);
}

TEST(RunStudy, LinearizesTheHangingPendulum) {
  Bench bench("tasks: {modes: {type: linearize}}\n");
  bench.run();
  const double omega = std::sqrt(g / length);
  EXPECT_NEAR(column(bench, "modes", "eigenvalue.1.im").at(0), omega, 1e-12);
  EXPECT_NEAR(column(bench, "modes", "frequency.1").at(0), omega / (2 * std::numbers::pi), 1e-12);
  EXPECT_NEAR(column(bench, "modes", "A[v.hinge][q.hinge]").at(0), -g / length, 1e-12);
  EXPECT_NEAR(column(bench, "modes", "B[v.hinge][tau.hinge]").at(0), 1 / (mass * length * length), 1e-12);
}

TEST(RunStudy, LinearizesWhereItIsHeld) {
  Bench bench("start: {q: [90 deg]}\ntasks: {modes: {type: linearize, hold: true}}\n");
  bench.run();
  // Level, the torque of the weight does not change with the angle to first order.
  EXPECT_NEAR(column(bench, "modes", "A[v.hinge][q.hinge]").at(0), 0, 1e-12);
}

TEST(RunStudy, SweepsGiveTheSameWithAnyNumberOfThreads) {
  const auto rows = [](const std::string& threads) {
    Bench bench(
        "start: {q: {hinge: 0.1}}\n"
        "tasks: {many: {type: sweep, threads: " +
        threads +
        ", over: {rod.mass: {from: 1 kg, to: 2 kg, count: 5}, environment.gravity: [[0, 0, -9.81], [0, 0, -1.62]]}, "
        "task: {type: simulate, until: 1 s, tolerance: 1e-9}}}\n");
    bench.run();
    const Store store(bench.store_file());
    return store.rows(store.run("latest").task("many").id).values;
  };
  const std::vector<double> one = rows("1"), four = rows("4");
  ASSERT_FALSE(one.empty());
  ASSERT_EQ(one.size(), four.size());
  EXPECT_EQ(std::memcmp(one.data(), four.data(), one.size() * sizeof(double)), 0);
}

TEST(RunStudy, SweepsOverTheInsideOfTheirTask) {
  Bench bench(
      "start: {q: {hinge: 0.1}}\n"
      "tasks: {many: {type: sweep, over: {task.tolerance: [1e-3, 1e-9]}, task: {type: simulate, until: 1 s}}}\n");
  bench.run();
  const std::vector<double> rates = column(bench, "many", "count.rates");
  ASSERT_EQ(rates.size(), 2u);
  EXPECT_GT(rates[1], rates[0]);
  EXPECT_EQ(column(bench, "many", "task.tolerance").at(1), 1e-9);
}

TEST(RunStudy, SweepsKeepAllRowsWhenAsked) {
  Bench bench(
      "tasks: {many: {type: sweep, keep: rows, over: {rod.mass: [1, 2]}, "
      "task: {type: simulate, until: 1 s, output_every: 0.5 s}}}\n");
  bench.run();
  EXPECT_THAT(column(bench, "many", "rod.mass"), testing::ElementsAre(1, 1, 1, 2, 2, 2));
  EXPECT_THAT(column(bench, "many", "t"), testing::ElementsAre(0, 0.5, 1, 0, 0.5, 1));
}

TEST(RunStudy, ComparesIntegrators) {
  Bench bench(
      "start: {q: {hinge: 1}}\n"
      "tasks: {table: {type: compare_integrators, until: 1 s, integrators: [rk45, bdf, rk4], steps: [1 ms], "
      "tolerances: [1e-6], reference_tolerance: 1e-12, stated: [{what: paper, tolerance: 1e-6, rates: 12}]}}\n");
  const RunReport report = bench.run();
  EXPECT_EQ(count(bench, "table", "rk4.1e-3.rates"), 1 + 4 * 1000);  // and one at the start
  EXPECT_LT(count(bench, "table", "rk45.1e-6.error"), 1e-5);
  EXPECT_EQ(count(bench, "table", "bdf.1e-6.rates_for_jacobians"), 0);
  EXPECT_GT(count(bench, "table", "bdf_differences.1e-6.rates_for_jacobians"), 0);
  EXPECT_EQ(count(bench, "table", "paper.1e-6.rates"), 12);
  EXPECT_THAT(report.tasks.at(0).outcome.text, AllOf(HasSubstr("bdf_differences"), HasSubstr("as stated")));
}

// ---------------------------------------------------------------------------------------------------------------
// What is wrong

TEST(RunStudy, SaysWhereATaskIsWrong) {
  EXPECT_THAT(Bench("tasks: {t: {type: inverse_dynamics, along: wave}}\n").error(),
              AllOf(HasSubstr("swing.yaml:3: task \"t\": the study has no trajectory \"wave\""),
                    HasSubstr("[no-such-trajectory]")));
  EXPECT_THAT(
      Bench("trajectories: {wave: {type: harmonic}}\ntasks: {t: {type: inverse_dynamics, along: wave}}\n").error(),
      HasSubstr("trajectory \"wave\" has no end. Say until when"));
  EXPECT_THAT(Bench("tasks: {t: {type: simulate, until: 1, blocks: [servo]}}\n").error(), HasSubstr("[no-such-block]"));
  EXPECT_THAT(
      Bench("start: {q: {hing: 1}}\ntasks: {t: {type: simulate, until: 1}}\n").error(),
      AllOf(HasSubstr("swing.yaml:3: start \"q\": the model has no coordinate \"hing\". Did you mean \"hinge\"?"),
            HasSubstr("[no-such-coordinate]")));
  EXPECT_THAT(Bench("start: {q: [1, 2]}\ntasks: {t: {type: simulate, until: 1}}\n").error(), HasSubstr("[state-size]"));
  EXPECT_THAT(Bench("tasks: {t: {type: forward_kinematics}}\n").error(), HasSubstr("neither along nor at is given"));
  EXPECT_THAT(Bench("tasks: {t: {type: sweep, threads: -1, over: {rod.mass: [1]}, task: {type: simulate, until: 1}}}\n")
                  .error(),
              HasSubstr("threads is -1. It is from 1 to 1024"));
  EXPECT_THAT(
      Bench("tasks: {t: {type: sweep, combine: together, over: {rod.mass: [1], rod.com.x: [1, 2]}, task: {type: "
            "simulate, until: 1}}}\n")
          .error(),
      HasSubstr("Those that change together have equally many.  [vector-length]"));
  EXPECT_THAT(Bench("override: {rod.mas: 1}\ntasks: {t: {type: simulate, until: 1}}\n").error(),
              HasSubstr("[override-unknown]"));
}

TEST(RunStudy, StoresNothingForAModelThatIsNotThere) {
  Bench bench("tasks: {t: {type: simulate, until: 1}}\n");
  bench.folder.file("swing.yaml", study_text("model: pendulm.yaml\ntasks: {t: {type: simulate, until: 1}}"));
  EXPECT_THAT(bench.error(), AllOf(HasSubstr("swing.yaml:2: model: "), HasSubstr("Did you mean \"pendulum.yaml\"?")));
  EXPECT_TRUE(Store(bench.store_file(), Store::Access::write).list().empty());
}

// ---------------------------------------------------------------------------------------------------------------
// Stopped and killed

constexpr const char* long_swing =
    "start: {q: {hinge: 1}}\n"
    "blocks: {rub: {type: friction, joints: all, viscous: 0.01}}\n"
    "tasks:\n"
    "  first: {type: simulate, until: 20 s, integrator: bdf, tolerance: 1e-8, output_every: 1 ms, checkpoint_every: "
    "0.5 s}\n"
    "  second: {type: simulate, until: 20 s, integrator: rk45, tolerance: 1e-8, output_every: 1 ms, checkpoint_every: "
    "0.5 s}\n"
    "  many: {type: sweep, over: {rod.mass: {from: 1, to: 3, count: 12}}, task: {type: simulate, until: 2 s}}\n"
    "checks: [{task: first, status: done}, {task: second, signal: q.hinge, take: largest, between: [0, 1.0001]}]\n";

/// All rows of all tasks of the latest run.
std::vector<std::vector<double>> all_rows(const std::string& file) {
  const Store store(file);
  std::vector<std::vector<double>> rows;
  const StoredRun run = store.run("latest");
  for (const StoredTask& task : run.tasks) rows.push_back(store.rows(task.id).values);
  return rows;
}

bool same_bits(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k].size() != b[k].size()) return false;
    if (!a[k].empty() && std::memcmp(a[k].data(), b[k].data(), a[k].size() * sizeof(double)) != 0) return false;
  }
  return true;
}

TEST(ResumeRun, GoesOnBitByBitAfterItWasStopped) {
  Bench undisturbed(long_swing), bench(long_swing);
  undisturbed.run();
  std::atomic<bool> stop = false;
  RunOptions options;
  options.cancel = &stop;
  options.progress = [&](const RunProgress& now) { stop = now.task == "second" && now.fraction > 0.3; };
  const RunReport report = bench.run(options);
  EXPECT_EQ(report.status, RunStatus::interrupted);
  EXPECT_EQ(Store(bench.store_file()).run("latest").status, RunStatus::interrupted);

  Store store(bench.store_file(), Store::Access::write);
  const RunReport rest = resume_run(store, "latest");
  EXPECT_EQ(rest.status, RunStatus::done);
  EXPECT_TRUE(rest.tasks.at(0).was_done);
  ASSERT_EQ(rest.checks.size(), 2u);
  EXPECT_TRUE(rest.checks[0].result.pass && rest.checks[1].result.pass);
  EXPECT_TRUE(same_bits(all_rows(bench.store_file()), all_rows(undisturbed.store_file())));
}

TEST(ResumeRun, NeedsNoTablesThatTasksChoose) {
  const std::string content = R"(
trajectories: {way: {type: table, file: a.csv}}
tasks:
  long: {type: simulate, until: 100 s, checkpoint_every: 1 s}
  other: {type: inverse_dynamics, along: way, every: 0.1 s, override: {way.file: b.csv}}
  many:
    type: sweep
    over: {way.file: [a.csv, "c.csv", sub/../c.csv]}
    task: {type: inverse_dynamics, along: way, every: 0.1 s, override: {way.interpolation: linear}}
  inner:
    type: sweep
    over: {rod.mass: [1 kg, 2 kg]}
    task: {type: inverse_dynamics, along: way, every: 0.1 s, override: {way.file: d.csv}}
)";
  Bench undisturbed(content), bench(content);
  for (Bench* each : {&undisturbed, &bench}) {
    double top = 1;
    std::filesystem::create_directory(each->folder.path("sub"));
    for (const char* const name : {"a.csv", "b.csv", "c.csv", "d.csv"})
      each->folder.file(name, "t,hinge\n0,0\n1," + std::to_string(top++) + "\n2,0\n3,1\n");
  }
  undisturbed.run();
  std::atomic<bool> stop = false;
  RunOptions options;
  options.cancel = &stop;
  options.progress = [&](const RunProgress& now) { stop = now.fraction > 0.3; };
  EXPECT_EQ(bench.run(options).status, RunStatus::interrupted);

  for (const char* const name : {"a.csv", "b.csv", "d.csv"}) std::filesystem::remove(bench.folder.path(name));
  bench.folder.file("c.csv", "t,hinge\n0,9\n1,9\n");
  std::filesystem::remove(bench.folder.path("sub"));
  std::vector<std::string> told;
  RunOptions again;
  again.tell = [&](const Finding& finding) { told.push_back(finding.code); };
  Store store(bench.store_file(), Store::Access::write);
  const RunReport report = resume_run(store, "latest", again);
  EXPECT_EQ(report.status, RunStatus::done);
  EXPECT_THAT(told, testing::ElementsAre("run-source-changed"));
  EXPECT_TRUE(same_bits(all_rows(bench.store_file()), all_rows(undisturbed.store_file())));
}

TEST(RunStudy, SaysWhichTablesAreNotStored) {
  std::string values;
  for (int k = 0; k < 12'000; ++k) values += (k == 0 ? "m" : ", m") + std::to_string(k) + ".csv";
  Bench bench("trajectories: {way: {type: table, file: a.csv}}\ntasks: {many: {type: sweep, over: {way.file: [a.csv, " +
              values + "]}, task: {type: simulate, until: 0.1 s}}}\n");
  bench.folder.file("a.csv", "t,hinge\n0,0\n1,1\n");
  const PreparedStudy prepared = prepare_study(bench.study());
  std::vector<std::string> told;
  for (const Finding& finding : prepared.findings) {
    if (finding.code == "table-not-stored") told.push_back(finding.message);
  }
  EXPECT_THAT(told,
              testing::ElementsAre("the tasks choose 12001 tables by `file`. 2001 of them are not stored with the run, "
                                   "since at most 10000 tables and 256 MB are. To resume the run, keep these files as "
                                   "they are, or sweep over fewer tables at a time."));
}

TEST(ResumeRun, TakesTheStoredTextsAndSaysThatTheFilesChanged) {
  Bench undisturbed(long_swing), bench(long_swing);
  undisturbed.run();
  std::atomic<bool> stop = false;
  RunOptions options;
  options.cancel = &stop;
  options.progress = [&](const RunProgress& now) { stop = now.fraction > 0.3; };
  bench.run(options);
  bench.folder.file("pendulum.yaml", "articula: 1\nname: other\n");
  std::filesystem::remove(bench.study_file);
  Findings told;
  RunOptions again;
  again.tell = [&](const Finding& finding) { told.push_back(finding); };
  Store store(bench.store_file(), Store::Access::write);
  EXPECT_EQ(resume_run(store, "latest", again).status, RunStatus::done);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].code, "run-source-changed");
  EXPECT_THAT(told[0].message, HasSubstr("the model is not what it was when the run began."));
  EXPECT_TRUE(same_bits(all_rows(bench.store_file()), all_rows(undisturbed.store_file())));
}

/// Runs, or resumes, in a process of its own, which is killed after `delay`. Whether it came to its end before.
bool killed_run(Bench& bench, std::chrono::microseconds delay, bool resume) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      if (resume) {
        Store store(bench.store_file(), Store::Access::write);
        resume_run(store, "latest");
      } else {
        bench.run();
      }
    } catch (...) {
      _exit(7);
    }
    _exit(0);
  }
  std::this_thread::sleep_for(delay);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) != 0);
  return WIFEXITED(status);
}

TEST(ResumeRun, GoesOnBitByBitAfterKillsAtRandomMoments) {
  Bench undisturbed(long_swing);
  const auto begin = std::chrono::steady_clock::now();
  undisturbed.run();
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
  const auto expected = all_rows(undisturbed.store_file());
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  std::uniform_int_distribution<long> moment(0, whole.count());
  const char* many = std::getenv("ARTICULA_KILLS");
  for (int kills = many != nullptr ? std::atoi(many) : 8; kills > 0;) {
    Bench bench(long_swing);
    bool stored = false;
    for (int k = 0; k < 3 && kills > 0; ++k, --kills) {
      if (killed_run(bench, std::chrono::microseconds(moment(random)), stored)) break;
      stored = std::filesystem::exists(bench.store_file()) &&
               !Store(bench.store_file(), Store::Access::write).list().empty();
    }
    if (stored) {
      Store store(bench.store_file(), Store::Access::write);
      ASSERT_EQ(resume_run(store, "latest").status, RunStatus::done);
      ASSERT_TRUE(same_bits(all_rows(bench.store_file()), expected));
    }
  }
}

TEST(RunStudy, KeepsWhatADivergenceLeft) {
  // A fixed step that is far too long for the spring: every step multiplies the error.
  Bench bench(
      "start: {q: [0.1]}\n"
      "blocks: {spring: {type: spring_damper, joints: all, stiffness: 1e6}}\n"
      "tasks:\n"
      "  burst: {type: simulate, until: 100 s, integrator: rk4, step: 0.1 s, output_every: 0.1 s}\n"
      "  after: {type: simulate, until: 0.1 s, integrator: bdf}\n"
      "checks: [{task: burst, status: failed}]\n");
  const RunReport report = bench.run();
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_EQ(report.tasks.at(0).outcome.status, RunStatus::failed);
  EXPECT_FALSE(report.tasks.at(0).outcome.message.empty());
  EXPECT_GT(report.tasks.at(0).rows, 3);
  EXPECT_EQ(static_cast<std::int64_t>(column(bench, "burst", "q.hinge").size()), report.tasks.at(0).rows);
  EXPECT_EQ(report.tasks.at(1).outcome.status, RunStatus::done);
  EXPECT_TRUE(report.checks.at(0).result.pass);
}

}  // namespace
}  // namespace articula::test
