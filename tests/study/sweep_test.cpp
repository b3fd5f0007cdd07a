// Sweeps: every figure under its own name, bad points by name, units of parameters, checks of their points.
#include "study/study_text.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace articula::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using namespace testing_study;

std::vector<double> column(const Bench& bench, const std::string& signal) {
  const Store store(bench.store_file());
  return store.column(store.run("latest").task("many").id, signal);
}

std::string unit_of(const Bench& bench, const std::string& signal) {
  const StoredRun run = Store(bench.store_file()).run("latest");
  for (const StoredSignal& each : run.task("many").signals) {
    if (each.name == signal) return each.unit;
  }
  return "no such signal";
}

TEST(Sweep, KeepsTheFiguresOfEachIntegratorUnderItsOwnName) {
  const std::string inside = "{type: compare_integrators, until: 1 s, tolerances: [1e-6], jacobian: analytic";
  Bench bench("start: {q: {hinge: 1}}\ntasks:\n  many: {type: sweep, over: {task.integrators: [rk45, bdf]}, task: " +
              inside + "}}\n  rk45: " + inside + ", integrators: rk45}\n  bdf: " + inside + ", integrators: bdf}\n");
  EXPECT_EQ(bench.run().status, RunStatus::done);
  const StoredRun run = Store(bench.store_file()).run("latest");
  const auto rates = [&](const std::string& task) {
    for (const Count& each : run.task(task).counts) {
      if (each.name == task + ".1e-6.rates") return each.value;
    }
    return 0.0;
  };
  const std::vector<double> rk45 = column(bench, "count.rk45.1e-6.rates"), bdf = column(bench, "count.bdf.1e-6.rates");
  EXPECT_EQ(rk45.at(0), rates("rk45"));
  EXPECT_TRUE(std::isnan(rk45.at(1)));
  EXPECT_TRUE(std::isnan(bdf.at(0)));
  EXPECT_EQ(bdf.at(1), rates("bdf"));
}

TEST(Sweep, KeepsTheOtherPointsWhereOneCannotBeComputed) {
  for (const char* combine : {"grid", "together"}) {
    Bench bench("start: {q: {hinge: 0.1}}\ntasks: {many: {type: sweep, combine: " + std::string(combine) +
                ", over: {rod.mass: [1 kg, -1 kg, 2 kg]}, task: {type: simulate, until: 0.1 s}}}\n");
    Findings told;
    RunOptions options;
    options.tell = [&](const Finding& finding) { told.push_back(finding); };
    const RunReport report = bench.run(options);
    EXPECT_EQ(report.status, RunStatus::failed);
    EXPECT_EQ(report.tasks.at(0).rows, 3);
    EXPECT_THAT(column(bench, "ok"), ElementsAre(1, 0, 1));
    const std::vector<double> final = column(bench, "q.hinge.final");
    EXPECT_DOUBLE_EQ(final.at(0), final.at(2));  // a pendulum's motion does not depend on its mass
    EXPECT_TRUE(std::isnan(final.at(1)));
    EXPECT_THAT(report.tasks.at(0).outcome.message,
                AllOf(HasSubstr("1 of 3 points failed; rod.mass = -1 kg: "), HasSubstr("mass is -1")));
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].code, "sweep-point");
    EXPECT_THAT(told[0].message, AllOf(HasSubstr("task \"many\": the point rod.mass = -1 kg cannot be computed: "),
                                       HasSubstr("The other points are computed.")));
  }
}

TEST(Sweep, ColumnsOfParametersHaveTheirUnits) {
  Bench bench(
      "blocks: {spring: {type: spring_damper, joints: all, stiffness: 10}}\n"
      "tasks: {many: {type: sweep, over: {rod.mass: {from: 500 g, to: 3 kg, count: 2}, rod.com.z: [-10 cm], "
      "spring.stiffness: [1, 2], task.until: [10 ms], task.tolerance: [1e-6], task.integrator: [rk45]}, "
      "task: {type: simulate, until: 0.1 s}}}\n");
  bench.run();
  EXPECT_THAT(column(bench, "rod.mass"), ElementsAre(0.5, 0.5, 3, 3));
  EXPECT_EQ(column(bench, "rod.com.z").front(), -0.1);
  EXPECT_EQ(unit_of(bench, "rod.mass"), "kg");
  EXPECT_EQ(unit_of(bench, "rod.com.z"), "m");
  EXPECT_EQ(unit_of(bench, "spring.stiffness"), "N*m/rad");
  EXPECT_EQ(unit_of(bench, "task.until"), "s");
  EXPECT_EQ(unit_of(bench, "task.tolerance"), "1");
  EXPECT_EQ(unit_of(bench, "task.integrator"), "1");
}

TEST(Sweep, RefusesRangesInWrongUnits) {
  const auto error = [](const std::string& range) {
    return Bench("tasks: {many: {type: sweep, over: {rod.mass: " + range + "}, task: {type: simulate, until: 1 s}}}\n")
        .error();
  };
  EXPECT_THAT(
      error("{from: 1 m, to: 3 m, count: 3}"),
      AllOf(HasSubstr("swing.yaml:3: override \"rod.mass\": \"1 m\" is in m, but kg"), HasSubstr("[unit-dimension]")));
  const std::string mixed = "Both ends need units of the same kind; write the unit at both.  [unit-dimension]";
  EXPECT_THAT(error("{from: 1 kg, to: 3 m, count: 3}"),
              AllOf(HasSubstr("from is \"1 kg\" and to is \"3 m\". "), HasSubstr(mixed)));
  EXPECT_THAT(error("{from: 1, to: 3 kg, count: 3}"), HasSubstr(mixed));
  EXPECT_EQ(error("{from: 1 g, to: 3 kg, count: 3}"), "no error");
}

TEST(Sweep, IsCheckedValueByValueBeforeItIsComputed) {
  EXPECT_THAT(
      Bench("tasks: {many: {type: sweep, over: {rod.mass: [1, 2 m, x], task.integrator: [rk45, rk46]}, "
            "task: {type: simulate, until: 1 s}}}\n")
          .error(),
      AllOf(HasSubstr("\"2 m\" is in m"), HasSubstr("\"x\""), HasSubstr("sweep \"task.integrator\" is \"rk46\".")));
  EXPECT_THAT(
      Bench("tasks: {many: {type: sweep, over: {rod.mas: [1, 2, 3]}, task: {type: simulate, until: 1 s}}}\n").error(),
      HasSubstr("Did you mean \"mass\"?"));
}

TEST(Sweep, ChecksFindTheirPointInAnyOrder) {
  const std::string points =
      "start: {q: {hinge: 0.1}}\ntasks: {many: {type: sweep, over: {rod.mass: [3 kg, 1 kg, 2 kg], task.until: [1 s, 2 "
      "s]}, task: {type: simulate, until: 1 s}}}\nchecks:\n";
  Bench bench(points +
              "- {task: many, signal: rod.mass, at: {rod.mass: 1000 g, task.until: 2 s}, expect: 1 kg, within: 0}\n"
              "- {task: many, signal: t.final, at: {rod.mass: 1 kg, task.until: 2 s}, expect: 2 s, within: 1 ms}\n"
              "- {task: many, signal: t.final, at: 1 kg, expect: 2 s, within: 1 ms}\n"
              "- {task: many, signal: t.final, at: 7 kg, expect: 2 s, within: 1 ms}\n");
  const RunReport report = bench.run();
  EXPECT_TRUE(report.checks.at(0).result.pass) << report.checks.at(0).result.message;
  EXPECT_TRUE(report.checks.at(1).result.pass) << report.checks.at(1).result.message;
  EXPECT_THAT(
      report.checks.at(2).result.message,
      HasSubstr("task \"many\" has 2 rows at rod.mass = 1. Say which by more columns, e.g. at: {link7.mass: 2 kg, "
                "servo.damping: 3}.  [check-ambiguous]"));
  EXPECT_THAT(
      report.checks.at(3).result.message,
      HasSubstr("task \"many\" has no row at rod.mass = 7; its rows go from 1 to 3. Name a point of the sweep.  "
                "[check-no-rows]"));
  EXPECT_THAT(Bench(points + "- {task: many, signal: t.final, at: 1 s, expect: 2 s, within: 0}\n").error(),
              HasSubstr("check: at is \"1 s\", but rod.mass is in kg. Write it in that unit or another of its kind.  "
                        "[unit-dimension]"));
}

TEST(Sweep, TellsWhatItsRunsWarnOf) {
  // A hinge that is thrown passes its limit, but not with the damping of the first point.
  const std::string content =
      "override: {hinge.limits: [-0.5, 0.5]}\nstart: {q: {hinge: 0.4}, v: {hinge: 2}}\ntasks: {many: {type: sweep, "
      "threads: 1, over: "
      "{hinge.damping: [50, 0, 0.001, 0.002, 0.003, 0.004, 0.005]}, task: {type: simulate, until: 2 s}}}\n";
  const auto limits_of = [](const Findings& all) {
    std::vector<std::string> texts;
    for (const Finding& each : all) {
      if (each.code.starts_with("limit")) texts.push_back(each.message);
    }
    return texts;
  };
  Findings told, told_later;
  RunOptions options;
  Bench bench(content);
  options.tell = [&](const Finding& finding) { told.push_back(finding); };
  bench.run(options);
  EXPECT_THAT(limits_of(told), ElementsAre(HasSubstr("at hinge.damping = 0: "), HasSubstr("6 of the 7 points")));
  // Stopped after the first points, it goes on with what it had found.
  Bench stopped(content);
  std::atomic<bool> stop = false;
  options.cancel = &stop;
  options.progress = [&](const RunProgress&) { stop = true; };
  EXPECT_EQ(stopped.run(options).status, RunStatus::interrupted);
  Store store(stopped.store_file(), Store::Access::write);
  RunOptions later;
  later.tell = [&](const Finding& finding) { told_later.push_back(finding); };
  resume_run(store, "latest", later);
  EXPECT_THAT(limits_of(told_later), ElementsAre(HasSubstr("6 of the 7 points")));
}

TEST(Sweep, TellsOfSignalsThatHaveNoColumn) {
  // Of 1500 values, 1000 are looked at before; the third is none of them.
  std::string values = "q.hinge, q.hinge, v.hinge";
  for (int k = 3; k < 1500; ++k) values += ", q.hinge";
  Bench bench("tasks: {many: {type: sweep, over: {task.signals: [" + values +
              "]}, task: {type: simulate, until: 10 ms, checkpoint_every: 0}}}\n");
  std::vector<std::string> told;
  RunOptions options;
  options.tell = [&](const Finding& finding) { told.push_back(finding.message); };
  EXPECT_EQ(bench.run(options).status, RunStatus::done);
  EXPECT_THAT(told, ElementsAre(HasSubstr("at task.signals = v.hinge: its signals v.hinge are not stored.")));
}

TEST(Sweep, GoesOnAfterAStopWithTheFailuresOfBefore) {
  const std::string content =
      "start: {q: {hinge: 1}}\ntasks: {many: {type: sweep, threads: 1, over: {rod.mass: [-1 kg, 1 kg, 2 kg, 3 kg, 4 "
      "kg, 5 "
      "kg, 6 kg]}, task: {type: simulate, until: 1 s}}}\n";
  Bench bench(content);
  std::atomic<bool> stop = false;
  RunOptions options;
  options.cancel = &stop;
  options.progress = [&](const RunProgress&) { stop = true; };
  EXPECT_EQ(bench.run(options).status, RunStatus::interrupted);
  Store store(bench.store_file(), Store::Access::write);
  const RunReport report = resume_run(store, "latest");
  EXPECT_EQ(report.tasks.at(0).rows, 7);
  EXPECT_THAT(report.tasks.at(0).outcome.message, HasSubstr("1 of 7 points failed; rod.mass = -1 kg: "));
}

}  // namespace
}  // namespace articula::test
