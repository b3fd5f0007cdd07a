#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/control/block_kinds.h>

#include "simulate/runs.h"

namespace articula::test {
namespace {

using testing::HasSubstr;

std::string error_of(const Model& model, const std::vector<BlockSpec>& specs) {
  try {
    make_blocks(specs, BlockSite(model));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

PdControl pd(const std::string& joint) {
  return {.joints = {joint}, .reference = "wave", .stiffness = {1}, .damping = {1}};
}

TEST(BlockKinds, EachKindIsFoundByItsNameAndDescribesItself) {
  for (const std::string& name : block_kind_names()) {
    const BlockKind kind = make_block_kind(name);
    std::vector<std::string> fields;
    std::visit(
        [&]<class K>(K each) {
          EXPECT_EQ(K::name, name);
          K::fields(each, [&](std::string_view field, auto&&...) { fields.emplace_back(field); });
        },
        kind);
    EXPECT_FALSE(fields.empty()) << name;
    std::sort(fields.begin(), fields.end());
    EXPECT_EQ(std::unique(fields.begin(), fields.end()), fields.end()) << name;
  }
  try {
    make_block_kind("pdd");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no block of type \"pdd\". Did you mean \"pd\"? Types: pd, pid,"));
  }
}

TEST(BlockKinds, UnitsFollowTheFormOfTheJoint) {
  const auto unit = [](Form form) {
    PdControl kind{.form = form};
    std::string text;
    PdControl::fields(kind, [&](std::string_view field, auto&, const Dimension& dimension, auto&&...) {
      if (field == "stiffness") text = unit_text(dimension);
    });
    return text;
  };
  EXPECT_EQ(unit(Form::torsional), "N*m/rad");
  EXPECT_EQ(unit(Form::translational), "N/m");
}

TEST(BlockKinds, MessagesSayWhatIsWrongAndWhatToDo) {
  EXPECT_EQ(
      error_of(pendulum(), {{"servo", pd("hing"), {"s.yaml", 7}}}),
      "s.yaml:7: block \"servo\": joint \"hing\" not found among those that move. Did you mean \"hinge\"? Joints: "
      "hinge.  [no-such-joint]");
  EXPECT_EQ(error_of(slider(), {{"servo", pd("slide"), {}}}),
            "block \"servo\": joint \"slide\" slides, but the block's numbers are for joints that turn. Write `form: "
            "translational`, and give joints that turn and joints that slide a block each.  [block-form]");
  PdControl many = pd("hinge");
  many.stiffness = {1, 2, 3};
  EXPECT_EQ(
      error_of(pendulum(), {{"servo", many, {}}}),
      "block \"servo\": stiffness has 3 numbers, but there is 1 joint. Give one number for all, or one for each.  "
      "[block-values]");
  many.stiffness = {-4};
  EXPECT_EQ(error_of(pendulum(), {{"servo", many, {}}}),
            "block \"servo\": stiffness is -4. It must be at least 0.  [block-value]");
  many.reference.clear();
  EXPECT_THAT(error_of(pendulum(), {{"servo", many, {}}}),
              HasSubstr("it has no reference. Give it one, e.g. `reference: wave`.  [block-needs]"));
  PdControl twice = pd("hinge");
  twice.joints = {"hinge", "hinge"};
  EXPECT_THAT(error_of(pendulum(), {{"servo", twice, {}}}), HasSubstr("[block-joint-twice]"));
  twice.joints.clear();
  EXPECT_THAT(error_of(pendulum(), {{"servo", twice, {}}}), HasSubstr("[block-no-joint]"));
  Model ball("ball");
  ball.add("b", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, 1)});
  ball.add("socket", Joint{.kind = JointKind::spherical}, "world", "b");
  EXPECT_THAT(error_of(ball, {{"servo", pd("socket"), {}}}),
              HasSubstr("joint \"socket\" is held by a quaternion, and has no angle for each of its axes."));
  HydraulicCylinder oil;
  oil.joint = "hinge", oil.stroke = 1, oil.area_a = oil.area_b = oil.dead_volume_a = oil.dead_volume_b = 1e-3;
  EXPECT_THAT(error_of(pendulum(), {{"ram", oil, {}}}), HasSubstr("joint \"hinge\" turns, and lever is 0."));
  oil.from = "bob";
  EXPECT_THAT(error_of(pendulum(), {{"ram", oil, {}}}), HasSubstr("either `joint`, or the two frames"));
  oil.joint.clear(), oil.to = "bobb";
  EXPECT_THAT(error_of(pendulum(), {{"ram", oil, {}}}),
              HasSubstr("to: frame \"bobb\" not found. Did you mean \"bob\"?"));
  oil.to = "bob";
  EXPECT_THAT(error_of(pendulum(), {{"ram", oil, {}}}), HasSubstr("[block-line]"));
}

TEST(BlockKinds, AllErrorsAreToldAtOnce) {
  try {
    make_blocks(std::vector<BlockSpec>{{"one", pd("x"), {}}, {"two", pd("y"), {}}}, BlockSite(pendulum()));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.errors().size(), 2u);
  }
}

TEST(BlockKinds, WrappersInWrappersWithoutEndAreRefused) {
  std::vector<BlockSpec> specs{{"b0", pd("hinge"), {}}};
  const auto wrap = [&] {
    SwitchedBlock switched;
    switched.block = specs.back().name, switched.until = 1;
    specs.push_back({concat("b", specs.size()), switched, {}});
  };
  while (specs.size() <= 16) wrap();
  EXPECT_EQ(make_blocks(specs, BlockSite(pendulum())).size(), 1u);
  while (specs.size() <= 15'000) wrap();
  EXPECT_THAT(error_of(pendulum(), specs),
              testing::StartsWith("block \"b17\": more than 16 blocks lie inside one another. Take some of them out.  "
                                  "[block-wraps]"));
}

TEST(BlockKinds, AWrapperTakesItsBlockInsideAndWrapsNothingTwice) {
  SampledBlock sampled;
  sampled.block = "servo", sampled.period = 0.01;
  const std::vector<BlockSpec> good{{"servo", pd("hinge"), {}}, {"digital", sampled, {}}};
  const auto blocks = make_blocks(good, BlockSite(pendulum()));
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0]->name, "digital");
  EXPECT_THAT(error_of(pendulum(), {good[0], good[1], {"again", sampled, {}}}),
              HasSubstr("block \"servo\" is wrapped by \"digital\" already. Wrap that one instead.  [block-wraps]"));
  sampled.block = "digital";
  EXPECT_THAT(error_of(pendulum(), {good[0], {"digital", sampled, {}}}), HasSubstr("it wraps itself"));
  EXPECT_THAT(error_of(pendulum(), {good[0], good[1], {"twice", sampled, {}}}), HasSubstr("is sampled already"));
  sampled.block = "serve";
  EXPECT_THAT(error_of(pendulum(), {good[0], {"digital", sampled, {}}}),
              HasSubstr("block \"serve\", which it is to wrap, not found. Did you mean \"servo\"?"));
  sampled.block = "servo", sampled.period = 0;
  EXPECT_THAT(error_of(pendulum(), {good[0], {"digital", sampled, {}}}),
              HasSubstr("period is 0. It must be greater than 0."));
  EXPECT_THAT(error_of(pendulum(), {good[0], good[0]}), HasSubstr("[name-duplicate]"));
}

}  // namespace
}  // namespace articula::test
