#include <articula/build/singular_joints.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include <articula/base/text.h>

#include "samples.h"
#include "support/random_model.h"

namespace articula::test {
namespace {

using std::numbers::pi;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> singular(const Model& model, Drives drives = Drives::locked) {
  const Built built = build_mechanism(model, {.drives = drives});
  return find_singular_joints(built.mechanism, built.parameters, built.parameters.q_start, built.mechanism.roles);
}

TEST(SingularJoints, AMasslessTipIsOne) {
  Model model = pendulum();
  model.add("tip", RigidBody{}).add(Entity{"wrist", Joint{}, {"arm.yaml", 5}});
  model.attach("wrist", Family::joint, "from", "bob").attach("wrist", Family::joint, "to", "tip");
  EXPECT_THAT(singular(model), ElementsAre("wrist"));
  EXPECT_THAT(
      texts(check(model)),
      ElementsAre(
          "warning: arm.yaml:5: joint \"wrist\" moves nothing that has inertia. Forward dynamics needs some: give "
          "the bodies beyond it mass, or fix the joint.  [joint-inertia-singular]"));
  const Built built = build_mechanism(model);  // which is fine by itself
  EXPECT_EQ(error_of([&] { require_regular_joints(built, built.parameters.q_start); }),
            "joint \"wrist\" moves nothing that has inertia. Forward dynamics needs some: give the bodies beyond it "
            "mass, or fix "
            "the joint.  [joint-inertia-singular]");
  const Built good = build_mechanism(pendulum());
  EXPECT_EQ(error_of([&] { require_regular_joints(good, good.parameters.q_start); }), "no error");
}

TEST(SingularJoints, AMasslessBodyBetweenIsNone) {
  Model model;
  model.add("between", RigidBody{}).add("tip", body());
  model.add("a", Joint{}, "world", "between").add("b", Joint{.axis = x_axis}, "between", "tip");
  EXPECT_THAT(singular(model), IsEmpty());
}

TEST(SingularJoints, AnAxisThroughAPointMassIsOne) {
  Model model;
  model.add("point", RigidBody{.mass = 1, .com = {0, 0, 1}});
  model.add("hinge", Joint{}, "world", "point");
  EXPECT_THAT(singular(model), ElementsAre("hinge"));
  model.at<RigidBody>("point").com = {1, 0, 0};
  EXPECT_THAT(singular(model), IsEmpty());
}

TEST(SingularJoints, DependOnTheConfiguration) {
  // Two hinges about one line move one body when the arm between them is turned so that the lines meet.
  Model model;
  model.add("between", RigidBody{}).add("tip", body());
  model.add("a", Joint{}, "world", "between");
  model.add("b", Joint{}, "between", "tip");
  EXPECT_THAT(singular(model), ElementsAre("a")) << "both about z: the inner one moves nothing the outer could not";
}

TEST(SingularJoints, AHingeThatABallRepeatsIsOneAlsoWithinRounding) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    Model model;
    model.add("between", RigidBody{}).add("tip", body());
    model.add("hinge", Joint{.axis = Direction{random.direction()}}, at("world", {.xyz = random.vec3()}), "between");
    model.add("ball", Joint{.kind = JointKind::spherical, .start = random.quaternion()}, "between",
              at("tip", {.xyz = random.vec3()}));
    EXPECT_THAT(singular(model), ElementsAre("hinge")) << "seed " << seed;
  }
}

TEST(SingularJoints, AFreePointMassIsOne) {
  Model model;
  model.add("point", RigidBody{.mass = 1}).add("base", Joint{.kind = JointKind::free}, "world", "point");
  EXPECT_THAT(singular(model), ElementsAre("base"));
}

TEST(SingularJoints, SeveralComeInTheOrderOfTheTree) {
  Model model;
  for (const char* name : {"a", "b", "c"}) model.add(name, RigidBody{}).add(concat("j", name), Joint{}, "world", name);
  EXPECT_THAT(singular(model), ElementsAre("ja", "jb", "jc"));
}

TEST(SingularJoints, ARigidRotorIsInertiaEnough) {
  Model model;
  model.add("link", RigidBody{})
      .add("joint1", Joint{}, "world", "link")
      .add("drive", Drive{.rotor_inertia = 2e-4, .gear = 62}, "joint1");
  EXPECT_THAT(singular(model, Drives::elastic), IsEmpty());
  EXPECT_THAT(singular(model, Drives::locked), ElementsAre("joint1"));
  model.at<Drive>("drive").stiffness = 1e4;
  EXPECT_THAT(singular(model, Drives::elastic), ElementsAre("joint1")) << "through a spring it is not";
}

TEST(SingularJoints, PrescribedOnesNeedNoInertia) {
  Model model;
  model.add("link", RigidBody{}).add("told", Joint{.prescribed = true}, "world", "link");
  EXPECT_THAT(singular(model), IsEmpty());
  EXPECT_THAT(texts(check(model)), IsEmpty());
}

TEST(SingularJoints, BodiesOfAnySizeAreRegular) {
  for (const double size : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
    Model model;
    model.add("a", RigidBody{.mass = size * size * size, .inertia = SymMat3<double>::diagonal(1, 1, 1)});
    model.at<RigidBody>("a").inertia = std::pow(size, 5) * SymMat3<double>::identity();
    model.add("j", Joint{.kind = JointKind::free}, "world", "a");
    EXPECT_THAT(singular(model), IsEmpty()) << "a block of " << size << " m";
  }
}

TEST(SingularJoints, LongChainsHaveNone) {
  // Across its axes a chain resists with the cube of its length, along them with what one body has.
  for (const Vec3<double>& step : {Vec3<double>{0, 0, 1}, Vec3<double>{1, 0, 0}}) {
    Model model;
    std::string last = "world";
    for (int k = 0; k < 18'000; ++k) {
      const std::string name = concat("b", k);
      model.add(name, body())
          .add(concat("j", k), Joint{}, at(last, {.xyz = k == 0 ? Vec3<double>::zero() : step}), name);
      last = name;
    }
    EXPECT_THAT(singular(model), IsEmpty()) << "along (" << step.x << ", 0, " << step.z << ")";
  }
}

TEST(SingularJoints, AThinRodThatTurnsAboutItselfIsOneInAnyDirection) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const Vec3<double> u = random.direction();
    const SymMat3<double> across{1 - u.x * u.x, -u.x * u.y, -u.x * u.z, 1 - u.y * u.y, -u.y * u.z, 1 - u.z * u.z};
    Model model;
    model.add("rod", RigidBody{.mass = 1, .com = 2.0 * u, .inertia = 1e6 * across});
    model.add("hinge", Joint{.axis = Direction{u}}, "world", "rod");
    EXPECT_THAT(singular(model), ElementsAre("hinge")) << "seed " << seed;
    model.add("between", RigidBody{}).add("before", Joint{.axis = Direction{u}}, "world", "between");
    model.add("rod2", model.at<RigidBody>("rod")).add("hinge2", Joint{.axis = Direction{u}}, "between", "rod2");
    EXPECT_THAT(singular(model), ElementsAre("hinge", "before", "hinge2")) << "seed " << seed;
  }
}

TEST(SingularJoints, RandomModelsHaveNone) {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    EXPECT_THAT(singular(random_model(seed, {.bodies = 8, .chained = 0})), IsEmpty());
  }
}

}  // namespace
}  // namespace articula::test
