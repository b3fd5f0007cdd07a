#include <articula/model/lock_joints.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <articula/base/text.h>
#include <articula/solve/forward_dynamics.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/solve/inverse_dynamics.h>
#include <articula/spatial/orientation.h>

#include "support/names.h"

namespace articula::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double rounding = 1e-12;

RigidBody rod(double mass) {
  return {.mass = mass, .com = {0.3, 0.05, -0.1}, .inertia = SymMat3<double>::diagonal(0.02, 0.03, 0.025)};
}

/// Three joints about oblique axes, the middle one sliding.
Model arm() {
  Model model("arm");
  model.add("upper", rod(3)).add("middle", rod(2)).add("fore", rod(1));
  const auto normal = [](double x, double y, double z) {
    return Direction{Vec3<double>{x, y, z} * (1 / std::hypot(x, y, z))};
  };
  model.add("shoulder", Joint{.axis = normal(1, 2, 3)}, at("world", {.xyz = {0.1, 0.2, 0.3}, .rpy = {0.3, 0.2, 0.1}}),
            "upper");
  model.add("slide", Joint{.kind = JointKind::prismatic, .axis = normal(-1, 0.5, 2)},
            at("upper", {.xyz = {0.5, 0, 0.1}, .rpy = {1, 0, 0}}), "middle");
  model.add("elbow", Joint{.axis = normal(0.2, -1, 0.4)}, at("middle", {.xyz = {0.5, 0.1, 0}}),
            at("fore", {.xyz = {0.1, 0, 0}, .rpy = {0, 0.4, 0}}));
  return model;
}

std::vector<std::string> texts(const Findings& findings) {
  std::vector<std::string> all;
  for (const Finding& finding : findings) all.push_back(to_text(finding));
  return all;
}

std::string refusal(const Model& model, const std::vector<JointLock>& locks) {
  Findings findings;
  try {
    lock_joints(model, locks, findings);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(LockJoints, TheRestMovesAsWhereTheJointIsHeldByAForce) {
  Findings findings;
  const Model model = arm(), locked = lock_joints(model, {{"slide", "120 mm", {}}}, findings);
  ForwardKinematics whole(model), rest(locked);
  const std::vector<double> q{0.7, 0.12, -0.4}, v{0.5, 0, -0.8};
  whole.update({.q = q, .v = v});
  rest.update({.q = std::vector{q[0], q[2]}, .v = std::vector{v[0], v[2]}});
  const auto expected = whole.compute(), got = rest.compute();
  ASSERT_EQ(expected.size(), got.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    EXPECT_LT(norm(expected[k].X_WF.p - got[k].X_WF.p), rounding);
    EXPECT_LT(norm(expected[k].V.w - got[k].V.w) + norm(expected[k].V.v - got[k].V.v), rounding);
  }
  // Accelerations of the rest, given to the whole with none of the locked joint, need no other torque at the free joints.
  ForwardDynamics forward(locked);
  const std::vector<double> tau{2, -1};
  forward.update({.q = std::vector{q[0], q[2]}, .v = std::vector{v[0], v[2]}, .tau = tau});
  const VectorView a = forward.compute();
  InverseDynamics inverse(model);
  const std::vector<double> vdot{a[0], 0, a[1]};
  inverse.update({.q = q, .v = v, .vdot = vdot});
  const VectorView needed = inverse.compute();
  EXPECT_NEAR(needed[0], tau[0], 1e-10);
  EXPECT_NEAR(needed[2], tau[1], 1e-10);
  EXPECT_THAT(texts(findings),
              ElementsAre("joint \"slide\": locked at 0.12 m; it is a fixed joint now.  [joint-locked]"));
}

TEST(LockJoints, JointsWithSeveralCoordinatesAreLockedToo) {
  Model model;
  model.add("body", rod(1)).add("ball", Joint{.kind = JointKind::spherical}, "world", "body");
  Findings findings;
  const double s = std::sin(0.25), c = std::cos(0.25);
  const Model locked = lock_joints(model, {{"ball", concat(s, ",0,0,", c), {}}}, findings);
  ForwardKinematics rest(locked);
  rest.update({});
  EXPECT_LT(norm(rest.compute()[0].X_WF.rotate(Vec3<double>{0, 1, 0}) - Vec3<double>{0, std::cos(0.5), std::sin(0.5)}),
            rounding);
}

TEST(LockJoints, WhatFollowsALockedJointIsLockedWithIt) {
  Model model = arm();
  model.add("mimic", Gear{.ratio = {{2}}, .offset = {0.1}}, "shoulder", "elbow");  // shoulder = 2·elbow + 0.1
  model.add("motor", Drive{.gear = 100}, "elbow");
  for (const auto& [joint, value, other, angle] :
       {std::tuple{"elbow", "0.2", "shoulder", 0.5}, std::tuple{"shoulder", "0.5", "elbow", 0.2}}) {
    Findings findings;
    const Model locked = lock_joints(model, {{joint, value, {}}}, findings);
    EXPECT_EQ(locked.at<Joint>("elbow").kind, JointKind::fixed);
    EXPECT_EQ(locked.at<Joint>("shoulder").kind, JointKind::fixed);
    EXPECT_EQ(locked.find("mimic", Family::element), nullptr);
    EXPECT_EQ(locked.find("motor", Family::element), nullptr);
    const auto lines = texts(findings);
    EXPECT_THAT(lines, testing::Contains(
                           HasSubstr(concat("joint \"", other, "\": locked at ", angle, " rad by gear \"mimic\""))));
    EXPECT_THAT(lines,
                testing::Contains(HasSubstr("Without effect: gear \"mimic\", drive \"motor\".  [joint-locked]")));
    const ForwardKinematics rest(locked);
    EXPECT_EQ(rest.nv(), 1);
  }
}

TEST(LockJoints, InsideAPartByItsPath) {
  Model model("robot");
  Assembly part;
  part.add("upper", rod(3)).add("fore", rod(1));
  part.add("elbow", Joint{.axis = y_axis}, at("upper", {.xyz = {0.5, 0, 0}}), "fore");
  model.add_part("left", part);
  model.add("shoulder", Joint{.axis = z_axis}, "world", "left/upper");
  Findings findings;
  const Model locked = lock_joints(model, {{"left/elbow", "90 deg", {}}}, findings);
  ForwardKinematics rest(locked);
  ASSERT_EQ(rest.nv(), 1);
  rest.update({.q = std::vector{0.0}});
  bool found = false;
  for (std::size_t k = 0; k < rest.frames().size(); ++k) {
    if (rest.frames()[k].entity != "left/fore") continue;
    found = true;
    EXPECT_LT(norm(rest.compute()[k].X_WF.rotate(Vec3<double>{1, 0, 0}) - Vec3<double>{0, 0, -1}), rounding);
  }
  EXPECT_TRUE(found);
}

TEST(LockJoints, WhatCannotBeDoneIsRefused) {
  Model model = arm();
  EXPECT_EQ(
      refusal(model, {{"elbwo", "1", {}}}),
      "lock \"elbwo\": joint not found. Did you mean \"elbow\"? Joints: shoulder, slide, elbow.  [no-such-joint]");
  EXPECT_EQ(refusal(model, {{"elbow", "1 m", {}}}),
            "lock \"elbow\": \"1 m\" is in m, but rad or another unit of that kind is needed here.  [unit-dimension]");
  EXPECT_THAT(refusal(model, {{"elbow", "1, 2", {}}}),
              HasSubstr("a revolute joint has 1 coordinate, but 2 values are given. Give one."));
  EXPECT_THAT(refusal(model, {{"elbow", "1", {}}, {"elbow", "2", {}}}), HasSubstr("it would be at 1 and at 2"));
  model.add("spring", Spring{.form = Form::torsional, .stiffness = 1}, "shoulder", "elbow");
  EXPECT_EQ(
      refusal(model, {{"elbow", "1", {}}}),
      "spring \"spring\" couples a locked joint with one that stays free. Lock all joints that it couples, or remove "
      "it.  [lock-coupled]");
  model = arm();
  model.at<Joint>("elbow").limits = {{-1, 1}};
  model.add("gear", Gear{.ratio = {{2}}}, "shoulder", "elbow");
  EXPECT_EQ(
      refusal(model, {{"elbow", "1", {}}, {"shoulder", "1", {}}}),
      "lock \"elbow\": it would be at 1 and at 0.5, by gear \"gear\". Lock one of the coupled joints only, or each at "
      "its own value.  [lock-conflict]");
  Findings findings;
  lock_joints(model, {{"elbow", "3", {}}}, findings);
  EXPECT_EQ(to_text(findings.front()),
            "lock \"elbow\": 3 is outside the joint's limits, -1 to 1.  [lock-outside-limits]");
  EXPECT_THROW(to_lock("elbow"), Error);
  EXPECT_EQ(to_lock("elbow=30 deg"), (JointLock{"elbow", "30 deg", {}}));
}

}  // namespace
}  // namespace articula::test
