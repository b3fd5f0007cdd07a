/// What a model describes and no computation uses is warned of, once, with what to do.

#include <articula/build/not_computed.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/build/build.h>

#include "support/names.h"

namespace articula::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Model arm() {
  Model model("arm");
  const RigidBody link{.mass = 1, .com = {0.2, 0, 0}, .inertia = SymMat3<double>::diagonal(0.1, 0.1, 0.1)};
  model.add("upper", link);
  model.add("fore", link);
  model.add("slide", Joint{.kind = JointKind::prismatic, .axis = x_axis}, "world", "upper");
  model.add("elbow", Joint{.axis = y_axis}, at("upper", {.xyz = {0.4, 0, 0}}), "fore");
  return model;
}

std::vector<std::string> texts(const Findings& findings) {
  std::vector<std::string> all;
  for (const Finding& finding : findings) {
    all.push_back(std::string(to_text(finding.severity)) + ": " + to_text(finding));
  }
  return all;
}

TEST(NotComputed, APlainArmHasNothingOfTheKind) { EXPECT_THAT(texts(check(arm())), IsEmpty()); }

TEST(NotComputed, ContactPointsAreNamedTogether) {
  Model model = arm();
  model.environment.ground = Ground{};
  model.add("heel", ContactPoint{}, "fore");
  model.add("toe", ContactPoint{}, at("fore", {.xyz = {0.1, 0, 0}}));
  EXPECT_THAT(
      texts(check(model)),
      ElementsAre("warning: contact points heel, toe: contact is not computed yet, and no contact force is part "
                  "of the result. Give contact forces as loads.  [contact-not-computed]"));
}

TEST(NotComputed, AGroundThatNothingTouches) {
  Model model = arm();
  model.environment.ground = Ground{};
  EXPECT_THAT(texts(check(model)),
              ElementsAre("note: the environment has a ground, but nothing can touch it. Add contact "
                          "points, or remove the ground.  [ground-unused]"));
}

TEST(NotComputed, AnElasticDrive) {
  Model model = arm();
  model.add("motor", Drive{.rotor_inertia = 1e-4, .gear = 50, .stiffness = 1e4}, "elbow");
  EXPECT_THAT(texts(check(model)),
              ElementsAre("warning: drive \"motor\": it is elastic, and the motion of its motor is not computed yet. "
                          "Computations with passive forces refuse it; without them the drive has no effect.  "
                          "[drive-not-computed]"));
}

/// Only where the body can turn, and the rotor is mounted on it and has inertia.
TEST(NotComputed, GyroscopicTorquesOfRotors) {
  const auto codes = [](const char* body, double inertia, bool elbow_moves) {
    Model model = arm();
    model.add("motor", Drive{.rotor_inertia = inertia, .gear = 50}, "elbow",
              body == nullptr ? Attachment() : Attachment(body));
    const Built built = build_mechanism(model);
    std::vector<std::string> found;
    for (const Finding& finding : rotors_not_computed(built.mechanism, built.parameters, {true, elbow_moves})) {
      found.push_back(finding.code);
    }
    return found;
  };
  EXPECT_THAT(codes("fore", 1e-4, true), ElementsAre("rotor-gyroscopic-not-computed"));
  EXPECT_THAT(codes("fore", 0, true), IsEmpty());
  EXPECT_THAT(codes("fore", 1e-4, false), IsEmpty());  // locked
  EXPECT_THAT(codes("upper", 1e-4, true), IsEmpty());  // slides only
  EXPECT_THAT(codes(nullptr, 1e-4, true), IsEmpty());  // along the joint only
}

}  // namespace
}  // namespace articula::test
