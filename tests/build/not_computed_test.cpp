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

/// Only if it has inertia.
TEST(NotComputed, LockedRotorsAreNamed) {
  const auto text = [](double inertia, Drives drives) {
    Model model = arm();
    model.add("motor", Drive{.rotor_inertia = inertia, .gear = 50}, "elbow", "fore");
    const Built built = build_mechanism(model, {.drives = drives});
    const auto note = rotors_locked(built.mechanism, built.parameters);
    return note ? to_text(*note) : "";
  };
  EXPECT_EQ(text(1e-4, Drives::locked),
            "the rotor of motor is computed as at rest in the body that carries it. Choose rigid or elastic drives to "
            "include its rotation.  [rotors-locked]");
  EXPECT_EQ(text(0, Drives::locked), "");
  EXPECT_EQ(text(1e-4, Drives::rigid), "");
}

}  // namespace
}  // namespace articula::test
