// Models of 10,000 and 100,000 bodies: no recursion on the stack, nothing that grows with the square. How long they
// take is measured in bench/.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/findings.h>
#include <articula/base/text.h>
#include <articula/build/flatten.h>
#include <articula/build/merge_rigid.h>

#include "samples.h"

namespace articula::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr int many = 10'000, very_many = 100'000;

std::string name_of(char letter, int k) { return letter + std::to_string(k); }

enum class Shape { chain, star };

/// `count` bodies in a row, or all on World.
Model tree(Shape shape, int count, const RigidBody& each) {
  Model model("large");
  for (int k = 0; k < count; ++k) model.add(name_of('b', k), each);
  for (int k = 0; k < count; ++k) {
    const std::string host = k == 0 || shape == Shape::star ? "world" : name_of('b', k - 1);
    const Vec3<double> axis = k % 2 == 0 ? Vec3<double>{0, 0, 1} : Vec3<double>{0, 1, 0};
    model.add(name_of('j', k), Joint{.axis = {axis}}, at(host, {.xyz = {0.1, 0, 0}}), name_of('b', k));
  }
  return model;
}

class Large : public testing::TestWithParam<std::pair<Shape, int>> {};

TEST_P(Large, TreesAreBuilt) {
  const auto [shape, count] = GetParam();
  const Model model = tree(shape, count, body());
  EXPECT_THAT(check(model), IsEmpty());
  const Built built = build_mechanism(model);
  EXPECT_EQ(built.mechanism.size(), count + 1);
  EXPECT_EQ(built.mechanism.nv, count);
  EXPECT_EQ(built.mechanism.bodies.back().parent, shape == Shape::chain ? count - 1 : 0);
  EXPECT_EQ(built.mechanism.layout.q.front(), "j0");
  EXPECT_EQ(built.mechanism.layout.q.back(), name_of('j', count - 1));
  EXPECT_NO_THROW(require_regular_joints(built, built.parameters.q_start));
}

TEST_P(Large, TreesWithoutMassAreWarnedOf) {
  const auto [shape, count] = GetParam();
  const Findings findings = check(tree(shape, count, RigidBody{}));
  EXPECT_THAT(findings, SizeIs(most_findings + 1));
  EXPECT_EQ(count_of(findings.back()), static_cast<std::size_t>(count) - most_findings);
  EXPECT_FALSE(has_errors(findings));
}

TEST_P(Large, TreesWithoutTheirJointsAreRefused) {
  const auto [shape, count] = GetParam();
  Model model;
  for (int k = 0; k < count; ++k) model.add(name_of('b', k), body());
  const Findings findings = check(model);
  ASSERT_THAT(findings, SizeIs(most_findings + 1)) << "a hundred bodies by their name";
  EXPECT_EQ(findings.back().message, concat("and ", count - 100, " more errors of this kind."));
}

/// Each body on the one before, or all on the first, by welds.
TEST_P(Large, RigidGroupsAreMerged) {
  const auto [shape, count] = GetParam();
  Model model;
  model.add("b0", body());
  model.add("j", Joint{}, "world", "b0");
  for (int k = 1; k < count; ++k) {
    model.add(name_of('b', k), body());
    model.add(name_of('w', k), Joint{.kind = JointKind::fixed},
              at(name_of('b', shape == Shape::chain ? k - 1 : 0), {.xyz = {0, 0, 1e-3}}), name_of('b', k));
  }
  const Built built = build_mechanism(model);
  EXPECT_EQ(built.mechanism.size(), 2);
  EXPECT_NEAR(built.parameters.M_B[1].m, count, 1e-9 * count);
  EXPECT_THAT(built.mechanism.provenance.constituents, SizeIs(static_cast<std::size_t>(count)));
}

INSTANTIATE_TEST_SUITE_P(Models, Large,
                         testing::Values(std::pair(Shape::chain, many), std::pair(Shape::star, many),
                                         std::pair(Shape::chain, very_many), std::pair(Shape::star, very_many)),
                         [](const auto& each) {
                           return concat(each.param.first == Shape::chain ? "ChainOf" : "StarOf", each.param.second);
                         });

/// A chain where every second joint has a second one beside it: as many loops as half its bodies, each short.
TEST(LargeLoops, OfALadderAreFoundWithoutWalkingToWorldEachTime) {
  Model model = tree(Shape::chain, very_many, body());
  for (int k = 1; k < very_many; k += 2) {
    model.add(name_of('r', k), Joint{.kind = JointKind::spherical, .closes_loop = true}, name_of('b', k - 1),
              name_of('b', k));
  }
  const Built built = build_mechanism(model);
  EXPECT_THAT(built.loops, SizeIs(very_many / 2));
  EXPECT_THAT(built.loops.back().joints, SizeIs(2));
}

/// Every body is held by World too, so that each loop goes through all bodies before it.
TEST(LargeLoops, ThatHoldOneAnotherAreNotListedInFull) {
  constexpr int count = 6000;
  Model model = tree(Shape::chain, count, body());
  for (int k = 1; k < count; ++k)
    model.add(name_of('r', k), Joint{.closes_loop = true}, at("world", {.xyz = {0.1, 0, 0}}), name_of('b', k));
  const Built built = build_mechanism(model);
  EXPECT_THAT(built.loops, SizeIs(count - 1));
  std::size_t listed = 0;
  for (const LoopInfo& loop : built.loops) listed += loop.joints.size();
  EXPECT_LT(listed, 300'000u) << "of 18 million";
  EXPECT_EQ(built.explanations.back().text,
            "the loop of r5999, j5999, j5998, j5997, j5996, j5995, j5994, j5993, j5992, j5991, j5990, j5989 and 5989 "
            "more is cut at \"r5999\"");
}

TEST(LargeLoops, OneAllAroundIsFound) {
  Model model = tree(Shape::chain, very_many, body());
  model.add("close", Joint{.kind = JointKind::spherical, .closes_loop = true}, name_of('b', very_many - 1), "world");
  EXPECT_THAT(build_mechanism(model).loops.at(0).joints, SizeIs(very_many + 1));
}

TEST(LargeMistakes, OfConnectionsThatLeadNowhereAHundredAreNamed) {
  Model model = tree(Shape::star, many, body());
  for (int k = 0; k < many; ++k) model.connect({{name_of('b', k), ""}, {name_of('x', k), ""}});
  const Findings findings = check(model);
  ASSERT_THAT(findings, SizeIs(most_findings + 1));
  EXPECT_THAT(to_text(findings.front()), testing::HasSubstr("Did you mean"));
  EXPECT_EQ(to_text(findings[99]), "connection to \"x99\": there is no such entity.  [no-such-entity]")
      << "after some, suggestions stop: they cost more than they tell";
  EXPECT_EQ(to_text(findings.back()), "and 9900 more errors of this kind.  [no-such-entity]");
}

TEST(LargeMistakes, OfForcesInUnknownAxesAHundredAreNamed) {
  Model model = tree(Shape::star, many, body());
  for (int k = 0; k < many; ++k) model.add(name_of('f', k), ExternalForce{.expressed_in = "x"}, name_of('b', k));
  EXPECT_THAT(check(model), SizeIs(most_findings + 1));
}

TEST(LargeClusters, AChainOfMimicsIsOne) {
  Model model = tree(Shape::star, many, body());
  for (int k = 1; k < many; ++k) model.add(name_of('g', k), Gear{}, name_of('j', k), name_of('j', k - 1));
  const Built built = build_mechanism(model);
  ASSERT_THAT(built.mechanism.clusters, SizeIs(1));
  EXPECT_THAT(built.mechanism.clusters[0].dofs, SizeIs(many));
  EXPECT_THAT(built.mechanism.clusters[0].independent, testing::ElementsAre(0));
}

TEST(LargeParts, AreFlattened) {
  Assembly arm;
  for (int k = 0; k < 10; ++k) arm.add(name_of('b', k), body());
  for (int k = 1; k < 10; ++k) arm.add(name_of('j', k), Joint{}, name_of('b', k - 1), name_of('b', k));
  Model model;
  for (int k = 0; k < many; ++k) {
    const std::string part = name_of('p', k);
    model.add_part(part, arm).add(name_of('s', k), Joint{}, "world", part + "/b0");
  }
  EXPECT_EQ(build_mechanism(model).mechanism.size(), 10 * many + 1);
}

}  // namespace
}  // namespace articula::test
