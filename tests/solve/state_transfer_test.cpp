/// A new structure keeps where bodies are and how they move; what is caught keeps the momentum.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/articula.h>
#include <articula/closure/coordinates.h>
#include <articula/solve/internal/state_transfer.h>
#include <articula/spatial/orientation.h>

#include "support/names.h"

namespace articula::test {
namespace {

using testing::ElementsAre;

constexpr double exact = 1e-12;

template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Builds both, and takes the state from one to the other.
struct Transferred {
  Transferred(const Model& before, const std::vector<double>& q, const std::vector<double>& v, const Model& after,
              const AllowedGap& allowed = {}, const BuildOptions& options = {})
      : from(build_mechanism(before, options)), to(build_mechanism(after, options)) {
    const ExteriorMap map(to.mechanism, to.parameters, after.exterior);
    state = transfer_state({from.mechanism, from.parameters}, q, v, {to.mechanism, to.parameters}, map,
                           to.mechanism.roles, allowed);
  }
  Built from, to;
  TransferredState state;
};

RigidBody solid(double mass, const Vec3<double>& com, double a, double b, double c) {
  return {.mass = mass, .com = com, .inertia = SymMat3<double>::diagonal(a, b, c)};
}

Model two_in_flight() {
  Model model("flight");
  model.environment.gravity = UniformGravity{{0, 0, 0}};
  model.add("a", solid(3, {0.1, 0, 0}, 0.3, 0.4, 0.5)).add("b", solid(2, {0, 0.2, -0.1}, 0.1, 0.2, 0.25));
  model.add("a_free", Joint{.kind = JointKind::free}, "world", "a");
  model.add("b_free", Joint{.kind = JointKind::free}, "world", "b");
  return model;
}

WholeMechanism whole(const Model& model, const std::vector<double>& q, const std::vector<double>& v) {
  CenterOfMass solver(model);
  solver.update({.q = q, .v = v});
  return solver.compute();
}

void expect_near(const Vec3<double>& a, const Vec3<double>& b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST(StateTransfer, CaughtBodiesKeepTheMomentumOfBoth) {
  const Model before = two_in_flight();
  // b turned by 0.8 about (1, 2, 2)/3, 0.4 from a.
  const double s = std::sin(0.4), c = std::cos(0.4);
  const std::vector<double> q{0.5, 1, 2, 0, 0, 0, 1, 0.9, 1, 2, s / 3, 2 * s / 3, 2 * s / 3, c};
  const std::vector<double> v{1, 0.5, -0.3, 0.2, 0.7, -0.4, -0.8, 0.3, 0.6, 1.1, -0.2, 0.5};
  for (const JointKind kind : {JointKind::fixed, JointKind::revolute, JointKind::spherical, JointKind::universal}) {
    Model after = before;
    // The frames coincide here: that of a is where b is.
    after.at<RigidBody>("a").frames.push_back(
        {"palm", {rotation_of(Quaternion<double>{s / 3, 2 * s / 3, 2 * s / 3, c}), {0.4, 0, 0}}});
    after = connected(after, "catch", Joint{.kind = kind}, {"a", "palm"}, {"b", ""});
    const Transferred now(before, q, v, after);
    EXPECT_TRUE(now.state.caught);
    const WholeMechanism was = whole(before, q, v), is = whole(after, now.state.q, now.state.v);
    expect_near(is.center, was.center, exact);
    expect_near(is.linear_momentum, was.linear_momentum, exact);
    expect_near(is.angular_momentum, was.angular_momentum, exact);
    EXPECT_GT(now.state.energy_lost, 0);
    EXPECT_NEAR(now.state.energy_lost, was.kinetic_energy - is.kinetic_energy, exact);
  }
}

/// One rotor is parallel to its joint, the other a body of its own, skew, on a sliding joint.
TEST(StateTransfer, CaughtBodiesKeepTheMomentumOfRotors) {
  const BuildOptions rigid{.drives = Drives::rigid};
  Model before = two_in_flight();
  before.at<RigidBody>("b").com = {0, 0, 0};
  before.add("wheel", solid(1, {0, 0, 0.1}, 0.1, 0.1, 0.2)).add("slider", solid(1, {0.1, 0, 0}, 0.1, 0.2, 0.3));
  before.add("spin", Joint{.axis = z_axis}, at("a", {.xyz = {0, 0.3, 0}, .rpy = {0.3, 0.2, 0}}), "wheel");
  before.add("slide", Joint{.kind = JointKind::prismatic, .axis = x_axis}, at("a", {.xyz = {0, -0.3, 0}}), "slider");
  before.add("d1", Drive{.rotor_inertia = 0.02, .gear = 12}, "spin", "a");
  before.add("d2", Drive{.rotor_inertia = 0.03, .gear = -9, .rotor_axis = Direction{{0, 0.6, 0.8}}}, "slide", "a");
  Model after = before;
  after.at<RigidBody>("a").frames.push_back({"palm", {Rotation<double>::identity(), {0.4, 0, 0}}});
  after = connected(after, "catch", Joint{.kind = JointKind::fixed}, {"a", "palm"}, {"b", ""});

  const Built built = build_mechanism(before, rigid);
  const Mechanism& mech = built.mechanism;
  std::vector<double> q(built.parameters.q_start), v(static_cast<std::size_t>(mech.nv));
  const auto place = [](const std::vector<std::string>& names, const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  q[place(mech.layout.q, "b_free.x")] = 0.4;
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = std::cos(1.7 * static_cast<double>(k));
  closure::follow_positions(mech, built.parameters, q.data());
  closure::follow_rates(mech, built.parameters, v.data());
  const Transferred now(before, q, v, after, {}, rigid);
  EXPECT_TRUE(now.state.caught);

  const auto whole_of = [&](const Model& model, const Built& of, const std::vector<double>& q_all,
                            const std::vector<double>& v_all) {
    CenterOfMass solver(model, {.build = rigid});
    std::vector<double> y, ydot;
    for (const int k : of.mechanism.independent.q) y.push_back(q_all[static_cast<std::size_t>(k)]);
    for (const int k : of.mechanism.independent.v) ydot.push_back(v_all[static_cast<std::size_t>(k)]);
    solver.update({.q = y, .v = ydot});
    return solver.compute();
  };
  const WholeMechanism was = whole_of(before, now.from, q, v), is = whole_of(after, now.to, now.state.q, now.state.v);
  expect_near(is.linear_momentum, was.linear_momentum, exact);
  expect_near(is.angular_momentum, was.angular_momentum, 10 * exact);
  EXPECT_GT(now.state.energy_lost, 0);
  EXPECT_NEAR(now.state.energy_lost, was.kinetic_energy - is.kinetic_energy, 10 * exact);
}

TEST(StateTransfer, ACentralCatchLosesTheEnergyOfTheRelativeMotion) {
  // Two points on a line: ½·μ·Δv² with the reduced mass μ, and the common velocity of the centre of mass.
  Model before("line");
  before.environment.gravity = UniformGravity{{0, 0, 0}};
  before.add("a", solid(3, {0, 0, 0}, 1, 1, 1)).add("b", solid(2, {0, 0, 0}, 1, 1, 1));
  before.add("a", Joint{.kind = JointKind::free}, "world", "a").add("b", Joint{.kind = JointKind::free}, "world", "b");
  const Model after = connected(before, "catch", Joint{.kind = JointKind::fixed}, {"a", ""}, {"b", ""});
  const std::vector<double> at_one{1, 0, 0, 0, 0, 0, 1};
  std::vector<double> q = at_one;
  q.insert(q.end(), at_one.begin(), at_one.end());
  const Transferred now(before, q, {4, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0}, after);
  EXPECT_NEAR(now.state.v[0], (3 * 4 - 2) / 5.0, exact);
  EXPECT_NEAR(now.state.energy_lost, 0.5 * (3 * 2 / 5.0) * 25, exact);
}

TEST(StateTransfer, AReleasedBodyGoesOnAsItMoved) {
  // The bob of a pendulum: at (−sin q, 0, −cos q)·l it moves with l·v·(−cos q, 0, sin q).
  Model before("pendulum");
  before.add("bob", solid(2, {0, 0, 0}, 0.1, 0.1, 0.1));
  before.add("hinge", Joint{.axis = y_axis}, "world", at("bob", {.xyz = {0, 0, 1.5}}));
  const double q = 0.7, v = 1.2;
  const Transferred now(before, {q}, {v}, disconnected(before, "hinge"));
  EXPECT_FALSE(now.state.caught);
  EXPECT_EQ(now.state.energy_lost, 0);
  EXPECT_THAT(now.to.mechanism.layout.q,
              ElementsAre("bob.x", "bob.y", "bob.z", "bob.qx", "bob.qy", "bob.qz", "bob.qw"));
  EXPECT_NEAR(now.state.q[0], -1.5 * std::sin(q), exact);
  EXPECT_NEAR(now.state.q[2], -1.5 * std::cos(q), exact);
  EXPECT_NEAR(now.state.q[4], std::sin(q / 2), exact);
  EXPECT_NEAR(now.state.q[6], std::cos(q / 2), exact);
  // In its own axes: along −x, and about y.
  const std::vector<double> expected{-1.5 * v, 0, 0, 0, v, 0};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(now.state.v[k], expected[k], exact);
  // And back again.
  const Transferred back(disconnected(before, "hinge"), now.state.q, now.state.v, before);
  EXPECT_FALSE(back.state.caught);
  EXPECT_NEAR(back.state.q[0], q, exact);
  EXPECT_NEAR(back.state.v[0], v, exact);
}

TEST(StateTransfer, EveryKindOfJointIsFoundAgainFromPosesAlone) {
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic, JointKind::helical, JointKind::cylindrical,
                               JointKind::universal, JointKind::planar, JointKind::spherical, JointKind::free}) {
    const auto model = [&](const std::string& name) {
      Model made("m");
      made.add("base", solid(1, {0, 0.1, 0}, 0.1, 0.2, 0.2)).add("tip", solid(1, {0.1, 0, 0}, 0.1, 0.2, 0.2));
      made.add("slide", Joint{.kind = JointKind::prismatic, .axis = x_axis}, "world", "base");
      made.add(name,
               Joint{.kind = kind,
                     .axis = {0, 0.6, 0.8},
                     .second_axis = x_axis,
                     .parameters = Helical::Parameters<double>{.pitch = 0.02}},
               at("base", {.xyz = {0.1, 0.2, 0.3}, .rpy = {0.4, -0.2, 0.9}}),
               at("tip", {.xyz = {-0.2, 0.1, 0}, .rpy = {0.3, 0.1, -0.5}}));
      return made;
    };
    const Built built = build_mechanism(model("j"));
    std::vector<double> q = built.parameters.q_start, v(static_cast<std::size_t>(built.mechanism.nv));
    std::vector<double> along(v.size());
    for (std::size_t k = 0; k < v.size(); ++k) {
      v[k] = std::cos(1.0 + static_cast<double>(k)), along[k] = 0.6 * std::sin(2.0 + static_cast<double>(k));
    }
    const Body& last = built.mechanism.bodies.back();
    q[0] = 0.3;
    visit_joint(kind, [&]<class J>(J) {
      const std::vector<double> start(q.begin() + last.q.first, q.end());
      J::advanced(start.data(), along.data() + last.v.first, q.data() + last.q.first);
    });
    const Transferred now(model("j"), q, v, model("k"));  // another name: found from where the bodies are
    EXPECT_FALSE(now.state.caught) << static_cast<int>(kind);
    for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(now.state.q[k], q[k], 1e-11) << static_cast<int>(kind);
    for (std::size_t k = 0; k < v.size(); ++k) EXPECT_NEAR(now.state.v[k], v[k], 1e-11) << static_cast<int>(kind);
    const Transferred same(model("j"), q, v, model("j"));
    EXPECT_EQ(same.state.q, q) << "bit for bit";
    EXPECT_EQ(same.state.v, v) << "bit for bit";
  }
}

TEST(StateTransfer, ABodyOutOfReachIsRefusedWithTheGap) {
  Model before("pendulum");
  before.add("bob", solid(2, {0, 0, 0}, 0.1, 0.1, 0.1));
  before.add("hinge", Joint{.axis = y_axis}, "world", at("bob", {.xyz = {0, 0, 1}}));
  const Model free = disconnected(before, "hinge");
  const std::vector<double> q{0, 0.03, -1.04, 0, 0, 0, 1}, v(6);
  EXPECT_EQ(
      error_of([&] { Transferred(free, q, v, before); }),
      "body \"bob\" is 0.05 m and 0 rad away from where joint \"hinge\" can hold it. Allowed are 1e-06 m and 1e-06 "
      "rad. Move it there first, or allow a larger gap.  [frames-apart]");
  const Transferred near(free, q, v, before, {.distance = 0.06, .angle = 0.01});
  EXPECT_NEAR(near.state.gap_distance, 0.05, 1e-12);
  EXPECT_NEAR(near.state.q[0], 0, 1e-9);
}

// --- reconfigure ---------------------------------------------------------------------------------------------------

TEST(Reconfigure, AHingeThatBecomesASlideDoesNotTakeRadiansForMetres) {
  Model hinged("m");
  hinged.add("bob", solid(1, {0, 0, -1}, 0.1, 0.1, 0.1));
  Model sliding = hinged;
  hinged.add("j", Joint{.axis = y_axis}, "world", "bob");
  sliding.add("j", Joint{.kind = JointKind::prismatic, .axis = y_axis}, "world", "bob");
  ForwardKinematics where(hinged);
  where.update({.q = std::vector<double>{0.7}});
  EXPECT_EQ(
      error_of([&] { where.reconfigure(sliding); }),
      "body \"bob\" is 0 m and 0.7 rad away from where joint \"j\" can hold it. Allowed are 1e-06 m and 1e-06 rad. "
      "Move it there first, or allow a larger gap.  [frames-apart]");
  EXPECT_EQ(where.mechanism().bodies[1].joint, JointKind::revolute) << "nothing changed";
}

TEST(Reconfigure, KeepsForcesAndLoadsOfWhatStays) {
  Model robot("r");
  const RigidBody link{.mass = 1,
                       .com = {0, 0, 0.2},
                       .inertia = SymMat3<double>::diagonal(0.1, 0.1, 0.05),
                       .frames = {{"tip", to_pose({.xyz = {0, 0.1, 0.4}})}}};
  robot.add("upper", link).add("fore", link);
  robot.add("shoulder", Joint{.axis = y_axis}, "world", "upper");
  robot.add("elbow", Joint{.axis = x_axis}, at("upper", {.xyz = {0, 0, 0.4}}), "fore");
  const std::vector<double> q{0.3, -0.4}, v{0.5, 0.2}, tau{1.5, -0.7};
  ForwardDynamics moves(robot);
  const Load load{moves.frame({"fore", "tip"}), {{0.1, 0.2, 0.3}, {4, 5, 6}}, moves.frame({"upper", ""})};
  moves.update({.q = q, .v = v, .tau = tau, .loads = {&load, 1}});
  const double shoulder = moves.compute()[0], elbow = moves.compute()[1];
  // Another body far away, which comes first in every table, and changes nothing.
  Model more("r");
  more.add("rock", link).add("rock", Joint{.kind = JointKind::free}, "world", "rock");
  more.add("upper", link).add("fore", link);
  more.add("shoulder", Joint{.axis = y_axis}, "world", "upper");
  more.add("elbow", Joint{.axis = x_axis}, at("upper", {.xyz = {0, 0, 0.4}}), "fore");
  moves.reconfigure(more);
  ASSERT_THAT(moves.v_names().back(), "elbow");
  EXPECT_EQ(moves.compute()[6], shoulder);
  EXPECT_EQ(moves.compute()[7], elbow);
  Model less("r");
  less.add("upper", link).add("shoulder", Joint{.axis = y_axis}, "world", "upper");
  EXPECT_EQ(
      error_of([&] { moves.reconfigure(less); }),
      "reconfigure: a load acts at frame \"fore.tip\", which \"r\" does not have. Update the state without that load "
      "first.  [load-frame]");
}

TEST(Reconfigure, AReleasedBodyStaysWhereItIsInEverySolver) {
  Model held("crane");
  const RigidBody link = solid(2, {0, 0, 0.3}, 0.1, 0.1, 0.1);
  held.add("arm", link).add("load", link);
  held.add("turn", Joint{.axis = z_axis}, "world", "arm");
  held.add("grip", Joint{.kind = JointKind::fixed}, at("arm", {.xyz = {0.5, 0, 0}, .rpy = {0.1, 0.2, 0.3}}), "load");
  ForwardKinematics where(held, {.exterior = {.frames = {{"arm", ""}, {"load", ""}}}});
  where.update({.q = std::vector<double>{0.4}, .v = std::vector<double>{0.9}});
  const std::vector<MovingFrame> before(where.compute().begin(), where.compute().end());
  for (const Model& model : {disconnected(held, "grip"), held}) {
    where.reconfigure(model);
    for (std::size_t k = 0; k < 2; ++k) {
      const MovingFrame& now = where.compute()[k];
      expect_near(now.X_WF.p, before[k].X_WF.p, exact);
      expect_near(now.V.w, before[k].V.w, exact);
      expect_near(now.V.v, before[k].V.v, exact);
      EXPECT_LT(departure_from_rotation(now.X_WF.R), exact);
      expect_near(now.X_WF.R * Vec3<double>{1, 2, 3}, before[k].X_WF.R * Vec3<double>{1, 2, 3}, exact);
    }
  }
}

}  // namespace
}  // namespace articula::test
