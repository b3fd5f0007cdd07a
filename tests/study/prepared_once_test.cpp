// A study lowers its model once; what changes numbers alone refreshes them.
#include "study/study_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/build/builder_counts.h>
#include <articula/study/prepare.h>

namespace articula::test {
namespace {

using testing::ElementsAre;
using namespace testing_study;

/// What `act` made the builder do.
template <class Act>
BuilderCounts counted(Act&& act) {
  const BuilderCounts before = builder_counts();
  act();
  const BuilderCounts now = builder_counts();
  return {now.lowerings - before.lowerings, now.refreshes - before.refreshes};
}

/// Of checking and running a study.
BuilderCounts counts_of(const std::string& content) {
  const Bench bench(content);
  return counted([&] {
    Store store(bench.store_file(), Store::Access::write);
    EXPECT_EQ(run_study(bench.study(), store).status, RunStatus::done) << content;
  });
}

TEST(PreparedOnce, EveryTaskOfAStudyComputesWithOneLowering) {
  const std::string begin =
      "trajectories: {wave: {type: harmonic, amplitude: 1, omega: 2}, push: {type: torques_along, along: wave, every: "
      "10 ms, until: 1 s}}\n"
      "blocks: {servo: {type: computed_torque, joints: all, reference: wave, stiffness: 40, damping: 9}}\n"
      "start: {q: {hinge: 0.1}}\ntasks: {one: ";
  for (const std::string task : {
           "{type: simulate, until: 0.1 s, frames: [rod.tip]}",
           "{type: inverse_dynamics, along: wave, until: 0.1 s, frames: [rod], cut_forces: [rod.tip]}",
           "{type: forward_kinematics, along: wave, until: 0.1 s}",
           "{type: forward_kinematics, at: [[1]]}",
           "{type: inverse_kinematics, frame: rod.tip, reaches: position, targets: [{xyz: [0, 0, -0.5]}]}",
           "{type: linearize, hold: true}",
           "{type: equilibrium, passive: false, blocks: [servo], at: 0}",
           "{type: compare_integrators, until: 0.1 s, integrators: [rk45, bdf], reference_tolerance: 1e-9}",
       }) {
    const BuilderCounts counts = counts_of(begin + task + "}\n");
    EXPECT_EQ(counts.lowerings, 1u) << task;
    EXPECT_EQ(counts.refreshes, 0u) << task;
  }
}

TEST(PreparedOnce, StartsAtRestWithTheSameLowering) {
  const BuilderCounts counts = counts_of(
      "start: equilibrium\ntrajectories: {wave: {type: harmonic, amplitude: 1, omega: 2}}\n"
      "tasks: {one: {type: inverse_dynamics, along: wave, until: 0.1 s}, two: {type: simulate, until: 0.1 s}}\n");
  EXPECT_EQ(counts.lowerings, 1u);
  EXPECT_EQ(counts.refreshes, 0u);
}

TEST(PreparedOnce, ATaskWithOtherNumbersRefreshesThem) {
  const BuilderCounts counts = counts_of(
      "tasks: {light: {type: simulate, until: 0.1 s}, heavy: {type: simulate, until: 0.1 s, override: {rod.mass: "
      "3}}}\n");
  EXPECT_EQ(counts.lowerings, 1u);
  EXPECT_EQ(counts.refreshes, 2u);  // to check the task, and to run it
}

TEST(PreparedOnce, ASweepRefreshesItsPoints) {
  const Bench bench(
      "start: {q: {hinge: 0.1}}\ntasks: {many: {type: sweep, over: {rod.mass: {from: 1 kg, to: 3 kg, count: 100}}, "
      "task: {type: simulate, until: 0.1 s}}}\n");
  PreparedStudy prepared;
  const BuilderCounts check = counted([&] { prepared = prepare_study(bench.study()); });
  EXPECT_EQ(check.lowerings, 1u);
  EXPECT_EQ(check.refreshes, 100u);
  const BuilderCounts run = counted([&] {
    Store store(bench.store_file(), Store::Access::write);
    run_study(prepared, store);
  });
  EXPECT_EQ(run.lowerings, 0u);
  EXPECT_EQ(run.refreshes, 100u);
}

TEST(PreparedOnce, ASweepOfStructuresLowersEachOnce) {
  const BuilderCounts counts = counts_of(
      "start: {q: {hinge: 0.1}}\ntasks: {many: {type: sweep, threads: 1, combine: grid, over: {hinge.type: [revolute, "
      "prismatic], rod.mass: [1, 2, 3]}, task: {type: simulate, until: 0.1 s}}}\n");
  EXPECT_EQ(counts.lowerings, 2u);
}

TEST(PreparedOnce, ASweepOfATaskPropertyNeitherLowersNorRefreshes) {
  const BuilderCounts counts = counts_of(
      "start: {q: {hinge: 0.1}}\ntasks: {many: {type: sweep, over: {task.tolerance: [1e-6, 1e-7, 1e-8]}, task: {type: "
      "simulate, until: 0.1 s}}}\n");
  EXPECT_EQ(counts.lowerings, 1u);
  EXPECT_EQ(counts.refreshes, 0u);
}

TEST(PreparedOnce, ARunInWhichAJointOpensLowersEveryPhaseOnce) {
  const BuilderCounts counts = counts_of(
      "override: {rod.inertia.xx: 0.1, rod.inertia.yy: 0.1, rod.inertia.zz: 0.1}\ntasks: {drop: {type: simulate, "
      "until: 0.2 s, changes: [{at: 0.1 s, disconnect: hinge}]}}\n");
  EXPECT_EQ(counts.lowerings, 2u);
}

std::vector<double> final_angles(const Bench& bench, const std::string& task, const std::string& signal) {
  const Store store(bench.store_file());
  return store.column(store.run("latest").task(task).id, signal);
}

TEST(PreparedOnce, PointsHaveTheBitsOfStudiesThatWereBuiltForThem) {
  // The axis passes through a coordinate axis, where a built joint has another form than in the other points.
  const std::string task = "{type: simulate, until: 1 s, tolerance: 1e-8}";
  const std::vector<std::string> axes{"[0.3, 1, 0]", "y", "[0.1, 1, 0.2]", "x"}, masses{"1", "2", "0.1"};
  Bench many(
      "start: {q: {hinge: 1}}\noverride: {hinge.damping: 0.3}\ntasks: {many: {type: sweep, over: {hinge.axis: "
      "[" +
      axes[0] + ", " + axes[1] + ", " + axes[2] + ", " + axes[3] + "], rod.mass: [" + masses[0] + ", " + masses[1] +
      ", " + masses[2] + "]}, task: " + task + "}}\n");
  EXPECT_EQ(many.run().status, RunStatus::done);
  const std::vector<double> swept = final_angles(many, "many", "q.hinge.final");
  std::vector<double> single;
  for (const std::string& axis : axes) {
    for (const std::string& mass : masses) {
      Bench one("start: {q: {hinge: 1}}\noverride: {hinge.damping: 0.3, hinge.axis: " + axis + ", rod.mass: " + mass +
                "}\ntasks: {one: " + task + "}\n");
      one.run();
      single.push_back(final_angles(one, "one", "q.hinge").back());
    }
  }
  EXPECT_EQ(swept, single);  // bit for bit
}

TEST(PreparedOnce, AModelThatCannotBeBuiltIsTriedOnce) {
  Bench bench(
      "override: {rod.mass: -1}\ntasks: {one: {type: simulate, until: 1 s}, two: {type: equilibrium}, three: {type: "
      "linearize}}\n");
  PreparedStudy prepared;
  counted([&] { prepared = prepare_study(bench.study()); });
  ASSERT_EQ(prepared.findings.size(), 1u);
  EXPECT_EQ(prepared.findings[0].code, "mass-negative");
}

}  // namespace
}  // namespace articula::test
