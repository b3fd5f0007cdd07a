#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/build/build.h>
#include <articula/build/restructure.h>

#include "support/names.h"

namespace articula::test {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

/// An arm with a hand that holds a ball, and a second arm.
Model arms() {
  const RigidBody link{.mass = 1, .com = {0, 0, 0.1}, .inertia = SymMat3<double>::diagonal(0.1, 0.1, 0.1)};
  Model model("arms");
  for (const char* name : {"upper", "hand", "ball", "other"}) model.add(name, link);
  model.add("shoulder", Joint{.axis = y_axis}, "world", "upper");
  model.add("wrist", Joint{.axis = x_axis}, at("upper", {.xyz = {0, 0, 0.4}}), "hand");
  model.add("grip", Joint{.kind = JointKind::fixed}, at("hand", {.xyz = {0, 0, 0.1}}), "ball");
  model.add("second", Joint{.axis = z_axis}, at("world", {.xyz = {1, 0, 0}}), "other");
  return model;
}

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Restructure, WhatLosesItsHoldIsFreeInWorld) {
  const Model released = disconnected(arms(), "grip");
  EXPECT_THAT(released.names(Family::joint), ElementsAre("shoulder", "wrist", "second", "ball"));
  EXPECT_EQ(released.at<Joint>("ball").kind, JointKind::free);
  EXPECT_EQ(build_mechanism(released).mechanism.nv, 3 + 6);
  // With everything that hangs on it.
  EXPECT_THAT(disconnected(arms(), "shoulder").names(Family::joint), ElementsAre("wrist", "grip", "second", "upper"));
}

TEST(Restructure, ConnectingAgainGivesTheSameMechanism) {
  for (const char* joint : {"grip", "wrist", "shoulder", "second"}) {
    const Model again = connected(disconnected(arms(), joint), arms(), joint);
    EXPECT_THAT(again.names(Family::joint), UnorderedElementsAre("shoulder", "wrist", "grip", "second")) << joint;
    const Built was = build_mechanism(arms()), is = build_mechanism(again);
    EXPECT_THAT(is.mechanism.layout.v, testing::UnorderedElementsAreArray(was.mechanism.layout.v)) << joint;
  }
}

TEST(Restructure, ABodyChangesHands) {
  const Model released = disconnected(arms(), "grip");
  const Model caught = connected(released, "catch", Joint{.kind = JointKind::spherical}, {"other", ""}, {"ball", ""});
  EXPECT_THAT(caught.names(Family::joint), ElementsAre("shoulder", "wrist", "second", "catch"));
  EXPECT_EQ(build_mechanism(caught).mechanism.nv, 3 + 3);
  // Also where the free side is the joint's `from`.
  const Model turned = connected(released, "catch", Joint{.kind = JointKind::fixed}, {"ball", ""}, {"other", ""});
  EXPECT_EQ(build_mechanism(turned).mechanism.nv, 3);
}

TEST(Restructure, AChoiceOfExteriorJointsFollows) {
  Model model = arms();
  model.exterior.joints = {"wrist", "second"};
  const Model released = disconnected(model, "wrist");
  EXPECT_THAT(released.exterior.joints, ElementsAre("second", "hand"));
  EXPECT_THAT(connected(released, model, "wrist").exterior.joints, ElementsAre("second", "wrist"));
}

TEST(Restructure, SaysWhyItCannot) {
  const Model model = arms();
  EXPECT_EQ(error_of([&] { disconnected(model, "grib"); }),
            "disconnect: joint \"grib\" not found in \"arms\". Did you mean \"grip\"? Joints: shoulder, wrist, grip, "
            "second.  [no-such-joint]");
  EXPECT_EQ(error_of([&] { connected(model, model, "grip"); }),
            "connect: joint \"grip\" is connected already. Disconnect it first.  [joint-connected]");
  EXPECT_EQ(error_of([&] {
              connected(model, "loop", Joint{}, {"hand", ""}, {"other", ""});
            }),
            "connect: joint \"loop\" between \"hand\" and \"other\" would close a loop, since neither side is free to "
            "move, and this version computes trees only. Disconnect the joint that holds one of them first.  "
            "[loop-not-computed]");
  const Model released = disconnected(model, "grip");
  EXPECT_EQ(error_of([&] { disconnected(released, "ball"); }),
            "disconnect: joint \"ball\" is free: it holds nothing that could be released. Name a joint that holds.  "
            "[disconnect-free]");
  EXPECT_EQ(error_of([&] {
              connected(released, "catch", Joint{}, {"hand", "palm"}, {"ball", ""});
            }),
            "connect \"catch\": from: frame \"hand.palm\" not found. Frames: world, world.second.from, upper, "
            "upper.wrist.from, hand, hand.grip.from, ball, other.  [no-such-frame]");
  Model driven = arms();
  driven.add("motor", Drive{}).connect({{"motor", "joint"}, {"wrist", "shaft"}});
  EXPECT_EQ(
      error_of([&] { disconnected(driven, "wrist"); }),
      "disconnect: a drive, gear, spring or damper sits on the shaft of joint \"wrist\", and would drive nothing. "
      "Take it from the model, or put it on a joint that stays.  [disconnect-shaft]");
}

}  // namespace
}  // namespace articula::test
