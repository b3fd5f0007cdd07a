#include <gtest/gtest.h>

#include <cmath>

#include <articula/simulate/equilibrium.h>

#include "simulate/runs.h"

namespace articula::test {
namespace {

constexpr double g = 9.81;

double signal(System& system, const std::vector<double>& y, const std::string& name) {
  std::vector<double> values(system.signals().size());
  system.signal_values(0, y, values);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (system.signals()[k].name == name) return values[k];
  }
  throw std::out_of_range(name);
}

TEST(Equilibrium, AMassHangsOnItsSpringWhereTheSpringCarriesIt) {
  Model model("scale");
  model.add("mass", RigidBody{.mass = 2});
  model.add("slide", Joint{.kind = JointKind::prismatic, .axis = z_axis}, "world", "mass");
  model.add("spring", Spring{.stiffness = 500, .rest = 1}, at("world", {.xyz = {0, 0, 2}}), "mass");
  const auto system = make_system(model, {});
  const Equilibrium found = find_equilibrium(*system);
  ASSERT_TRUE(found.found) << found.what;
  EXPECT_NEAR(found.y[0], 1 - 2 * g / 500, 1e-12);
  EXPECT_NEAR(signal(*system, found.y, "element.spring.force"), -2 * g, 1e-9);  // it pulls
  EXPECT_NEAR(signal(*system, found.y, "element.spring.length"), 1 + 2 * g / 500, 1e-12);
}

TEST(Equilibrium, IsTheStableOneWhereverItStarts) {
  // A pendulum almost upright falls to hang.
  const auto system = make_system(pendulum(), {});
  for (const double start : {0.3, -2.0, 3.1}) {
    const Equilibrium found = find_equilibrium(*system, {.q = std::vector<double>{start}});
    ASSERT_TRUE(found.found);
    EXPECT_NEAR(std::sin(found.y[0]), 0, 1e-11);
    EXPECT_GT(std::cos(found.y[0]), 0);
  }
}

TEST(Equilibrium, ABallJointHangsStraightDown) {
  Model model("ball");
  model.add("bob", RigidBody{.mass = 1, .com = {0.3, 0.1, -0.8}, .inertia = SymMat3<double>::diagonal(0.1, 0.1, 0.1)});
  model.add("ball", Joint{.kind = JointKind::spherical}, "world", "bob");
  const auto system = make_system(model, {});
  const Equilibrium found = find_equilibrium(*system);
  ASSERT_TRUE(found.found) << found.what;
  // The centre of mass is as low as it can be.
  EXPECT_NEAR(signal(*system, found.y, "energy.potential"), -g * std::sqrt(0.3 * 0.3 + 0.1 * 0.1 + 0.8 * 0.8), 1e-9);
}

TEST(Equilibrium, OfAServoIsWhereItsTorqueCarriesTheWeight) {
  PdControl pd{.stiffness = {4}, .damping = {1}};
  pd.reference = "up";
  const auto system =
      make_system(pendulum(), {{"servo", pd, {}}}, {{"up", {"hinge"}, std::make_shared<Wave>(1, 0, 1, 0, 1)}});
  const Equilibrium found = find_equilibrium(*system);
  ASSERT_TRUE(found.found) << found.what;
  EXPECT_NEAR(4 * (1 - found.y[0]), g * std::sin(found.y[0]), 1e-9);
}

TEST(Equilibrium, SaysWhatNothingHolds) {
  Model model("falling");
  model.add("mass", RigidBody{.mass = 2});
  model.add("slide", Joint{.kind = JointKind::prismatic, .axis = z_axis}, "world", "mass");
  const auto system = make_system(model, {});
  const Equilibrium found = find_equilibrium(*system);
  EXPECT_FALSE(found.found);
  EXPECT_NE(found.what.find("a.slide is -9.81"), std::string::npos) << found.what;
}

TEST(Equilibrium, OfVeryManyStatesIsRefused) {
  Model model("tables");
  for (int k = 0; k < 2001; ++k) {
    const std::string number = std::to_string(k);
    model.add("table" + number, RigidBody{.mass = 1, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}});
    model.add("joint" + number, Joint{.axis = z_axis}, "world", "table" + number);
  }
  const auto system = make_system(model, {});
  try {
    find_equilibrium(*system);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the equilibrium of a system of 4002 states is sought, and each step solves a dense system of "
                 "equations. At most 4000 states are allowed. Take a smaller model, or simulate with damping until it "
                 "rests.  [jacobian-too-large]");
  }
}

}  // namespace
}  // namespace articula::test
