#include <articula/control/signals.h>

#include <gtest/gtest.h>

#include "support/names.h"

namespace articula::test {
namespace {

TEST(JointSignals, HaveTheirNamesAndUnits) {
  EXPECT_EQ(joint_signal(JointSignal::q, "elbow", dimension::angle), (Signal{"q.elbow", "rad"}));
  EXPECT_EQ(joint_signal(JointSignal::q, "rail", dimension::length), (Signal{"q.rail", "m"}));
  EXPECT_EQ(joint_signal(JointSignal::q, "ball.qw", dimension::none), (Signal{"q.ball.qw", "1"}));
  EXPECT_EQ(joint_signal(JointSignal::v, "elbow", dimension::angular_speed), (Signal{"v.elbow", "rad/s"}));
  EXPECT_EQ(joint_signal(JointSignal::v, "rail", dimension::speed), (Signal{"v.rail", "m/s"}));
  EXPECT_EQ(joint_signal(JointSignal::a, "elbow", dimension::angular_speed), (Signal{"a.elbow", "rad/s^2"}));
  EXPECT_EQ(joint_signal(JointSignal::a, "rail", dimension::speed), (Signal{"a.rail", "m/s^2"}));
  EXPECT_EQ(joint_signal(JointSignal::tau, "elbow", dimension::angular_speed), (Signal{"tau.elbow", "N*m"}));
  EXPECT_EQ(joint_signal(JointSignal::tau, "rail", dimension::speed), (Signal{"tau.rail", "N"}));
}

TEST(PoseSignals, StandInTheOrderOfTheirValues) {
  std::vector<Signal> signals;
  add_pose_signals({"hand", "tip"}, signals);
  const auto values = pose_values({.R = {}, .p = {1, 2, 3}});
  ASSERT_EQ(signals.size(), values.size());
  EXPECT_EQ(signals[2], (Signal{"pose.hand.tip.z", "m"}));
  EXPECT_EQ(values[2], 3);
  EXPECT_EQ(signals[6], (Signal{"pose.hand.tip.qw", "1"}));
  EXPECT_EQ(values[6], 1);
}

}  // namespace
}  // namespace articula::test
