// What is wrong in files of other programs: links that do not move are only warned of.

#include <articula/build/check.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/text.h>

#include "samples.h"

namespace articula::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// A bad link fixed to World, one fixed to a moving one, and a good moving one.
Model with_bad_links(bool imported) {
  Model model;
  model.imported = imported;
  model.add("base", RigidBody{.mass = -1}, "world");
  model.add("arm", body(10));
  model.add("flange", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(-0.001, 0.001, 0.001)}, "arm");
  model.add("j", Joint{}, "world", "arm");
  return model;
}

constexpr const char* base_text = "body \"base\": mass is -1 kg. It must not be negative.  [mass-negative]";
constexpr const char* flange_text =
    "body \"flange\": its inertia has the principal moment -0.001 kg*m^2. None may be negative; check the signs and "
    "the "
    "products of inertia.  [inertia-negative]";

TEST(ForeignFiles, FixedLinksAreOnlyWarnedOf) {
  EXPECT_THAT(texts(check(with_bad_links(true))),
              ElementsAre(concat("warning: ", base_text), concat("warning: ", flange_text)));
  EXPECT_THAT(build_mechanism(with_bad_links(true)).findings, SizeIs(2));
}

TEST(ForeignFiles, OurOwnAreHeldToTheRule) {
  EXPECT_THAT(texts(check(with_bad_links(false))),
              ElementsAre(concat("error: ", base_text), concat("error: ", flange_text)));
}

TEST(ForeignFiles, StrictMakesErrorsOfWarnings) {
  EXPECT_THAT(texts(check(with_bad_links(true), {.strict = true})),
              ElementsAre(concat("error: ", base_text), concat("error: ", flange_text)));
  Model flat;
  flat.add("plate", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, 3)});
  flat.add("j", Joint{}, "world", "plate");
  EXPECT_FALSE(has_errors(check(flat)));
  EXPECT_TRUE(has_errors(check(flat, {.strict = true}))) << "the triangle inequality";
  BuildOptions strict;
  strict.strict = true;
  EXPECT_THROW(build_mechanism(flat, strict), Error);
}

TEST(ForeignFiles, WhatMovesIsAnErrorInThemToo) {
  Model alone;
  alone.imported = true;
  alone.add("a", RigidBody{.mass = -1}).add("j", Joint{}, "world", "a");
  EXPECT_THAT(texts(check(alone)),
              ElementsAre("error: body \"a\": mass is -1 kg. It must not be negative.  [mass-negative]"));
}

TEST(ForeignFiles, AWholeWithoutMassIsAnErrorInThemTooANegativeMomentAWarning) {
  Model heavy;
  heavy.imported = true;
  heavy.add("a", body(1)).add("b", RigidBody{.mass = -3}, "a").add("j", Joint{}, "world", "a");
  EXPECT_THAT(
      texts(check(heavy)),
      testing::IsSupersetOf({"warning: body \"b\": mass is -3 kg. It must not be negative.  [mass-negative]",
                             "error: body \"a\": together with what is fixed to it, its mass is -2 kg. It must not be "
                             "negative.  [mass-negative]"}));
  Model round;
  round.imported = true;
  round.add("a", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, 1)});
  round.add("b", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, -3)}, "a")
      .add("j", Joint{}, "world", "a");
  EXPECT_THAT(
      texts(check(round)),
      ElementsAre(
          testing::StartsWith("warning: body \"b\": its inertia has the principal moment -3"),
          "warning: body \"a\": together with what is fixed to it, its inertia has the principal moment -2 kg*m^2. "
          "None may be negative.  [inertia-negative]",
          testing::EndsWith("[joint-inertia-singular]")));
  EXPECT_TRUE(has_errors(check(round, {.strict = true})));
  round.imported = false;
  EXPECT_TRUE(has_errors(check(round)));
}

TEST(ForeignFiles, MomentsThatAreNegativeByRoundingAreZero) {
  // As CAD programs export what has no size: about 1e-18 kg*m^2 for a kilogram.
  Model model;
  model.add("leg", RigidBody{.mass = 1.264,
                             .inertia = {
                                 .xx = 1.10961e-18, .xy = 5.42101e-20, .xz = -5.42101e-20, .yy = 0, .yz = 0, .zz = 0}});
  model.add("j", Joint{}, "world", "leg");
  for (const std::string& text : texts(check(model)))
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("[inertia-negative]")));
}

}  // namespace
}  // namespace articula::test
