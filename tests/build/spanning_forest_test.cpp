#include <articula/build/spanning_forest.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include <articula/base/text.h>
#include <articula/build/merge_rigid.h>

#include "samples.h"
#include "support/random_model.h"

namespace articula::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> owners(const Built& built) {
  std::vector<std::string> names;
  for (const StateBlock& block : built.mechanism.layout.blocks) {
    if (block.kind == StateKind::position) names.push_back(block.owner);
  }
  return names;
}

std::vector<std::string> cuts(const Built& built) {
  std::vector<std::string> names;
  for (const LoopInfo& loop : built.loops) names.push_back(loop.cut);
  return names;
}

// --- order -------------------------------------------------------------------------------------------------------

TEST(Order, IsDepthFirstSiblingsAsInTheFile) {
  Model model;
  for (const char* name : {"a", "b", "c", "d", "e"}) model.add(name, body());
  model.add("to_c", Joint{}, "a", "c").add("to_a", Joint{}, "world", "a").add("to_b", Joint{}, "world", "b");
  model.add("to_e", Joint{}, "b", "e").add("to_d", Joint{}, "a", "d");
  EXPECT_THAT(owners(build_mechanism(model)), ElementsAre("to_a", "to_c", "to_d", "to_b", "to_e"));
}

TEST(Order, HasAFloatingBaseFirst) {
  Model model;
  for (const char* name : {"a", "b", "c", "d"}) model.add(name, body());
  model.add("hinge", Joint{}, "world", "a").add("base", Joint{.kind = JointKind::free}, "world", "b");
  model.add("leg", Joint{}, "b", "c").add("second", Joint{.kind = JointKind::free}, "d", "world");
  EXPECT_THAT(owners(build_mechanism(model)), ElementsAre("base", "leg", "second", "hinge"));
}

TEST(Order, AFreeJointAwayFromWorldIsNoBase) {
  Model model;
  for (const char* name : {"a", "b", "c"}) model.add(name, body());
  model.add("hinge", Joint{}, "world", "a").add("slide", Joint{}, "a", "b");
  model.add("loose", Joint{.kind = JointKind::free}, "a", "c");
  EXPECT_THAT(owners(build_mechanism(model)), ElementsAre("hinge", "slide", "loose"));
}

TEST(Order, IsTheSameForEqualModels) {
  Model a, b;
  for (Model* model : {&a, &b}) {
    const ReferenceFrame car{.motion = FrameMotion::prescribed};
    if (model == &a) model->add("car", car);
    model->add("arm", body()).add("hinge", Joint{}, "world", "arm");
    if (model == &b) model->add("car", car);
  }
  ASSERT_EQ(a, b);
  EXPECT_EQ(owners(build_mechanism(a)), owners(build_mechanism(b)));
}

TEST(Order, HasParentsBeforeTheirChildren) {
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    const Mechanism mech = build_mechanism(random_model(seed, {.bodies = 12, .loops = 2})).mechanism;
    EXPECT_EQ(mech.bodies[0].parent, -1);
    for (int i = 1; i < mech.size(); ++i) {
      EXPECT_GE(mech.bodies[static_cast<std::size_t>(i)].parent, 0);
      EXPECT_LT(mech.bodies[static_cast<std::size_t>(i)].parent, i);
    }
  }
}

/// Depth first as one would write it down.
void visit(const std::string& body, const std::string& through, const std::vector<std::array<std::string, 3>>& tree,
           std::vector<std::string>& order) {
  for (const auto& [joint, from, to] : tree) {
    if (joint == through || (from != body && to != body)) continue;
    order.push_back(joint);
    visit(from == body ? to : from, joint, tree, order);
  }
}

TEST(Order, IsThatOfARecursionOnRandomTrees) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    Random random(seed);
    Model model;
    std::vector<std::string> names{"world"};
    std::vector<std::array<std::string, 3>> tree;
    for (int k = 0; k < 15; ++k) {
      const std::string name = concat("b", k), &host = random.one_of(names);
      const bool back = random.chance(0.5);
      tree.push_back({concat("j", k), back ? name : host, back ? host : name});
      model.add(name, body());
      names.push_back(name);
    }
    for (std::size_t k = tree.size(); k > 1; --k)
      std::swap(tree[k - 1], tree[static_cast<std::size_t>(random.below(static_cast<int>(k)))]);
    for (const auto& [joint, from, to] : tree) model.add(joint, Joint{}, from, to);
    std::vector<std::string> expected;
    visit("world", "", tree, expected);
    EXPECT_EQ(owners(build_mechanism(model)), expected);
  }
}

// --- which joints are cut ----------------------------------------------------------------------------------------

/// A triangle of two bodies and World, closed by joints x, y, z.
Model triangle(const Joint& x, const Joint& y, const Joint& z) {
  Model model;
  model.add("a", body()).add("b", body());
  model.add("x", x, "world", "a").add("y", y, "a", "b").add("z", z, "b", "world");
  return model;
}

TEST(Cuts, FallOnThePassiveJointWithMostFreedom) {
  const Joint hinge, ball{.kind = JointKind::spherical}, driven{.actuated = true};
  const Joint declared{.closes_loop = true}, declared_ball{.kind = JointKind::spherical, .closes_loop = true};
  const Joint driven_ball{.kind = JointKind::spherical, .actuated = true};
  EXPECT_THAT(cuts(build_mechanism(triangle(declared_ball, hinge, hinge))), ElementsAre("x"));
  EXPECT_THAT(cuts(build_mechanism(triangle(hinge, declared, hinge))), ElementsAre("y"))
      << "the declared one among equals";
  EXPECT_THAT(cuts(build_mechanism(triangle(declared, ball, hinge))), ElementsAre("x"))
      << "what is declared to close does";
  EXPECT_THAT(cuts(build_mechanism(triangle(driven_ball, declared, driven))), ElementsAre("y"))
      << "what is driven stays";
  const Joint driven_declared{.actuated = true, .closes_loop = true};
  EXPECT_THAT(cuts(build_mechanism(triangle(driven_declared, hinge, driven))), ElementsAre("y"))
      << "also when declared";
  EXPECT_THAT(cuts(build_mechanism(triangle(driven_declared, driven_ball, driven))), ElementsAre("x"))
      << "all driven: the declared one";
  const Joint prescribed{.kind = JointKind::spherical, .prescribed = true};
  EXPECT_THAT(cuts(build_mechanism(triangle(prescribed, declared, hinge))), ElementsAre("y"))
      << "a given motion is one that acts";
}

TEST(Cuts, LeaveJointsWithADriveOrRotorInTheTree) {
  for (const bool by_rotor : {false, true}) {
    Model model = triangle({.kind = JointKind::prismatic, .closes_loop = true}, {}, {});
    if (by_rotor) {
      model.add("r", Rotor{.inertia = 1}, "world", at("x", "shaft"));
    } else {
      model.add("r", Drive{.rotor_inertia = 1}, "x", "world");
    }
    EXPECT_THAT(cuts(build_mechanism(model)), ElementsAre("z")) << "the last of the equal ones";
  }
}

TEST(Cuts, OfSeveralLoopsAreNamedWithTheirJoints) {
  Model model = four_bar();
  model.add("second", body());
  model.add("e", Joint{}, "rocker", "second");
  model.add("f", Joint{.closes_loop = true}, "second", "coupler");
  model.add("g", Joint{.kind = JointKind::spherical, .closes_loop = true}, "second", "world");
  const Built built = build_mechanism(model);
  EXPECT_THAT(cuts(built), ElementsAre("d", "f", "g"));
  EXPECT_THAT(built.loops[0].joints, ElementsAre("d", "c", "b", "a"))
      << "up from its end at `to`, which is World, then from the other";
  EXPECT_THAT(built.loops[1].joints, ElementsAre("f", "e", "c"));
  EXPECT_THAT(built.loops[2].joints, ElementsAre("g", "e", "c", "b", "a"));
  std::vector<std::string> explained;
  for (const Explanation& each : built.explanations) explained.push_back(each.rule + ": " + each.text);
  EXPECT_THAT(explained,
              ElementsAre("cut: the loop of d, c, b, a is cut at \"d\"", "cut: the loop of f, e, c is cut at \"f\"",
                          "cut: the loop of g, e, c, b, a is cut at \"g\""));
}

TEST(Cuts, TwoJointsBetweenTheSameBodiesAreALoop) {
  Model model = pendulum();
  model.add("again", Joint{.kind = JointKind::cylindrical, .closes_loop = true}, "bob", "world");
  const Built built = build_mechanism(model);
  EXPECT_THAT(cuts(built), ElementsAre("again"));
  EXPECT_THAT(built.loops[0].joints, ElementsAre("again", "hinge"));
}

// --- brute force -------------------------------------------------------------------------------------------------

/// What the rule compares: actuated before passive, undeclared before declared, then fewer degrees of freedom.
using Rank = std::array<int, 3>;

struct SmallGraph {
  Model model;
  struct Edge {
    int a, b;
    Rank rank;
  };
  std::vector<Edge> edges;
  int bodies = 0;

  explicit SmallGraph(Random& random) : bodies(2 + random.below(4)) {
    const auto name = [](int k) { return k == 0 ? std::string("world") : concat("b", k); };
    for (int k = 1; k <= bodies; ++k) model.add(name(k), body());
    const auto add = [&](int a, int b) {
      const Joint joint{.kind = all_joint_kinds[static_cast<std::size_t>(random.below(8))],
                        .actuated = random.chance(0.3),
                        .closes_loop = random.chance(0.3)};
      model.add(concat("j", edges.size()), joint, name(a), name(b));
      edges.push_back({a, b, {joint.actuated ? 0 : 1, joint.closes_loop ? 1 : 0, traits(joint.kind).nv()}});
    };
    for (int k = 1; k <= bodies; ++k) add(random.below(k), k);
    for (int more = random.below(5); more > 0; --more) {
      const int a = random.below(bodies + 1), b = random.below(bodies + 1);
      if (a != b) add(a, b);
    }
  }

  /// The ranks of a set of edges, best first; empty when it is no spanning tree.
  std::vector<Rank> ranks_of_tree(unsigned set) const {
    std::vector<int> root(static_cast<std::size_t>(bodies) + 1);
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&](int k) {
      while (root[static_cast<std::size_t>(k)] != k) k = root[static_cast<std::size_t>(k)];
      return k;
    };
    std::vector<Rank> ranks;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if ((set >> e & 1) == 0) continue;
      const int a = find(edges[e].a), b = find(edges[e].b);
      if (a == b) return {};
      root[static_cast<std::size_t>(a)] = b;
      ranks.push_back(edges[e].rank);
    }
    std::sort(ranks.begin(), ranks.end());
    return static_cast<int>(ranks.size()) == bodies ? ranks : std::vector<Rank>{};
  }
};

SpanningForest forest_of(const Model& merged) {
  Findings findings;  // loops that are not declared
  const PortGraph graph(merged, findings);
  return make_spanning_forest(merged, graph, find_rigid_groups(merged, graph, findings), findings);
}

TEST(Forest, IsTheBestOfAllSpanningTrees) {
  int with_loops = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    Random random(seed);
    const SmallGraph small(random);
    const Model merged = merge_rigid(small.model).model;
    const SpanningForest forest = forest_of(merged);
    unsigned chosen = 0;
    for (const SpanningForest::Branch& branch : forest.branches) {
      if (branch.joint < 0) continue;
      const std::string& name = merged.entities()[static_cast<std::size_t>(branch.joint)].name;
      chosen |= 1u << std::stoi(name.substr(1));
    }
    const std::vector<Rank> found = small.ranks_of_tree(chosen);
    ASSERT_FALSE(found.empty()) << "a spanning tree";
    for (unsigned set = 0; set < 1u << small.edges.size(); ++set) {
      const std::vector<Rank> other = small.ranks_of_tree(set);
      // Not only is no other tree better: none has a better joint at any place.
      for (std::size_t k = 0; k < other.size(); ++k) ASSERT_LE(found[k], other[k]) << "tree " << set;
    }
    EXPECT_EQ(forest.loops.size(), small.edges.size() - static_cast<std::size_t>(small.bodies));
    with_loops += !forest.loops.empty();
  }
  EXPECT_GT(with_loops, 100);
}

TEST(Forest, LoopsAreClosedWaysThroughTheTree) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    Random random(seed);
    const SmallGraph small(random);
    const Model merged = merge_rigid(small.model).model;
    const SpanningForest forest = forest_of(merged);
    for (const SpanningForest::Loop& loop : forest.loops) {
      EXPECT_EQ(loop.joints.front(), loop.cut);
      // Every body on the way is met twice, and no joint more than once.
      std::map<int, int> met;
      for (const int e : loop.joints) {
        const auto& edge = small.edges.at(
            static_cast<std::size_t>(std::stoi(merged.entities()[static_cast<std::size_t>(e)].name.substr(1))));
        ++met[edge.a], ++met[edge.b];
      }
      for (const auto& [name, times] : met) EXPECT_EQ(times, 2) << name;
      EXPECT_EQ(std::set<int>(loop.joints.begin(), loop.joints.end()).size(), loop.joints.size());
    }
  }
}

// --- what is wrong with a graph ----------------------------------------------------------------------------------

TEST(Forest, AsksForLoopsToBeDeclared) {
  Model model = triangle({}, {}, {});
  EXPECT_EQ(
      error_of([&] { build_mechanism(model); }),
      "joint \"z\" closes a loop with y, x: a body has two parents. If the loop is meant, put one of these joints "
      "under `loops:`; otherwise take one away.  [loop-undeclared]");
  model.at<Joint>("x").closes_loop = true;
  EXPECT_THAT(cuts(build_mechanism(model)), ElementsAre("x")) << "any of them will do";
}

TEST(Forest, NamesBodiesThatNothingConnects) {
  Model model = pendulum();
  model.add(Entity{"lone", body(), {"arm.yaml", 3}});
  model.add("p", body()).add("q", body()).add("r", body()).add("k", Joint{}, "p", "q").add("l", Joint{}, "q", "r");
  EXPECT_EQ(
      error_of([&] { build_mechanism(model); }),
      "arm.yaml:3: body \"lone\" has no joint that leads to World. Connect it by a joint; for a body that floats, one "
      "with {type: free, from: world, to: lone}.  [body-unconnected]\n"
      "body \"p\" and 2 more that hang on it have no joint that leads to World. Connect it by a joint; for a body "
      "that floats, one with {type: free, from: world, to: p}.  [body-unconnected]");
}

TEST(Forest, ElementsThatMeetOnlyEachOtherAreUnconnected) {
  const auto code = [](const std::function<void(Model&)>& add) {
    Model model = pendulum();
    model.environment.ground.emplace();
    add(model);
    std::vector<std::string> codes;
    for (const Finding& each : check(model)) codes.push_back(each.code);
    return codes;
  };
  EXPECT_THAT(code([](Model& m) {
                m.add("p", Joint{}).add("q", Joint{});
                m.connect({{"p", "from"}, {"q", "to"}}).connect({{"p", "to"}, {"q", "from"}});
              }),
              ElementsAre("body-unconnected"));
  EXPECT_THAT(code([](Model& m) {
                m.add("p", Spring{}).add("q", Spring{});
                m.connect({{"p", "from"}, {"q", "to"}}).connect({{"p", "to"}, {"q", "from"}});
              }),
              ElementsAre("body-unconnected", "body-unconnected"));
  EXPECT_THAT(code([](Model& m) {
                m.add("p", ContactPoint{}).add("q", ContactPoint{}).connect({{"p", "on"}, {"q", "on"}});
              }),
              ElementsAre("body-unconnected"));
}

TEST(Forest, ASpringIsNoJoint) {
  Model model = pendulum();
  model.add("loose", body()).add("s", Spring{.stiffness = 1}, "bob", "loose");
  EXPECT_THAT(
      texts(check(model)),
      ElementsAre("error: body \"loose\" has no joint that leads to World. Connect it by a joint; for a body that "
                  "floats, one with {type: free, from: world, to: loose}.  [body-unconnected]"));
}

TEST(Forest, RefusesAJointFromABodyToItself) {
  Model model = pendulum();
  model.add(Entity{"self", Joint{}, {"arm.yaml", 9}});
  model.attach("self", Family::joint, "from", "bob").attach("self", Family::joint, "to", at("bob", {.xyz = {1, 0, 0}}));
  EXPECT_EQ(error_of([&] { build_mechanism(model); }),
            "arm.yaml:9: joint \"self\" connects body \"bob\" with itself. It needs two bodies that are not rigidly "
            "connected.  [joint-self]");
}

TEST(Forest, RefusesAJointWithinOneRigidGroup) {
  Model model = pendulum();
  model.add("tool", body(), "bob")
      .add("self", Joint{}, "tool", "bob")
      .add("ground", Joint{}, "world", at("world", {.xyz = {1, 0, 0}}));
  EXPECT_EQ(error_of([&] { build_mechanism(model); }),
            "joint \"self\" connects body \"bob\" with itself. It needs two bodies that are not rigidly connected.  "
            "[joint-self]\n"
            "joint \"ground\" connects reference_frame \"world\" with itself. It needs two bodies that are not rigidly "
            "connected.  [joint-self]");
}

TEST(Forest, WorldAloneIsAMechanism) {
  const Built built = build_mechanism(Model());
  EXPECT_EQ(built.mechanism.size(), 1);
  EXPECT_EQ(built.mechanism.nq, 0);
  EXPECT_THAT(check(Model()), IsEmpty());
}

TEST(Forest, ActuatedMeansSaidDrivenOrPrescribed) {
  Model model;
  for (const char* name : {"a", "b", "c", "d", "e"}) model.add(name, body());
  model.add("passive", Joint{}, "world", "a").add("said", Joint{.actuated = true}, "world", "b");
  model.add("told", Joint{.prescribed = true}, "world", "c").add("driven", Joint{}, "world", "d");
  model.add("geared", Joint{}, "world", "e").add("drive", Drive{}, "driven", "world");
  model.add("gear", Gear{}, "geared", "passive");
  Findings findings;
  const PortGraph graph(model, findings);
  const std::vector<bool> actuated = actuated_entities(model, graph);
  std::vector<std::string> names;
  for (std::size_t e = 0; e < actuated.size(); ++e) {
    if (actuated[e]) names.push_back(model.entities()[e].name);
  }
  EXPECT_THAT(names, ElementsAre("said", "told", "driven"));
}

}  // namespace
}  // namespace articula::test
