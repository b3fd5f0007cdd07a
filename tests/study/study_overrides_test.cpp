// That properties of a model can be given new values by path, and what is said when they cannot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/formats/yaml_reader.h>
#include <articula/study/overrides.h>

#include "support/names.h"

namespace articula::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::string_view text = R"(articula: 1
name: arm
bodies:
  upper: {mass: 3, com: [0, 0, 0.1], inertia: {xx: 0.01, yy: 0.01, zz: 0.005}}
  elbow: {mass: 1}
joints:
  shoulder: {type: revolute, axis: z, from: world, to: upper, damping: 0.5}
  elbow: {type: prismatic, axis: x, from: {upper: {xyz: [0, 0, 0.2]}}, to: elbow, damping: 0.1}
springs:
  return: {stiffness: 100, from: world, to: upper}
parts:
  hand:
    bodies: {palm: {mass: 0.4}}
)";

Model arm() {
  Findings findings;
  return read_yaml(text, "arm.yaml", findings);
}

Model with(const std::string& path, const std::string& value) {
  Model model = arm();
  apply_overrides({{path, {value, {"study.yaml", 7}}}}, model);
  return model;
}

std::string error_of(const std::string& path, const std::string& value) {
  try {
    with(path, value);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Overrides, ChangeWhatTheirPathNamesAndNothingElse) {
  Model expected = arm();
  expected.at<RigidBody>("upper").mass = 0.7;
  EXPECT_EQ(with("upper.mass", "0.7 kg"), expected);
  EXPECT_EQ(with("upper.mass", "700 g"), expected);
}

TEST(Overrides, ReachEveryKindOfEntity) {
  EXPECT_EQ(with("shoulder.damping", "2 N*m*s/rad").at<Joint>("shoulder").damping, 2);
  EXPECT_EQ(with("return.stiffness", "5 N/mm").at<Spring>("return").stiffness, 5000);
  EXPECT_EQ(with("upper.com", "[1 mm, 0, 0]").at<RigidBody>("upper").com.x, 0.001);
}

TEST(Overrides, ReachOneComponent) {
  const RigidBody& body = with("upper.inertia.zz", "0.25").at<RigidBody>("upper");
  EXPECT_EQ(body.inertia.zz, 0.25);
  EXPECT_EQ(body.inertia.xx, 0.01);
  EXPECT_EQ(with("upper.com.z", "0.3").at<RigidBody>("upper").com.z, 0.3);
  EXPECT_THAT(error_of("upper.com.w", "0.3"), HasSubstr("has no component \"w\". Components: x, y, z."));
}

TEST(Overrides, ReachIntoParts) {
  const Model model = with("hand/palm.mass", "0.5");
  const Entity* palm = model.find_path("hand/palm", Family::body);
  ASSERT_NE(palm, nullptr);
  EXPECT_EQ(std::get<RigidBody>(palm->kind).mass, 0.5);
}

TEST(Overrides, ReachTheEnvironment) {
  EXPECT_EQ(std::get<UniformGravity>(with("environment.gravity", "[0, 0, -1.62]").environment.gravity).acceleration.z,
            -1.62);
  EXPECT_THAT(error_of("environment.gravty", "[0, 0, -1.62]"), HasSubstr("Did you mean \"gravity\"?"));
  EXPECT_THAT(error_of("environment.gravit[", "1"), HasSubstr("Did you mean \"gravity\"?"));
}

TEST(Overrides, TellABodyFromAJointOfTheSameName) {
  // Only the body has a mass, only the joint has damping.
  EXPECT_EQ(with("elbow.mass", "2").at<RigidBody>("elbow").mass, 2);
  EXPECT_EQ(with("elbow.damping", "2").at<Joint>("elbow").damping, 2);
  EXPECT_EQ(with("joints.elbow.damping", "3").at<Joint>("elbow").damping, 3);
}

TEST(Overrides, SuggestWhatWasMeant) {
  EXPECT_THAT(error_of("uper.mass", "1"),
              AllOf(HasSubstr("study.yaml:7: override \"uper.mass\": the model has no entity \"uper\""),
                    HasSubstr("Did you mean \"upper\"?"), HasSubstr("[override-unknown]")));
  EXPECT_THAT(error_of("upper.mas", "1"),
              AllOf(HasSubstr("body \"upper\" has no property \"mas\""), HasSubstr("Did you mean \"mass\"?")));
  EXPECT_THAT(error_of("mass", "1"), HasSubstr("a path is entity.property, e.g. link7.mass."));
}

TEST(Overrides, AreReadWithTheStrictnessOfModels) {
  EXPECT_THAT(error_of("upper.mass", "1,5"), HasSubstr("[number-invalid]"));
  EXPECT_THAT(error_of("upper.mass", "3 m"), HasSubstr("[unit-dimension]"));
  EXPECT_THAT(error_of("upper.com", "[1, 2]"), HasSubstr("[vector-length]"));
  EXPECT_THAT(error_of("upper.mass", "[1]"), HasSubstr("[value-type]"));
}

TEST(Overrides, AllThatIsWrongIsSaidAtOnce) {
  Model model = arm();
  try {
    apply_overrides({{"a.b", {"1", {}}}, {"upper.mass", {"x", {}}}}, model);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.errors().size(), 2u);
  }
}

}  // namespace
}  // namespace articula::test
