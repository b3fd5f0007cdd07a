// A trajectory is evaluated in every step of a run: without the heap.

#include <gtest/gtest.h>

#include "control/trajectories.h"
#include "support/allocations.h"

namespace articula::test {
namespace {

TEST(Trajectories, AreEvaluatedWithoutTheHeap) {
  const Built six_axis = build_mechanism(load(std::string(ARTICULA_SOURCE_DIR) + "/models/six_axis.yaml"));
  const Rows points{{0}, {1}, {0.5}, {2}};
  const std::vector<double> times{0, 1, 2, 3};
  const TrajectoryKind kinds[] = {
      ConstantMotion{},
      HarmonicMotion{},
      PolynomialMotion{.times = times, .points = points},
      SplineMotion{.times = times, .points = points},
      QuinticMotion{.times = times, .points = points},
      TrapezoidalMotion{.points = points, .speed = {1}, .acceleration = {1}},
      BSplineMotion{.times = times, .points = points},
      FilteredStep{.time_constant = 0.1},
      CartesianLine{.frame = "link6.tool",
                    .from = {{}, {2.03, 0, 1.02}},
                    .to = {{}, {0, 1.52, 2.54}},
                    .euler = "zxz",
                    .from_angles = {M_PI_2, M_PI_2, 0},
                    .to_angles = {M_PI, M_PI_2, M_PI_2},
                    .speed = 1.27,
                    .ramp = 0.25},
  };
  for (const TrajectoryKind& kind : kinds) {
    const JointTrajectory wave = test::made(kind, six_axis);
    std::vector<double> x(18);
    const std::size_t before = test::allocations();
    for (double t = -1; t < 4; t += 0.1) wave.motion->evaluate(t, 2, x);
    EXPECT_EQ(test::allocations(), before) << "kind " << kind.index();
  }
}

}  // namespace
}  // namespace articula::test
