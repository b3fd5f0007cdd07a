/// Entities of the user's own: a force with an inertia of its own, one between two bodies, and one that carries others.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/articula.h>
#include <articula/network/network.h>

#include "../../examples/own_entity/immersed.h"
#include "network/flat.h"
#include "support/findings.h"

namespace articula::test {
namespace {

using network::Site;

/// Relative; a few dozen roundings.
constexpr double rounding = 1e-13;

Custom custom(std::string type, std::vector<CustomPort> ports,
              std::shared_ptr<const CustomImplementation> implementation) {
  Custom own;
  own.type = std::move(type);
  own.custom_ports = std::move(ports);
  own.implementation = std::move(implementation);
  return own;
}

RigidBody ball(double mass) {
  RigidBody body;
  body.mass = mass;
  body.inertia = SymMat3<double>::diagonal(0.1, 0.2, 0.25);
  return body;
}

/// A ball that is lighter than water rises with (ρ·Vol − m)·g / (m + ρ·Vol/2).
TEST(OwnEntity, MakesABallRiseAsFastAsItDoes) {
  const double m = 2, displaced = 5, g = 9.81;
  auto hull = std::make_shared<Immersed>();
  hull->displaced_mass = displaced;
  hull->added_mass = {displaced / 2, displaced / 2, displaced / 2};
  Model model("ball");
  model.add("ball", ball(m));
  model.add("float", Joint{.kind = JointKind::free}, "world", "ball");
  model.add("water", custom("immersed", {{"on"}}, hull), "ball");
  for (const auto& [representation, name] : representations()) {
    network::Network network(model, in(representation));
    const Numbers q{0.3, 0.2, 0.1, 0.5, 0.5, 0.5, 0.5}, still(6);  // z of the ball is x of World's
    Numbers vdot(6);
    network.forward_dynamics(q, still, still, vdot);
    const Vec3<double> a_W = network.pose_at({"ball", ""}).R * network.acceleration_at({"ball", ""}).v;
    EXPECT_NEAR(a_W.z, (displaced - m) * g / (m + displaced / 2), rounding * 10) << name;
    EXPECT_NEAR(a_W.x, 0, rounding) << name;
    EXPECT_NEAR(norm(network.acceleration_at({"ball", ""}).w), 0, rounding) << name;
  }
}

/// Without forces a hull with added mass keeps Kirchhoff's energy ½·Vᵀ·(M + M_a)·V: the power of F is its rate.
TEST(OwnEntity, KeepsItsEnergyInWaterWithoutDrag) {
  auto hull = std::make_shared<Immersed>();
  hull->added_mass = {1, 3, 5};
  hull->added_inertia = {0.1, 0.4, 0.2};
  Model model("fish");
  model.environment.gravity = UniformGravity{{0, 0, 0}};
  model.add("fish", ball(2));
  model.add("float", Joint{.kind = JointKind::free}, "world", "fish");
  model.add("water", custom("immersed", {{"on"}}, hull), "fish");
  const Numbers q{0, 0, 0, 0.1, 0.7, 0.5, 0.5}, v{1, 2, 3, 0.3, -0.4, 0.5}, none(6);
  for (const auto& [representation, name] : representations()) {
    network::Network network(model, in(representation));
    Numbers vdot(6);
    network.forward_dynamics(q, v, none, vdot);
    const double mass[] = {2 + 1, 2 + 3, 2 + 5, 0.1 + 0.1, 0.2 + 0.4, 0.25 + 0.2};
    double power = 0, size = 0;
    for (std::size_t k = 0; k < 6; ++k) {
      power += mass[k] * v[k] * vdot[k];
      size += std::abs(mass[k] * v[k] * vdot[k]);
    }
    EXPECT_NEAR(power, 0, rounding * size) << name;
    EXPECT_GT(size, 1) << name;
  }
}

/// In a file it is a type with properties, and the class for it is registered.
TEST(OwnEntity, IsReadFromAFileAndInverseUndoesForward) {
  const Model arm = load(ARTICULA_SOURCE_DIR "/examples/own_entity/arm.yaml");
  const Numbers q{0.4, 0.6}, v{1.0, -0.5}, vdot{2.0, 1.0};
  Numbers first;
  for (const auto& [representation, name] : representations()) {
    network::NetworkOptions options = in(representation);
    options.implementations.add<Immersed>("immersed");
    network::Network network(arm, options);
    Numbers tau(2), found(2);
    network.inverse_dynamics(q, v, vdot, tau);
    network.forward_dynamics(q, v, tau, found);
    EXPECT_LT(distance(found, vdot), rounding * 10) << name;
    if (first.empty()) first = tau;
    EXPECT_LT(distance(tau, first), rounding) << name;
  }
}

TEST(OwnEntity, NeedsAnImplementation) {
  const Model arm = load(ARTICULA_SOURCE_DIR "/examples/own_entity/arm.yaml");
  EXPECT_THAT(
      error_of([&] { network::Network network(arm); }),
      testing::EndsWith("arm.yaml:11: custom \"upper_hull\": nothing implements its type \"immersed\". Register a "
                        "class for it, or give it an implementation.  [network-no-implementation]"));
  network::NetworkOptions options;
  options.implementations.add<Immersed>("imersed");
  EXPECT_THAT(error_of([&] { network::Network network(arm, options); }),
              testing::HasSubstr("Did you mean \"imersed\"? Types: imersed."));
}

/// A rubber band between two bodies: reached at both ports, carrying nothing.
class Band final : public network::EntityImplementation {
 public:
  static Force<double> pull(const Pose<double>& X_WA, const Pose<double>& X_WB) {
    return {Vec3<double>::zero(), X_WA.R.rotate_back((X_WB.p - X_WA.p) * stiffness)};
  }
  void action(const Site& site) const override {
    site.take(0, -pull(site.X_W(0), site.X_W(1)));
    site.take(1, -pull(site.X_W(1), site.X_W(0)));
  }
  void articulated_action(const Site& site) const override {
    site.take(0, ArticulatedInertia<double>::zero(), -pull(site.X_W(0), site.X_W(1)));
    site.take(1, ArticulatedInertia<double>::zero(), -pull(site.X_W(1), site.X_W(0)));
  }

 private:
  static constexpr double stiffness = 40;
};

TEST(OwnEntity, MayActBetweenTwoBodies) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    RandomModelOptions options;
    options.moving_frames = 0;
    options.chained = 0;
    Model model = random_model(seed, options);
    const std::vector<std::string> bodies = model.names(Family::body);
    const Built built = build_mechanism(model);
    const RandomState state(model, built, seed);
    const std::string a = bodies[1], b = bodies.back();
    network::Network plain(model);
    plain.kinematics(state.q, state.v, state.vdot);
    Model forced = model, banded = model;
    forced.add(
        "on_a",
        ExternalForce{.force = Band::pull(plain.pose_at({a, ""}), plain.pose_at({b, ""})).f, .expressed_in = "local"},
        a);
    forced.add(
        "on_b",
        ExternalForce{.force = Band::pull(plain.pose_at({b, ""}), plain.pose_at({a, ""})).f, .expressed_in = "local"},
        b);
    banded.add("band", custom("band", {{"from"}, {"to"}}, std::make_shared<Band>()), a, b);
    for (const auto& [representation, name] : representations()) {
      network::Network expected(forced, in(representation)), own(banded, in(representation));
      Numbers tau(state.tau.size()), own_tau(state.tau.size()), vdot(state.tau.size()), own_vdot(state.tau.size());
      expected.inverse_dynamics(state.q, state.v, state.vdot, tau);
      own.inverse_dynamics(state.q, state.v, state.vdot, own_tau);
      EXPECT_LT(distance(own_tau, tau), rounding) << "seed " << seed << ", " << name;
      expected.forward_dynamics(state.q, state.v, state.tau, vdot);
      own.forward_dynamics(state.q, state.v, state.tau, own_vdot);
      EXPECT_LT(distance(own_vdot, vdot), rounding * condition(built, state.q)) << "seed " << seed << ", " << name;
    }
  }
}

/// A hinge about z with a torsion spring in it, written by a user in the frames of its ports. Only from port 0 to 1.
class SprungHinge final : public network::EntityImplementation {
 public:
  bool carries(int in, int out) const override { return in == 0 && out == 1; }
  network::OwnCoordinates coordinates() const override { return {{"angle"}, {"speed"}}; }

  void position(const Site& site) const override {
    site.motion_at(1).X_W = site.X_W(0) * Pose<double>{rotation_about(2, site.q[0]), Vec3<double>::zero()};
  }
  void velocity(const Site& site) const override { site.set_V_P(1, inner(site) * site.V_P(0) + H * site.v[0]); }
  void acceleration(const Site& site) const override { site.set_A_P(1, bias(site) + H * site.vdot[0]); }
  void action(const Site& site) const override {
    site.tau[0] = dot(H, site.F_P(1)) + stiffness * site.q[0];
    site.take(0, inverted(inner(site)) * site.F_P(1));
  }
  /// Body axes: P and z at port 1 are felt at port 0 after the hinge has given way.
  void articulated_action(const Site& site) const override {
    auto [P, z] = at_far_port(site);
    z += P * (cross(site.V_P(1), H * site.v[0]));
    const Force<double> U = P * H;
    const double d = 1 / dot(H, U);
    z += U * (d * (torque(site) - dot(H, z)));
    subtract_outer(P, U, d);
    site.take(0, inverted(inner(site)) * P, inverted(inner(site)) * z);
  }
  void joint_acceleration(const Site& site) const override {
    const auto [P, z] = at_far_port(site);
    site.vdot[0] = (torque(site) - dot(H, P * bias(site) + z)) / dot(H, P * H);
  }

  static constexpr double stiffness = 7;

 private:
  inline static const Motion<double> H{{0, 0, 1}, {0, 0, 0}};

  static Pose<double> inner(const Site& site) { return inverted(site.X_W(1)) * site.X_W(0); }
  static Motion<double> bias(const Site& site) { return inner(site) * site.A_P(0) + cross(site.V_P(1), H * site.v[0]); }
  static double torque(const Site& site) { return site.tau[0] - stiffness * site.q[0]; }
  /// What port 1 asks for in its own axes: F_P = P_P·A_P + z_P.
  static network::Articulated at_far_port(const Site& site) {
    const auto& [P, z] = site.articulated_at(1);
    const Motion<double>& V = site.motion_at(1).V;
    const Pose<double> X = inverted(site.X(1));
    return {X * P, X * (z + P * cross(frame_rate(site.representation, V), V))};
  }
};

TEST(OwnEntity, MayCarryOthersAndHaveCoordinates) {
  const auto arm = [](bool own) {
    Model model("arm");
    model.add("upper", ball(3)).add("fore", ball(2)).add("hand", ball(1));
    model.add("shoulder", Joint{.axis = y_axis}, "world", "upper");
    if (own) {
      model.add("elbow", custom("hinge", {{"near"}, {"far"}}, std::make_shared<SprungHinge>()),
                at("upper", {.xyz = {0.5, 0, 0}}), "fore");
    } else {
      model.add("elbow", Joint{}, at("upper", {.xyz = {0.5, 0, 0}}), "fore");
    }
    model.add("wrist", Joint{.axis = x_axis}, "hand", at("fore", {.xyz = {0.4, 0.1, 0}}));
    return model;
  };
  for (const auto& [representation, name] : representations()) {
    network::Network own(arm(true), in(representation)), plain(arm(false), in(representation));
    EXPECT_EQ(own.layout().q, (std::vector<std::string>{"shoulder", "wrist", "elbow.angle"}));
    EXPECT_EQ(own.layout().v, (std::vector<std::string>{"shoulder", "wrist", "elbow.speed"}));
    Numbers tau(3), own_tau(3), vdot(3), own_vdot(3);
    plain.inverse_dynamics(Numbers{0.1, 0.2, 0.3}, Numbers{1, 2, 3}, Numbers{4, 5, 6}, tau);
    own.inverse_dynamics(Numbers{0.1, 0.3, 0.2}, Numbers{1, 3, 2}, Numbers{4, 6, 5}, own_tau);
    EXPECT_LT(distance(own_tau, {tau[0], tau[2], tau[1] + SprungHinge::stiffness * 0.2}), rounding) << name;
    plain.forward_dynamics(Numbers{0.1, 0.2, 0.3}, Numbers{1, 2, 3}, Numbers{4, 5, 6}, vdot);
    own.forward_dynamics(Numbers{0.1, 0.3, 0.2}, Numbers{1, 3, 2}, Numbers{4, 6, 5 + SprungHinge::stiffness * 0.2},
                         own_vdot);
    EXPECT_LT(distance(own_vdot, {vdot[0], vdot[2], vdot[1]}), rounding * 10) << name;
  }
}

/// Both the state and a second port have to be found beside an entity that the flat form does not know.
TEST(OwnEntity, StandsBesideForcesInTheAxesOfOthers) {
  Model model("arm");
  model.add("upper", ball(3)).add("fore", ball(2));
  model.add("shoulder", Joint{.axis = y_axis}, "world", "upper");
  Model plain = model;
  model.add("hull", custom("immersed", {{"on"}}, std::make_shared<Immersed>()), "upper");
  for (Model* arm : {&model, &plain}) {
    arm->add("elbow", Joint{}, at("upper", {.xyz = {0.5, 0, 0}}), "fore");
    arm->add("push", ExternalForce{.force = {1, 2, 3}, .moment = {4, 5, 6}, .expressed_in = "upper"}, "fore");
  }
  const Numbers q{0.3, 0.4}, v{1, 2}, vdot{3, 4};
  Numbers tau(2), expected(2);
  network::Network(model).inverse_dynamics(q, v, vdot, tau);
  network::Network(plain).inverse_dynamics(q, v, vdot, expected);
  EXPECT_LT(distance(tau, expected), rounding);  // a hull of nothing does nothing
}

TEST(OwnEntity, ClosesNoLoops) {
  Model model("ring");
  model.add("upper", ball(3));
  model.add("shoulder", Joint{}, "world", "upper");
  model.add("hinge", custom("hinge", {{"near"}, {"far"}}, std::make_shared<SprungHinge>()), "world", "upper");
  EXPECT_NE(error_of([&] { network::Network network(model); }), "no error");
}

}  // namespace
}  // namespace articula::test
