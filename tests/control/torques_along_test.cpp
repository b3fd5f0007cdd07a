// Torques along a motion, of a pendulum, for which they are known.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/build/build.h>
#include <articula/control/trajectory_kinds.h>
#include <articula/formats/load.h>

#include "support/names.h"

namespace articula::test {
namespace {

using testing::HasSubstr;

constexpr double g = 9.81;  // of models/pendulum.yaml: 1 kg on 1 m, gravity along −y, q from the x axis

class TorquesAlongTest : public testing::Test {
 protected:
  /// Torques along the first trajectory, of the second kind.
  JointTrajectory made(const TrajectoryKind& motion, const TorquesAlong& torques) {
    moved_ = make_trajectory(motion, context());
    TrajectoryContext second = context();
    second.earlier = {{"swing", moved_.joints, moved_.motion.get()}};
    return torques.make(second);
  }
  std::string error_of(const TrajectoryKind& motion, const TorquesAlong& torques) {
    try {
      made(motion, torques);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  TrajectoryContext context() const {
    return {.mechanism = built_.mechanism,
            .parameters = built_.parameters,
            .name = "torques",
            .where = {"study.yaml", 9},
            .folder = {},
            .all = {},
            .model = &model_};
  }

  Model model_ = load(std::string(ARTICULA_SOURCE_DIR) + "/models/pendulum.yaml");
  Built built_ = build_mechanism(model_);
  JointTrajectory moved_;
};

double at(const Trajectory& trajectory, double t) {
  double x = 0;
  trajectory.evaluate(t, 0, {&x, 1});
  return x;
}

TEST_F(TorquesAlongTest, are_those_of_the_pendulum_to_the_order_of_cubic_splines) {
  const HarmonicMotion swing{.amplitude = {0.7}, .omega = {3}, .offset = {-1}};
  double error[2] = {};
  for (const int k : {0, 1}) {
    const JointTrajectory torques = made(swing, {.along = "swing", .every = k == 0 ? 0.02 : 0.01, .until = 2.0});
    for (double t = 0.001; t < 2; t += 0.0137) {
      const double q = 0.7 * std::sin(3 * t) - 1, a = -9 * 0.7 * std::sin(3 * t);
      error[k] = std::max(error[k], std::abs(at(*torques.motion, t) - (a + g * std::cos(q))));
    }
  }
  EXPECT_LT(error[1], 1e-5);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 4, 0.5);
}

TEST_F(TorquesAlongTest, jump_where_the_acceleration_jumps_and_hold_the_end) {
  // From 0 to 1 with 2 rad/s² up and down, one second in all.
  const TrapezoidalMotion ramp{.points = {{0}, {0.5}}, .speed = {10}, .acceleration = {2}};
  const JointTrajectory torques = made(ramp, {.along = "swing"});
  const double half = 0.5 * 2 * 0.25, before = at(*torques.motion, 0.5 - 1e-9), after = at(*torques.motion, 0.5 + 1e-9);
  EXPECT_NEAR(before, 2 + g * std::cos(half), 1e-6);
  EXPECT_NEAR(after, -2 + g * std::cos(half), 1e-6);
  EXPECT_NEAR(at(*torques.motion, 5), g * std::cos(0.5), 1e-12);
}

TEST_F(TorquesAlongTest, need_a_motion_that_is_there_and_ends) {
  EXPECT_EQ(error_of(HarmonicMotion{.amplitude = {1}, .omega = {1}}, {.along = "swnig", .until = 1.0}),
            "study.yaml:9: trajectory \"torques\": trajectory \"swnig\" not found before this one. Did you mean "
            "\"swing\"? Trajectories: swing.  [no-such-trajectory]");
  EXPECT_THAT(error_of(HarmonicMotion{.amplitude = {1}, .omega = {1}}, {.along = "swing"}), HasSubstr("Give `until`"));
  EXPECT_THAT(error_of(HarmonicMotion{.amplitude = {1}, .omega = {1}}, {.along = "swing", .every = 0}),
              HasSubstr("every is 0"));
}

}  // namespace
}  // namespace articula::test
