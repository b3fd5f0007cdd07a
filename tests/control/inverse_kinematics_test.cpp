// Closed forms and iteration against each other and against forward kinematics.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <articula/control/inverse_kinematics.h>
#include <articula/formats/load.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/spatial/orientation.h>

#include "support/findings.h"
#include "support/random_model.h"

namespace articula::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Numbers = std::vector<double>;

constexpr double pi = std::numbers::pi;
constexpr double exact = 1e-12;  ///< metres and radians

Model robot(const std::string& name) { return load(std::string(ARTICULA_SOURCE_DIR) + "/models/" + name + ".yaml"); }

/// Revolute joints with these axes and offsets, one after another, and on each link a tip.
Model arm(const std::vector<Vec3<double>>& axes, const std::vector<Vec3<double>>& offsets) {
  Model model("arm");
  std::string before = "world";
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const std::string body = "link" + std::to_string(k + 1);
    model.add(
        body,
        RigidBody{.mass = 1, .inertia = SymMat3<double>::identity(), .frames = {{"tip", {{}, {0.45, 0.02, 0.05}}}}});
    model.add("joint" + std::to_string(k + 1), Joint{.axis = {axes[k] * (1 / norm(axes[k]))}},
              at(before, {.xyz = offsets[k]}), body);
    before = body;
  }
  return model;
}

/// The pose of a frame by the solver of forward kinematics.
Pose<double> forward(const Model& model, const PortRef& frame, const Numbers& q) {
  ForwardKinematics kinematics(model, {.exterior = {.frames = {frame}}});
  kinematics.update({.q = q});
  return kinematics.compute()[0].X_WF;
}

double gap(const Pose<double>& a, const Pose<double>& b) {
  double largest = norm(a.p - b.p);
  for (int i = 0; i < 3; ++i) largest = std::max(largest, norm(a.R.m.row[i] - b.R.m.row[i]));
  return largest;
}

/// The largest difference of two configurations, whole turns apart.
double apart(const Numbers& a, const Numbers& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(std::remainder(a[k] - b[k], 2 * pi)));
  return largest;
}

bool contains(const std::vector<Numbers>& list, const Numbers& q, double tolerance) {
  for (const Numbers& each : list) {
    if (apart(each, q) < tolerance) return true;
  }
  return false;
}

Numbers random_angles(test::Random& random, std::size_t count) {
  Numbers q(count);
  for (double& each : q) each = random.number(-pi, pi);
  return q;
}

/// Random poses of an arm: every solution reaches the target, the configuration it was made from is among them, and
/// iteration from many starts finds no other one. @return the most solutions that a pose had
int check_arm(const Model& model, const PortRef& frame, int poses, std::uint32_t seed, int starts,
              const std::array<double, 6>& weight = {1, 1, 1, 1, 1, 1}) {
  InverseKinematics closed(model, frame, {.weight = weight, .limits = false});
  InverseKinematics iterated(model, frame, {.weight = weight, .limits = false, .closed_form = false, .starts = starts});
  EXPECT_THAT(std::string(closed.method()), StartsWith("closed form"));
  EXPECT_EQ(iterated.method(), "iteration");
  test::Random random(seed);
  int most = 0, missed = 0;
  for (int k = 0; k < poses; ++k) {
    const Numbers q = random_angles(random, static_cast<std::size_t>(closed.mechanism().nq));
    const Pose<double> target = forward(model, frame, q);
    const auto found = closed.solve_all(target);
    EXPECT_TRUE(found.report.ok()) << "seed " << seed << ", pose " << k;
    EXPECT_TRUE(contains(found.q, q, 1e-6)) << "seed " << seed << ", pose " << k;
    for (const Numbers& each : found.q) {
      const Pose<double> reached = forward(model, frame, each);
      EXPECT_LT(weight[0] == 0 ? norm(reached.p - target.p) : gap(reached, target), exact) << "pose " << k;
    }
    const auto others = iterated.solve_all(target);
    for (const Numbers& each : others.q) EXPECT_TRUE(contains(found.q, each, 1e-5)) << "pose " << k;
    missed += static_cast<int>(found.q.size()) - static_cast<int>(others.q.size());
    most = std::max(most, static_cast<int>(found.q.size()));
  }
  EXPECT_EQ(missed, 0) << "iteration from many starts finds all of them too";
  return most;
}

TEST(SphericalWrist, APumaReachesMostPosesInEightWays) {
  EXPECT_EQ(check_arm(robot("puma560"), {"link6", ""}, 20, 1, 400), 8);
}

TEST(SphericalWrist, AnArmWithAnOffsetShoulderToo) {
  // As common industrial robots: the second axis stands beside the first, the elbow has an offset.
  const Model model = arm({{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}},
                          {{0, 0, 0.4}, {0.18, 0, 0.1}, {0, 0, 0.6}, {0.1, 0, 0.12}, {0.55, 0, 0}, {0, 0, 0}});
  EXPECT_EQ(check_arm(model, {"link6", ""}, 10, 2, 400), 8);
}

TEST(SphericalWrist, TheFirstThreeAxesMayLieAsTheyLike) {
  const Model model = arm({{0.1, 0.2, 1}, {0.3, 1, -0.2}, {1, 0.4, 0.3}, {1, 0.1, 0}, {0.2, 1, 0.3}, {0.5, 0, 1}},
                          {{0, 0, 0.4}, {0.2, 0.05, 0.1}, {0.1, 0.1, 0.6}, {0.5, 0.1, 0.12}, {0, 0, 0}, {0, 0, 0}});
  EXPECT_GE(check_arm(model, {"link6", ""}, 10, 3, 600), 4);
}

TEST(SphericalWrist, TheFirstTwoAxesMayBeParallel) {
  const Model model = arm({{0, 0, 1}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}},
                          {{0, 0, 0.4}, {0.3, 0, 0}, {0.3, 0, 0}, {0.4, 0, 0}, {0, 0, 0}, {0, 0, 0}});
  EXPECT_EQ(check_arm(model, {"link6", ""}, 10, 4, 400), 8);
}

TEST(SphericalWrist, IsNotSeenWhereThereIsNone) {
  const InverseKinematics ur(robot("ur5_like"), {"wrist3", "tool"});
  EXPECT_EQ(ur.method(), "closed form, three parallel axes");
  const InverseKinematics kuka(robot("kuka_lwr4"), {"link7", ""});
  EXPECT_EQ(kuka.method(), "iteration");
  // A PUMA whose fifth axis misses the others by 1 mm.
  const Model missed = arm({{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}},
                           {{0, 0, 0.4}, {0, 0, 0}, {0, 0, 0.6}, {0.1, 0, 0.12}, {0.55, 0, 0.001}, {0, 0, 0}});
  EXPECT_EQ(InverseKinematics(missed, {"link6", ""}).method(), "iteration");
}

TEST(ThreeParallelAxes, AUniversalRobotReachesMostPosesInEightWays) {
  EXPECT_EQ(check_arm(robot("ur5_like"), {"wrist3", "tool"}, 10, 5, 400), 8);
}

TEST(ThreeParallelAxes, TheRobotOfTheEulerParameterPaperReachesBothEnds) {
  const Model model = robot("six_axis");
  InverseKinematics hand(model, {"link6", "tool"});
  EXPECT_EQ(hand.method(), "closed form, three parallel axes");
  const auto pose = [](const Vec3<double>& p, const Vec3<double>& angles) {
    return Pose<double>{*rotation_from_euler("zxz", angles * (pi / 180)), p};
  };
  Numbers q(6);
  // Its start is that of the model; at the end q1 and q6 are 90°.  [EP, table 2]
  const Numbers start = hand.parameters().q_start;
  EXPECT_TRUE(hand.solve_nearest(pose({2.03, 0, 1.02}, {90, 90, 0}), start, q).ok());
  EXPECT_LT(apart(q, start), exact);
  EXPECT_TRUE(
      hand.solve_nearest(pose({0, 1.52, 2.54}, {180, 90, 90}), Numbers{pi / 2, -0.4, 0, 0.4, 0, pi / 2}, q).ok());
  EXPECT_NEAR(q[0], pi / 2, exact);
  EXPECT_NEAR(q[5], pi / 2, exact);
  EXPECT_EQ(check_arm(model, {"link6", "tool"}, 5, 6, 300), 8);
}

TEST(ThreeAxes, AnAnthropomorphicArmReachesAPointInFourWays) {
  // Shoulder and elbow with offsets, one of them between the first two axes.
  for (const double offset : {0.0, 0.15}) {
    const Model model = arm({{0, 0, 1}, {0, 1, 0}, {0, 1, 0}}, {{0, 0, 0.4}, {offset, 0.1, 0}, {0, 0, 0.5}});
    EXPECT_EQ(check_arm(model, {"link3", "tip"}, 10, 10, 100, position_only), 4);
  }
}

TEST(ThreeAxes, MoreJointsThanThePointNeedsAreIterated) {
  const Model model =
      arm({{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}}, {{0, 0, 0.4}, {0, 0.1, 0}, {0, 0, 0.5}, {0.4, 0, 0}});
  EXPECT_EQ(InverseKinematics(model, {"link4", "tip"}, {.weight = position_only}).method(), "iteration");
}

TEST(Planar, TwoAxesReachAPointInTwoWaysAsTheLawOfCosinesSays) {
  // Links of 1 m and 0.5 m: q2 = ±acos((x² + y² − l1² − l2²)/(2·l1·l2)).
  Model model("planar");
  model.add("one", RigidBody{.mass = 1, .inertia = SymMat3<double>::identity()});
  model.add("two",
            RigidBody{.mass = 1, .inertia = SymMat3<double>::identity(), .frames = {{"tip", {{}, {0.5, 0, 0}}}}});
  model.add("a", Joint{}, "world", "one");
  model.add("b", Joint{}, at("one", {.xyz = {1, 0, 0}}), "two");
  InverseKinematics hand(model, {"two", "tip"}, {.weight = position_only});
  EXPECT_EQ(hand.method(), "closed form, position by two parallel axes");
  const auto found = hand.solve_all({{}, {0.7, 0.6, 0}});
  ASSERT_EQ(found.q.size(), 2U);
  const double elbow = std::acos((0.49 + 0.36 - 1 - 0.25) / 1.0);
  EXPECT_NEAR(std::abs(found.q[0][1]), elbow, exact);
  EXPECT_NEAR(found.q[0][1], -found.q[1][1], exact);
  const auto beside = hand.solve_all({{}, {0.7, 0.6, 0.25}});
  EXPECT_FALSE(beside.report.ok());
  EXPECT_NEAR(beside.report.position_error, 0.25, 1e-9) << "the plane is that far away";
}

TEST(Planar, ThreeAxesReachAPoseInTwoWays) {
  const Model model = arm({{0, 0, 1}, {0, 0, -1}, {0, 0, 1}}, {{0, 0, 0.1}, {1, 0, 0}, {0.7, 0, 0.2}});
  InverseKinematics hand(model, {"link3", ""});
  EXPECT_EQ(hand.method(), "closed form, three parallel axes in the plane");
  EXPECT_EQ(check_arm(model, {"link3", ""}, 10, 7, 40), 2);
}

TEST(InverseKinematics, AStretchedWristKeepsTheJointThatIsFree) {
  const Model model = robot("puma560");
  InverseKinematics hand(model, {"link6", ""}, {.limits = false});
  const Numbers q{0.3, 0.5, -0.7, 0.4, 0, 0.2};
  const Pose<double> target = forward(model, {"link6", ""}, q);
  Numbers reached(6);
  const auto report = hand.solve_nearest(target, q, reached);
  EXPECT_TRUE(report.ok());
  EXPECT_LT(apart(reached, q), 1e-7);
  EXPECT_LT(gap(forward(model, {"link6", ""}, reached), target), exact);
}

TEST(InverseKinematics, AtTheEdgeOfReachTheTwoElbowsAreOne) {
  const Model model = robot("puma560");
  InverseKinematics hand(model, {"link6", ""}, {.limits = false});
  const double stretched = -std::atan2(0.0203, 0.4318) - pi / 2;  // the wrist's centre is furthest from the shoulder
  for (const double elbow : {stretched, stretched + pi}) {
    const Numbers q{0.3, 0.5, elbow, 0.4, 0.8, 0.2};
    const Pose<double> target = forward(model, {"link6", ""}, q);
    const auto found = hand.solve_all(target);
    EXPECT_TRUE(found.report.ok());
    EXPECT_LT(std::max(found.report.position_error, found.report.angle_error), 1e-10);
  }
}

TEST(InverseKinematics, OutOfReachIsReportedWithTheBestPose) {
  const Model model = robot("puma560");
  InverseKinematics hand(model, {"link6", ""}, {.weight = {1e-3, 1e-3, 1e-3, 1, 1, 1}, .limits = false});
  Numbers q(6);
  const auto report = hand.solve_nearest({{}, {3, 0, 0}}, Numbers(6, 0.1), q);
  EXPECT_EQ(report.status, InverseKinematicsReport::Status::unreachable);
  EXPECT_EQ(report.solutions, 0);
  // The stretched arm: |(0.4318 + √(0.0203² + 0.4318²), 0.15005)|.
  const double reach = std::hypot(0.4318 + std::hypot(0.0203, 0.4318), 0.15005);
  EXPECT_NEAR(report.position_error, 3 - reach, 1e-3);
  EXPECT_THAT(to_text(report), StartsWith("no configuration was found that reaches the target. The best configuration "
                                          "misses it by "));
}

TEST(InverseKinematics, LimitsAreRespected) {
  const Model model = robot("puma560");
  for (const bool closed_form : {true, false}) {
    InverseKinematics hand(model, {"link6", ""}, {.closed_form = closed_form, .starts = 100});
    const Parameters<double>& par = hand.parameters();
    test::Random random(8);
    int outside = 0;
    for (int k = 0; k < 20; ++k) {
      const Numbers q = random_angles(random, 6);
      const auto found = hand.solve_all(forward(model, {"link6", ""}, q));
      outside += found.report.status == InverseKinematicsReport::Status::outside_limits;
      for (const Numbers& each : found.q) {
        for (std::size_t j = 0; found.report.ok() && j < 6; ++j) {
          EXPECT_GE(each[j], par.lower[j]);
          EXPECT_LE(each[j], par.upper[j]);
        }
      }
    }
    EXPECT_GT(outside, 0);
    EXPECT_LT(outside, 20);
  }
}

TEST(InverseKinematics, TheNearestSolutionIsGivenByWholeTurnsToo) {
  const Model model = robot("ur5_like");
  InverseKinematics hand(model, {"wrist3", "tool"});
  const Numbers q{5.5, -1, 1.2, 0.3, 0.7, -4};  // its limits are two turns apart
  Numbers reached(6);
  EXPECT_TRUE(hand.solve_nearest(forward(model, {"wrist3", "tool"}, q), q, reached).ok());
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(reached[k], q[k], 1e-9);
}

TEST(InverseKinematics, ARedundantArmIsIterated) {
  const Model model = robot("kuka_lwr4");
  InverseKinematics hand(model, {"link7", ""}, {.starts = 8});
  test::Random random(9);
  for (int k = 0; k < 10; ++k) {
    Numbers q(7), reached(7);
    for (double& each : q) each = random.number(-1.5, 1.5);
    const Pose<double> target = forward(model, {"link7", ""}, q);
    const auto report = hand.solve_nearest(target, Numbers(7, 0.1), reached);
    EXPECT_TRUE(report.ok());
    EXPECT_LT(gap(forward(model, {"link7", ""}, reached), target), 1e-9);
  }
}

TEST(InverseKinematics, AFreeTurnAboutTheToolLeavesOnlyItsAxis) {
  const Model model = robot("puma560");
  const PortRef frame{"link6", ""};
  InverseKinematics hand(model, frame, {.weight = {1, 1, 0, 1, 1, 1}, .limits = false, .starts = 4});
  const Pose<double> target = forward(model, frame, {0.3, 0.5, -0.7, 0.4, 0.6, 0.2});
  Numbers q(6);
  EXPECT_TRUE(hand.solve_nearest(target, Numbers{0.2, 0.4, -0.6, 0.1, 0.5, 2.5}, q).ok());
  const Pose<double> reached = forward(model, frame, q);
  EXPECT_LT(norm(reached.p - target.p), 1e-10);
  EXPECT_LT(norm(reached.R.m.column(2) - target.R.m.column(2)), 1e-9);
  EXPECT_GT(norm(reached.R.m.column(0) - target.R.m.column(0)), 0.1);
}

TEST(InverseKinematics, RefusesTargetsThatAreNone) {
  InverseKinematics hand(robot("puma560"), {"link6", ""});
  EXPECT_EQ(test::error_of([&] {
              hand.solve_all({{}, {std::nan(""), 0, 0}});
            }),
            "target: position[0] is nan. Only finite numbers are allowed.  [value-not-finite]");
  Pose<double> skew;
  skew.R.m(0, 0) = 2;
  EXPECT_EQ(
      test::error_of([&] { hand.solve_all(skew); }),
      "target: its rotation matrix is off by 3. Columns must be unit vectors at right angles.  [rotation-invalid]");
  EXPECT_THAT(test::error_of([] { InverseKinematics(robot("puma560"), {"link7", ""}); }), HasSubstr("[no-such-frame]"));
  EXPECT_THAT(test::error_of([&] { hand.solve_all({}, Numbers(5)); }), HasSubstr("[state-size]"));
}

/// Three turning joints in a plane, the last of which follows the second; two coordinates move the tip.
TEST(InverseKinematics, GearsMakeJointsFollow) {
  Model model = arm({{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, {{0, 0, 0}, {0.5, 0, 0}, {0.4, 0, 0}});
  model.add("gear", Gear{.ratio = {{-0.5}}, .offset = {0.1}}, "joint3", "joint2");
  InverseKinematics tip(model, {"link3", "tip"}, {.weight = {0, 0, 0, 1, 1, 0}});
  EXPECT_EQ(tip.method(), "iteration");
  EXPECT_THAT(tip.dofs(), testing::ElementsAre(0, 1));
  for (const double bend : {0.9, -1.3, 2.0}) {
    const Pose<double> target = forward(model, {"link3", "tip"}, {0.4, bend});
    const InverseKinematics::Solutions found = tip.solve_all(target);
    ASSERT_TRUE(found.report.ok()) << to_text(found.report);
    bool met = false;
    for (const Numbers& q : found.q) {
      EXPECT_NEAR(q[2], -0.5 * q[1] + 0.1, 1e-14);
      EXPECT_LT(norm(forward(model, {"link3", "tip"}, {q[0], q[1]}).p - target.p), 1e-10);
      met |= std::abs(q[1] - bend) < 1e-8 && std::abs(std::remainder(q[0] - 0.4, 2 * pi)) < 1e-8;
    }
    EXPECT_TRUE(met) << "the configuration it was made from";
  }
}

/// What follows has limits, too.
TEST(InverseKinematics, JointsThatFollowStayWithinTheirLimits) {
  Model model = arm({{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, {{0, 0, 0}, {0.5, 0, 0}, {0.4, 0, 0}});
  model.add("gear", Gear{.ratio = {{-0.5}}, .offset = {0.1}}, "joint3", "joint2");
  const Pose<double> target = forward(model, {"link3", "tip"}, {0.4, 0.9});  // joint3 at −0.35
  model.at<Joint>("joint3").limits = {{-0.3, 3}};                            // joint2 below 0.8
  InverseKinematics tip(model, {"link3", "tip"}, {.weight = {0, 0, 0, 1, 1, 0}});
  const InverseKinematics::Solutions found = tip.solve_all(target);
  for (const Numbers& q : found.q) EXPECT_GE(q[2], -0.3 - 1e-9);
  Model wider = model;
  wider.at<Joint>("joint3").limits = {{-0.4, -0.3}};  // that configuration alone
  const InverseKinematics::Solutions one =
      InverseKinematics(wider, {"link3", "tip"}, {.weight = {0, 0, 0, 1, 1, 0}}).solve_all(target);
  ASSERT_TRUE(one.report.ok()) << to_text(one.report);
  for (const Numbers& q : one.q) EXPECT_NEAR(q[1], 0.9, 1e-8);
}

/// A crane's winch is in the same cluster as the arm, and outside of its limits; the arm does not move it.
TEST(InverseKinematics, LimitsOfJointsThatTheArmDoesNotMoveDoNotCount) {
  Model model = arm({{0, 0, 1}, {0, 0, 1}}, {{0, 0, 0}, {0.5, 0, 0}});
  for (const std::string name : {"sum", "extra", "winch"}) {
    model.add(name + "_drum", RigidBody{.mass = 1, .inertia = SymMat3<double>::identity()});
    model.add(name, Joint{}, "world", name + "_drum");
  }
  model.add("adder", Gear{.ratio = {{1, 1}}});  // sum = joint1 + extra
  model.connect({{"adder", "in1"}, {"sum", "shaft"}}).connect({{"adder", "out1"}, {"joint1", "shaft"}});
  model.connect({{"adder", "out2"}, {"extra", "shaft"}});
  model.add("rope", Gear{.offset = {2}}, "winch", "extra");  // winch = extra + 2
  model.at<Joint>("winch").limits = {{-1, 1}};
  const PortRef tip{"link2", "tip"};
  InverseKinematics solver(model, tip, {.weight = {0, 0, 0, 1, 1, 0}});
  EXPECT_THAT(solver.dofs(), testing::ElementsAre(0, 1));
  const Numbers y{0.4, 0.9, 0};  // joint1, joint2, extra
  const Pose<double> target = forward(model, tip, y);
  const InverseKinematics::Solutions found = solver.solve_all(target);
  ASSERT_TRUE(found.report.ok()) << to_text(found.report);
  for (const Numbers& q : found.q) {
    EXPECT_EQ(q[3], 0) << "extra stays";
    EXPECT_LT(norm(forward(model, tip, {q[0], q[1], q[3]}).p - target.p), 1e-10);
  }
  // What the arm does move counts: sum = joint1 + extra.
  model.at<Joint>("sum").limits = {{3, 4}};
  EXPECT_EQ(InverseKinematics(model, tip, {.weight = {0, 0, 0, 1, 1, 0}}).solve_all(target).report.status,
            InverseKinematicsReport::Status::outside_limits);
}

/// Limits that leave one position only, and by rounding none: of joint 2, and through the gear of joint 3.
TEST(InverseKinematics, LimitsThatRoundingMakesCrossAreOnePosition) {
  const PortRef tip{"link3", "tip"};
  for (int k = 1; k <= 20; ++k) {
    const double bend = 0.1 * k, ratio = -0.3, offset = 0.1;
    Model model = arm({{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, {{0, 0, 0}, {0.5, 0, 0}, {0.4, 0, 0}});
    model.add("gear", Gear{.ratio = {{ratio}}, .offset = {offset}}, "joint3", "joint2");
    const Pose<double> target = forward(model, tip, {0.4, bend});
    model.at<Joint>("joint2").limits = {{bend, bend}};
    model.at<Joint>("joint3").limits = {{ratio * bend + offset, ratio * bend + offset}};
    InverseKinematics solver(model, tip, {.weight = {0, 0, 0, 1, 1, 0}});
    const InverseKinematics::Solutions found = solver.solve_all(target);
    ASSERT_TRUE(found.report.ok()) << bend << ": " << to_text(found.report);
    for (const Numbers& q : found.q) EXPECT_NEAR(q[1], bend, 1e-15 * (1 + bend));
  }
}

}  // namespace
}  // namespace articula::test
