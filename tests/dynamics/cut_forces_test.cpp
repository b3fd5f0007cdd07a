// Forces through ports: by hand, against joints that hold still in place of rigid connections, and by the balance of
// every body.

#include <articula/dynamics/cut_forces.h>

#include <articula/base/error.h>

#include <gmock/gmock.h>

#include "dynamics/moving_model.h"

namespace articula::test {
namespace {

constexpr double rounding = 1e-11;  ///< relative to the largest force, through a dozen joints
constexpr std::uint32_t models = 100;

using Forces = std::vector<Force<double>>;

/// Forces on the user's bodies and at their ports, by name, so that they mean the same in two forms of a model.
struct Loads {
  std::map<std::string, Force<double>> on_body;
  std::map<PortRef, Force<double>> at_port;

  static Loads random(const Mechanism& mech, std::uint32_t seed) {
    Loads loads;
    Random random(seed);
    for (const ConstituentPlace& c : mech.provenance.constituents) {
      loads.on_body[c.name] = {random.vec3(), random.vec3()};
    }
    for (const FlatFrame& frame : mech.frames) loads.at_port[frame.name] = {random.vec3(), random.vec3()};
    return loads;
  }
  Forces of_constituents(const Mechanism& mech) const {
    Forces F(mech.provenance.constituents.size());
    if (on_body.empty()) return F;
    for (std::size_t c = 0; c < F.size(); ++c) F[c] = on_body.at(mech.provenance.constituents[c].name);
    return F;
  }
  Forces of_frames(const Mechanism& mech) const {
    Forces F(mech.frames.size());
    if (at_port.empty()) return F;
    for (std::size_t f = 0; f < F.size(); ++f) F[f] = at_port.at(mech.frames[f].name);
    return F;
  }
};

/// A moving model with its cut forces.
struct CutModel {
  explicit CutModel(const MovingModel& moving, const Loads& given = {})
      : m(moving), motion(m.mech), cuts(m.mech), F_C(given.of_constituents(m.mech)), F_F(given.of_frames(m.mech)) {
    update();
  }
  void update() {
    Numbers tau(m.v.size());
    Forces F_B(m.mech.bodies.size());
    applied_forces<double, double>(m.mech, m.par, F_C, F_F, F_B);
    inverse_dynamics<double, double>(m.mech, m.par, m.kin, m.q, m.v, m.vdot, F_B, motion, tau);
    cut_forces<double, double>(m.mech, m.par, m.kin, motion, F_C, F_F, cuts);
  }
  Force<double> through(const PortRef& port) const {
    return cut_force(m.par, cuts, make_cut(m.mech, m.mech.frame(port)));
  }
  double largest() const {
    double size = 1;
    for (const Force<double>& F : cuts.F_B) size = std::max(size, dense(F).norm());
    return size;
  }

  MovingModel m;
  NewtonEuler<double> motion;
  CutForces<double> cuts;
  Forces F_C, F_F;
};

void expect_near(const Force<double>& found, const Vector3d& n, const Vector3d& f, double tolerance = 1e-12) {
  EXPECT_LE((dense(found.n) - n).norm(), tolerance) << dense(found.n).transpose();
  EXPECT_LE((dense(found.f) - f).norm(), tolerance) << dense(found.f).transpose();
}

const RigidBody kilogram{.mass = 1, .inertia = SymMat3<double>::identity()};

/// A shelf of three bodies in a row, each a metre further out, bolted to the wall.
Model shelf() {
  Model model("shelf");
  model.environment.gravity = UniformGravity{{0, 0, -10}};
  model.add("a", kilogram).add("b", kilogram).add("c", kilogram);
  model.connect({{"world", ""}, {"a", ""}});
  model.add("ab", Displacement{to_pose(Place{.xyz = {1, 0, 0}})}, "a", "b");
  model.add("bc", Joint{.kind = JointKind::fixed}, at("b", {.xyz = {1, 0, 0}}), "c");
  return model;
}

TEST(CutForces, OfAShelfAreThoseOfStatics) {
  const CutModel cut(MovingModel(shelf(), 1));
  expect_near(cut.through({"c", ""}), {0, 0, 0}, {0, 0, 10});
  expect_near(cut.through({"b", "bc.from"}), {0, 0, 0}, {0, 0, -10});
  expect_near(cut.through({"b", ""}), {0, -10, 0}, {0, 0, 20});
  expect_near(cut.through({"world", ""}), {0, 30, 0}, {0, 0, -30});
}

/// World, a and the displacement to b meet at one node: through a's port passes what a itself needs, and no more.
TEST(CutForces, AtASharedNodeAreThoseOfEachPort) {
  const CutModel cut(MovingModel(shelf(), 1));
  expect_near(cut.through({"a", ""}), {0, 0, 0}, {0, 0, 10});
}

TEST(CutForces, OnTheGroundAreTheWeightThatStandsOnIt) {
  Model model("two plinths");
  model.environment.gravity = UniformGravity{{0, 0, -10}};
  model.add("left", ReferenceFrame{.placement = to_pose(Place{.xyz = {-2, 0, 0}})});
  model.add("right", ReferenceFrame{.placement = to_pose(Place{.xyz = {2, 0, 0}})});
  model.add("a", kilogram).add("b", RigidBody{.mass = 3, .com = {0, 1, 0}});
  model.connect({{"left", ""}, {"a", ""}});
  model.add("hinge", Joint{.axis = z_axis}, "right", "b");
  CutModel cut(MovingModel(model, 1));
  cut.m.move_to({0}, {0}, {0});
  cut.update();
  expect_near(cut.through({"left", ""}), {0, 0, 0}, {0, 0, -10});
  expect_near(cut.through({"right", ""}), {-30, 0, 0}, {0, 0, -30});
  expect_near(cut.through({"world", ""}), {0, 0, 0}, {0, 0, 0});
  // Going round at 2 rad/s, the weight pulls outwards, and in the same direction as seen from the body.
  cut.m.move_to({0.5}, {2}, {0});
  cut.update();
  expect_near(cut.through({"b", ""}), {30, 0, 0}, {0, -12, 30});
}

/// All joints of a random model move; then some revolute joints are held at rest, and become fixed ones in a copy.
struct Frozen {
  explicit Frozen(std::uint32_t seed) {
    RandomModelOptions options = tree_options(seed);
    options.rigid = 0, options.chained = 0, options.parts = 0, options.density = 0;
    options.bodies = 8;
    options.kinds = {JointKind::revolute, JointKind::revolute, JointKind::revolute, JointKind::universal,
                     JointKind::planar,   JointKind::helical,  JointKind::free};
    held = random_model(seed, options);
    Random random(seed + 10);
    rigid = held;
    std::vector<std::string> joints;
    for (const Entity& entity : held.entities()) {
      const auto* joint = std::get_if<Joint>(&entity.kind);
      if (joint != nullptr && joint->kind == JointKind::revolute && random.chance(0.7)) joints.push_back(entity.name);
    }
    for (const std::string& name : joints) rigid.at<Joint>(name) = Joint{.kind = JointKind::fixed};
    frozen = joints;
  }

  Model held, rigid;
  std::vector<std::string> frozen;
};

TEST(CutForces, InsideMergedBodiesAreThoseOfJointsThatHoldStill) {
  int compared = 0, merged = 0;
  for (std::uint32_t seed = 1; seed <= models && !HasFailure(); ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    const Frozen pair(seed);
    MovingModel held(pair.held, seed), rigid(pair.rigid, seed);
    merged += held.mech.size() - rigid.mech.size();
    // The same motion in both; the frozen joints rest at zero.
    Numbers q = held.q, v(held.v.size()), vdot(held.v.size());
    const StateMap map = map_state(held.mech.layout, rigid.mech.layout);
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = map.q[k] < 0 ? 0 : rigid.q[static_cast<std::size_t>(map.q[k])];
    for (std::size_t k = 0; k < v.size(); ++k) {
      if (map.v[k] < 0) continue;
      v[k] = rigid.v[static_cast<std::size_t>(map.v[k])];
      vdot[k] = rigid.vdot[static_cast<std::size_t>(map.v[k])];
    }
    held.move_to(q, v, vdot);
    const Loads loads = Loads::random(held.mech, seed);
    const CutModel expected(held, loads), found(rigid, loads);
    for (const FlatFrame& frame : held.mech.frames) {
      const Vector6d F = dense(found.through(frame.name)), wanted = dense(expected.through(frame.name));
      EXPECT_LE((F - wanted).norm(), rounding * expected.largest()) << to_text(frame.name);
      ++compared;
    }
  }
  EXPECT_GT(compared, 1000);
  EXPECT_GT(merged, 100) << "joints were frozen";
}

/// Where a joint attaches to a port alone, the force through it is the joint's, which inverse dynamics found.
TEST(CutForces, WhereAJointAttachesAreTheJoints) {
  Model model("elbow");
  model.add("upper", kilogram).add("fore", kilogram);
  const Place base{.xyz = {0, 1, 0}, .rpy = {0.3, 0, 0}}, lower{.rpy = {0, 1, 0}},
      far{.xyz = {1, 0, 0}, .rpy = {0, 0, 2}};
  model.add("shoulder", Joint{.axis = {{0.6, 0, 0.8}}}, at("world", base), at("upper", lower));
  model.add("elbow", Joint{.axis = y_axis}, at("upper", {.xyz = {0, 0, 2}}), at("fore", far));
  const CutModel cut(MovingModel(model, 7));
  const auto joint_force = [&](const PortRef& port, std::size_t body) {
    const auto f = static_cast<std::size_t>(cut.m.mech.frame(port));
    return dense(cut.m.par.X_BF[f].inverse() * cut.motion.F_B[body]);
  };
  EXPECT_LE((dense(cut.through({"fore", "elbow.to"})) - joint_force({"fore", "elbow.to"}, 2)).norm(), rounding);
  EXPECT_LE((dense(cut.through({"upper", "shoulder.to"})) - joint_force({"upper", "shoulder.to"}, 1)).norm(), rounding);
  // Newton's third law, seen from World's axes at World's origin.
  const auto seen = [&](const PortRef& port) {
    return dense(frame_pose(cut.m.mech, cut.m.par, cut.m.poses, cut.m.mech.frame(port)) * cut.through(port));
  };
  EXPECT_LE((seen({"fore", "elbow.to"}) + seen({"upper", "elbow.from"})).norm(), rounding);
  EXPECT_LE((seen({"upper", "shoulder.to"}) + seen({"world", "shoulder.from"})).norm(), rounding);
}

/// Newton and Euler for each of the user's bodies: what comes through its ports, and what is applied to it, is what
/// its motion needs.
TEST(CutForces, BalanceEveryBody) {
  int bodies = 0;
  for_moving_models(models, [&](const MovingModel& m) {
    const CutModel cut(m, Loads::random(m.mech, 3));
    for (std::size_t c = 0; c < m.par.M_C.size(); ++c) {
      const ConstituentPlace& place = m.mech.provenance.constituents[c];
      const auto b = static_cast<std::size_t>(place.body);
      Vector6d sum = dense(cut.F_C[c]);
      for (std::size_t f = 0; f < m.mech.frames.size(); ++f) {
        if (m.mech.frames[f].name.entity != place.name || m.mech.frames[f].piece < 0) continue;
        const Pose<double> X_CF = inverted(m.par.X_BC[c]) * m.par.X_BF[f];
        sum += dense(X_CF * cut.through(m.mech.frames[f].name));
      }
      const Motion<double> V = m.par.X_BC[c].inverse() * cut.motion.V_B[b];
      const Motion<double> A = m.par.X_BC[c].inverse() * cut.motion.A_B[b];
      Force<double> momentum = m.par.M_C[c] * V;
      momentum.n += m.par.internal_momentum_C[c];
      const Vector6d needed = dense(m.par.M_C[c] * A + cross(V, momentum));
      EXPECT_LE((sum - needed).norm(), rounding * cut.largest()) << place.name;
      ++bodies;
    }
    for (std::size_t i = 1; i < m.mech.bodies.size(); ++i) {
      const Vector6d held = dense(cut.cuts.F_B[static_cast<std::size_t>(m.mech.bodies[i].piece)]);
      EXPECT_LE((held - dense(cut.motion.F_B[i])).norm(), rounding * cut.largest()) << "what its joint passes on to it";
    }
  });
  EXPECT_GT(bodies, 300);
}

std::string message_of(const Mechanism& mech, const PortRef& port) {
  try {
    make_cut(mech, mech.frame(port));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CutForces, AreRefusedWhereConnectionsLeadAround) {
  Model model("frame");
  model.add("base", kilogram).add("post", kilogram).add("beam", kilogram).add("brace", kilogram).add("lamp", kilogram);
  model.add("hinge", Joint{}, "world", at("base", {}));
  model.add("stand", Joint{.kind = JointKind::fixed}, at("base", {.xyz = {1, 0, 0}}), at("post", {}));
  model.add("top", Joint{.kind = JointKind::fixed}, at("post", {.xyz = {0, 0, 1}}), at("beam", {}));
  model.add("low", Joint{.kind = JointKind::fixed}, at("post", {.xyz = {0, 0, 0.5}}), at("brace", {}));
  model.add("high", Joint{.kind = JointKind::fixed}, at("brace", {.xyz = {1, 0, 0.5}}), at("beam", {.xyz = {1, 0, 0}}));
  model.add("hook", Joint{.kind = JointKind::fixed}, at("beam", {.xyz = {2, 0, 0}}), at("lamp", {}));
  const Mechanism mech = build_mechanism(model).mechanism;
  const std::string text =
      "the force through \"brace.high.from\" is statically indeterminate: rigid connections lead around a cycle "
      "through "
      "post, beam, brace. Take one of them away, or put a joint in its place.  [cut-indeterminate]";
  EXPECT_EQ(message_of(mech, {"brace", "high.from"}), text);
  const std::vector<PortRef> around{
      {"post", "top.from"}, {"post", "low.from"}, {"beam", "top.to"}, {"beam", "high.to"}, {"brace", "low.to"}};
  for (const PortRef& port : around) {
    EXPECT_THAT(message_of(mech, port), testing::HasSubstr("cycle through post, beam, brace.")) << to_text(port);
  }
  // Before and beyond the cycle statics tells.
  const std::vector<PortRef> elsewhere{{"base", "hinge.to"},  {"base", "stand.from"}, {"post", "stand.to"},
                                       {"beam", "hook.from"}, {"lamp", "hook.to"},    {"beam", ""}};
  for (const PortRef& port : elsewhere) {
    EXPECT_EQ(message_of(mech, port), "") << to_text(port);
  }
}

TEST(CutForces, AreRefusedWhereTheGroundHoldsTwice) {
  Model model("bridge");
  model.add("pier", ReferenceFrame{.placement = to_pose(Place{.xyz = {4, 0, 0}})});
  model.add("deck", kilogram);
  model.add("left", Joint{.kind = JointKind::fixed}, "world", at("deck", {}));
  model.add("right", Joint{.kind = JointKind::fixed}, "pier", at("deck", {.xyz = {4, 0, 0}}));
  const Mechanism mech = build_mechanism(model).mechanism;
  EXPECT_THAT(message_of(mech, {"deck", "left.to"}), testing::HasSubstr("cycle through world, deck, pier."));
  EXPECT_THAT(message_of(mech, {"world", ""}), testing::HasSubstr("cut-indeterminate"));
}

TEST(CutForces, AreRefusedBetweenTwoPortsOfOneBodyThatMeet) {
  Model model("twice");
  RigidBody ring = kilogram;
  ring.frames = {{"a", {}}, {"b", {}}};
  model.add("ring", ring).add("stone", kilogram);
  model.add("hinge", Joint{}, "world", "ring");
  model.connect({{"ring", "a"}, {"ring", "b"}, {"stone", ""}});
  const Mechanism mech = build_mechanism(model).mechanism;
  EXPECT_THAT(message_of(mech, {"ring", "a"}), testing::HasSubstr("cycle through ring."));
  EXPECT_THAT(message_of(mech, {"ring", "b"}), testing::HasSubstr("cycle through ring."));
  EXPECT_EQ(message_of(mech, {"stone", ""}), "");
}

TEST(CutForces, AreRefusedAtElements) {
  Model model("pushed");
  model.add("a", kilogram);
  model.add("hinge", Joint{}, "world", "a");
  model.add("push", ExternalForce{.force = {1, 0, 0}}, at("a", {.xyz = {1, 0, 0}}));
  const Mechanism mech = build_mechanism(model).mechanism;
  EXPECT_EQ(
      message_of(mech, {"push", "on"}),
      "\"push.on\" is no port of a body or reference frame. The force of an element is found there; cut at a port of "
      "a body.  [cut-not-a-port]");
  EXPECT_EQ(message_of(mech, {"a", "push.on"}), "");
}

/// What an element does at its end passes through the port that it is attached to.
TEST(CutForces, OfElementsPassThroughTheirPorts) {
  Model model("pushed");
  model.add("a", kilogram);
  model.add("hinge", Joint{}, "world", "a");
  model.add("push", ExternalForce{}, at("a", {.xyz = {1, 0, 0}}));
  CutModel cut(MovingModel(model, 1));
  const Force<double> push{{1, 2, 3}, {4, 5, 6}};
  cut.F_F[static_cast<std::size_t>(cut.m.mech.frame({"push", "on"}))] = push;
  cut.update();
  expect_near(cut.through({"a", "push.on"}), dense(push.n), dense(push.f));
}

}  // namespace
}  // namespace articula::test
