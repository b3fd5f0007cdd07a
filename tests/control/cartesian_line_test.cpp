// The straight line of [EP] and others, in joint space.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include <articula/solve/forward_kinematics.h>
#include <articula/spatial/orientation.h>

#include "control/trajectories.h"
#include "support/findings.h"

namespace articula::test {
namespace {

using test::at;
using test::error_of;
using test::made;
using testing::HasSubstr;
using Numbers = std::vector<double>;

constexpr double pi = std::numbers::pi;

const Model& robot() {
  static const Model model = load(std::string(ARTICULA_SOURCE_DIR) + "/models/six_axis.yaml");
  return model;
}
const Built& six_axis() {
  static const Built built = build_mechanism(robot());
  return built;
}

/// Table 2 and section 6 of [EP].
CartesianLine papers_line() {
  return {.frame = "link6.tool",
          .from = {{}, {2.03, 0, 1.02}},
          .to = {{}, {0, 1.52, 2.54}},
          .euler = "zxz",
          .from_angles = {pi / 2, pi / 2, 0},
          .to_angles = {pi, pi / 2, pi / 2},
          .speed = 1.27,
          .ramp = 0.25};
}

/// How the tool moves at t, by forward kinematics of the joints' motion.
MovingFrame tool(const Trajectory& motion, double t) {
  const Numbers x = at(motion, t, 2);
  ForwardKinematics kinematics(robot(), {.exterior = {.frames = {{"link6", "tool"}}}});
  kinematics.update({.q = std::span(x).first(6), .v = std::span(x).subspan(6, 6), .vdot = std::span(x).subspan(12, 6)});
  return kinematics.compute()[0];
}

TEST(CartesianLine, OfThePaperTurnsTheFirstJointByNinetyDegreesInTheTimeGiven) {
  const JointTrajectory line = made(papers_line(), six_axis());
  EXPECT_NEAR(line.motion->end(), 2.578, 5e-4);
  const Numbers start = at(*line.motion, 0, 1), end = at(*line.motion, line.motion->end(), 2);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(start[k], six_axis().parameters.q_start[k], 1e-12);
  EXPECT_NEAR(end[0], pi / 2, 1e-12);
  EXPECT_NEAR(end[5], pi / 2, 1e-12);
  for (std::size_t k = 6; k < 18; ++k) EXPECT_EQ(end[k], 0);
}

TEST(CartesianLine, TheToolMovesAsSaid) {
  const JointTrajectory line = made(papers_line(), six_axis());
  const Vec3<double> from{2.03, 0, 1.02}, way = Vec3<double>{0, 1.52, 2.54} - from;
  const double length = norm(way), T = length / 1.27 + 0.25;
  for (const double t : {0.1, 0.2, 0.25, 0.7, 1.234, 2.3, T - 0.1}) {
    // Ramps of constant acceleration, a = 1.27/0.25.
    const double a = 1.27 / 0.25, left = T - t;
    double s = 1.27 * (t - 0.125), v = 1.27, vdot = 0;
    if (t < 0.25) s = 0.5 * a * t * t, v = a * t, vdot = a;
    if (left < 0.25) s = length - 0.5 * a * left * left, v = a * left, vdot = -a;
    const MovingFrame hand = tool(*line.motion, t);
    const Vec3<double> along = way * (1 / length);
    EXPECT_LT(norm(hand.X_WF.p - (from + along * s)), 1e-12) << t;
    EXPECT_LT(norm(hand.V.v - along * v), 1e-11) << t;
    EXPECT_LT(norm(hand.A.v - along * vdot), 1e-10) << t;
    const double part = s / length;
    const Rotation<double> R = *rotation_from_euler("zxz", {pi / 2 * (1 + part), pi / 2, pi / 2 * part});
    for (int i = 0; i < 3; ++i) EXPECT_LT(norm(hand.X_WF.R.m.row[i] - R.m.row[i]), 1e-12) << t;
  }
}

TEST(CartesianLine, JointSpeedsAndAccelerationsAreTheRatesOfThePositions) {
  const JointTrajectory line = made(papers_line(), six_axis());
  for (const double t : {0.12, 0.5, 1.3, 2.0, 2.45})
    EXPECT_LT(test::departure_of_derivatives(*line.motion, t, 2, 1e-3), 1e-9) << t;
}

TEST(CartesianLine, AboutOneAxisTheToolTurnsEvenly) {
  CartesianLine line = papers_line();
  line.euler = "";
  line.from.R = *rotation_from_euler("zxz", line.from_angles);
  line.to.R = *rotation_from_euler("zxz", line.to_angles);
  const JointTrajectory turned = made(line, six_axis());
  const MovingFrame a = tool(*turned.motion, 0.8), b = tool(*turned.motion, 1.9);
  EXPECT_LT(norm(a.V.w - b.V.w), 1e-10);
  EXPECT_LT(norm(a.A.w), 1e-9);
  const Vec3<double> whole = quaternion_log(quaternion_of(line.from.R.inverse() * line.to.R));
  EXPECT_NEAR(norm(a.V.w), norm(whole) * 1.27 / norm(line.to.p - line.from.p), 1e-10);
  for (const double t : {0.12, 1.3}) EXPECT_LT(test::departure_of_derivatives(*turned.motion, t, 2, 1e-3), 1e-9) << t;
}

TEST(CartesianLine, SaysWhereItBreaksAndHowSmoothItIs) {
  const JointTrajectory line = made(papers_line(), six_axis());
  const Numbers breaks = line.motion->breaks(10);
  ASSERT_EQ(breaks.size(), 4U);
  EXPECT_EQ(breaks[1], 0.25);
  EXPECT_NEAR(breaks[2], line.motion->end() - 0.25, 1e-15);
  EXPECT_EQ(line.motion->smoothness(), 1);
  EXPECT_EQ(line.motion->highest_order(), 2);
}

TEST(CartesianLine, SaysWhatIsWrong) {
  CartesianLine line = papers_line();
  line.to.p = {0, 5, 2.54};
  EXPECT_THAT(error_of([&] { made(line, six_axis()); }),
              AllOf(HasSubstr("study.yaml:7: trajectory \"wave\": at "), HasSubstr(" % of the way, at ("),
                    HasSubstr("Move the line into reach, or begin in another configuration with `near`.  "
                              "[line-unreachable]")));
  line = papers_line();
  line.frame = "link6.tol";
  EXPECT_THAT(error_of([&] { made(line, six_axis()); }),
              HasSubstr("frame \"link6.tol\" not found in \"six_axis\". Did you "
                        "mean \"link6.tool\"?"));
  line = papers_line();
  line.leads = Leads::position;
  EXPECT_EQ(
      error_of([&] { made(line, six_axis()); }),
      "study.yaml:7: trajectory \"wave\": 6 joints are moved, but the line determines 3. Name as many with `joints`; "
      "the others stay where they start.  [line-redundant]");
  line = papers_line();
  line.duration = 3;
  EXPECT_EQ(
      error_of([&] { made(line, six_axis()); }),
      "study.yaml:7: trajectory \"wave\": both `speed` and `duration` are given. Give one of them.  [value-missing]");
  line = papers_line();
  line.ramp = 3;
  EXPECT_THAT(error_of([&] { made(line, six_axis()); }), HasSubstr("Give shorter ramps, or a lower speed."));
  line = papers_line();
  line.euler = "zzx";
  EXPECT_THAT(error_of([&] { made(line, six_axis()); }),
              HasSubstr("euler is \"zzx\". Three letters of x, y, z are needed"));
}

TEST(CartesianLine, ThreeJointsLeadThePositionAlone) {
  CartesianLine line{.joints = {"joint1", "joint2", "joint3"},
                     .frame = "link6.tool",
                     .leads = Leads::position,
                     .from = {{}, {2.03, 0, 1.02}},
                     .to = {{}, {1.5, 0.8, 1.3}},
                     .duration = 2,
                     .ramp = 0.5};
  const JointTrajectory made_line = made(line, six_axis());
  EXPECT_EQ(made_line.motion->size(), 3);
  Numbers q = six_axis().parameters.q_start;
  const Numbers x = at(*made_line.motion, 1, 0);
  std::copy(x.begin(), x.end(), q.begin());
  ForwardKinematics kinematics(robot(), {.exterior = {.frames = {{"link6", "tool"}}}});
  kinematics.update({.q = q});
  EXPECT_LT(norm(kinematics.compute()[0].X_WF.p - Vec3<double>{1.765, 0.4, 1.16}), 1e-12) << "half the way";
}

TEST(CartesianPoints, TheFrameIsAtEachPointAndTheJointsDoNotStopBetween) {
  const CartesianPoints load{.frame = "link6.tool",
                             .times = {0, 1, 3},
                             .positions = {{2.03, 0, 1.02}, {1.4, 1.2, 1.5}, {0, 1.8, 2}},
                             .angles = {{pi / 2, 0, pi / 2}, {pi / 2, 0, 2.2}, {pi / 2, 0, pi}}};
  const JointTrajectory path = made(load, six_axis());
  for (std::size_t k = 0; k < 3; ++k) {
    const MovingFrame hand = tool(*path.motion, load.times[k]);
    const Rows& p = load.positions;
    EXPECT_LT(norm(hand.X_WF.p - Vec3<double>{p[k][0], p[k][1], p[k][2]}), 1e-12);
    const Rotation<double> R = rotation_from_rpy({load.angles[k][0], load.angles[k][1], load.angles[k][2]});
    for (int i = 0; i < 3; ++i) EXPECT_LT(norm(hand.X_WF.R.m.row[i] - R.m.row[i]), 1e-12);
  }
  EXPECT_GT(norm(tool(*path.motion, 1).V.v), 0.1);
  EXPECT_EQ(path.motion->smoothness(), 1);
}

TEST(CartesianPoints, SayWhichPointIsOutOfReach) {
  const CartesianPoints load{.frame = "link6.tool",
                             .times = {0, 1},
                             .positions = {{2.03, 0, 1.02}, {0, 9, 1}},
                             .angles = {{pi / 2, 0, pi / 2}, {pi / 2, 0, pi}}};
  EXPECT_THAT(
      error_of([&] { made(load, six_axis()); }),
      testing::StartsWith("study.yaml:7: trajectory \"wave\": point 1, at (0, 9, 1): no configuration was found "
                          "that reaches the target. The best configuration misses it by "));
}

}  // namespace
}  // namespace articula::test
