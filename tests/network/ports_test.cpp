/// What the network knows at each port: how it moves, and the force that passes through it.

#include <gtest/gtest.h>

#include <articula/network/network.h>

#include "network/flat.h"
#include "support/findings.h"

namespace articula::test {
namespace {

/// Relative where large: some hundred roundings, and what cancels where motions and forces of many bodies meet.
constexpr double rounding = 1e-12;

double gap(const Vec3<double>& a, const Vec3<double>& b) { return norm(a - b) / (1 + norm(b)); }
double gap(const Motion<double>& a, const Motion<double>& b) { return gap(a.w, b.w) + gap(a.v, b.v); }
double gap(const Force<double>& a, const Force<double>& b) { return gap(a.n, b.n) + gap(a.f, b.f); }

TEST(Ports, StandWhereTheGraphLeadsTo) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const Model model = random_model(seed);
    const Built built = build_mechanism(model);
    const RandomState state(model, built, seed);
    const Poses expected = walk(model, random_coordinates(model, seed));
    for (const auto& [representation, name] : representations()) {
      network::Network network(model, in(representation));
      network.kinematics(state.q, state.v, state.vdot);
      for (const auto& [port, X] : expected) {
        EXPECT_LT(test::gap(dense(network.pose_at(port)), X), rounding) << "seed " << seed << ", " << to_text(port);
      }
    }
  }
}

TEST(Ports, MoveAsTheFlatFormSays) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const Model model = random_model(seed);
    const Built built = build_mechanism(model);
    const RandomState state(model, built, seed);
    const NewtonEuler<double> flat = flat_inverse(built, state.q, state.v, state.vdot, {}).scratch;
    const std::vector<Pose<double>> X_WB = body_poses(built, state.q);
    for (const auto& [representation, name] : representations()) {
      network::Network network(model, in(representation));
      network.kinematics(state.q, state.v, state.vdot);
      for (std::size_t f = 0; f < built.mechanism.frames.size(); ++f) {
        const PortRef& port = built.mechanism.frames[f].name;
        const auto b = static_cast<std::size_t>(built.mechanism.frames[f].body);
        // The flat form lifts World against gravity.
        const Motion<double> lifted{Vec3<double>::zero(), X_WB[b].R.rotate_back(-built.parameters.gravity_W)};
        const Pose<double> X_FB = inverted(built.parameters.X_BF[f]);
        EXPECT_LT(gap(network.velocity_at(port), X_FB * flat.V_B[b]), rounding)
            << "seed " << seed << ", " << to_text(port);
        EXPECT_LT(gap(network.acceleration_at(port), X_FB * (flat.A_B[b] - lifted)), rounding)
            << "seed " << seed << ", " << to_text(port) << ", " << name;
      }
    }
  }
}

/// The flat form keeps what each joint passes on to its body; seen from World, it is what enters the joint.
TEST(Ports, PassTheForcesOfTheFlatForm) {
  int joints = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    RandomModelOptions options;
    options.elements = 3;
    options.rigid_cycles = 0;  // around which a force may go either way
    const Model model = random_model(seed, options);
    const Built built = build_mechanism(model);
    const RandomState state(model, built, seed);
    const auto flat = flat_inverse(built, state.q, state.v, state.vdot, applied_forces(built, state.q)).scratch;
    const std::vector<Pose<double>> X_WB = body_poses(built, state.q);
    for (const auto& [representation, name] : representations()) {
      network::Network network(model, in(representation));
      Numbers tau(state.tau.size());
      network.inverse_dynamics(state.q, state.v, state.vdot, tau);
      for (const auto& [joint, kind, place, body] : built.mechanism.provenance.entities) {
        if (place != Provenance::Place::joint) continue;
        const auto b = static_cast<std::size_t>(body);
        for (const char* side : {"from", "to"}) {
          const PortRef port{joint, side};
          EXPECT_LT(gap(network.pose_at(port) * network.force_at(port), X_WB[b] * flat.F_B[b]), rounding)
              << "seed " << seed << ", " << to_text(port) << ", " << name;
        }
        ++joints;
      }
    }
  }
  EXPECT_GT(joints, 1000);
}

/// Whether the acceleration was given or found, it takes the same forces.
TEST(Ports, PassTheSameForcesInForwardDynamics) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    RandomModelOptions options;
    options.moving_frames = 0;
    options.elements = 3;
    options.chained = 0;
    const Model model = random_model(seed, options);
    const Built built = build_mechanism(model);
    const RandomState state(model, built, seed);
    const double conditioned = condition(built, state.q);
    for (const auto& [representation, name] : representations()) {
      network::Network given(model, in(representation)), found = given;
      Numbers tau(state.tau.size()), vdot(state.tau.size());
      given.inverse_dynamics(state.q, state.v, state.vdot, tau);
      found.forward_dynamics(state.q, state.v, tau, vdot);
      for (const FlatFrame& frame : built.mechanism.frames) {
        const Force<double> F = given.force_at(frame.name);
        EXPECT_LT(gap(found.force_at(frame.name), F), rounding * conditioned)
            << "seed " << seed << ", " << to_text(frame.name) << ", " << name;
      }
    }
  }
}

RigidBody ball(double mass) {
  RigidBody body;
  body.mass = mass;
  body.inertia = SymMat3<double>::identity();
  return body;
}

/// A bracket of two bodies and a displacement, all rigid: the flat form knows one body, the network every cut.
TEST(Ports, AreCutsAlsoThroughWhatIsRigid) {
  Model bracket("bracket");
  bracket.add("plate", ball(2));
  bracket.add("load", ball(3));
  bracket.connect({{"plate", ""}, {"world", ""}});
  bracket.add("arm", Displacement{{{}, {0.5, 0, 0}}}, "plate", "load");
  for (const auto& [representation, name] : representations()) {
    network::Network network(bracket, in(representation));
    network.inverse_dynamics({}, {}, {}, {});
    const double g = 9.81;
    EXPECT_LT(gap(network.force_at({"load", ""}), {{0, 0, 0}, {0, 0, 3 * g}}), rounding) << name;
    EXPECT_LT(gap(network.force_at({"arm", "from"}), {{0, -0.5 * 3 * g, 0}, {0, 0, 3 * g}}), rounding) << name;
    EXPECT_LT(gap(network.force_at({"world", ""}), {{0, -0.5 * 3 * g, 0}, {0, 0, 5 * g}}), rounding) << name;
  }
}

/// One connection of four ports means the same as three of two.
TEST(Ports, MeetInConnectionsOfMany) {
  const auto star = [](bool at_once) {
    Model model("star");
    model.add("hub", ball(1));
    model.add("waist", Joint{}, "world");
    for (const char* arm : {"left", "right"}) {
      RigidBody body = ball(2);
      body.com = {0.3, 0.1, 0};
      model.add(arm, body);
      Joint joint;
      joint.axis = arm == std::string("left") ? x_axis : y_axis;
      model.add(arm + std::string("_joint"), joint);
      model.connect({{arm, ""}, {arm + std::string("_joint"), "to"}});
    }
    if (at_once) {
      model.connect({{"left_joint", "from"}, {"hub", ""}, {"waist", "to"}, {"right_joint", "from"}});
    } else {
      model.connect({{"left_joint", "from"}, {"hub", ""}});
      model.connect({{"hub", ""}, {"waist", "to"}});
      model.connect({{"hub", ""}, {"right_joint", "from"}});
    }
    return model;
  };
  const Numbers q{0.3, -0.5, 0.7}, v{1, 2, -1}, vdot{0.5, 1, 2};
  Numbers together(3), apart(3);
  network::Network one(star(true)), three(star(false));
  one.inverse_dynamics(q, v, vdot, together);
  three.inverse_dynamics(q, v, vdot, apart);
  EXPECT_EQ(together, apart);
  EXPECT_EQ(one.force_at({"waist", "to"}), three.force_at({"waist", "to"}));
  const Force<double> sum =
      one.force_at({"hub", ""}) + one.force_at({"left_joint", "from"}) + one.force_at({"right_joint", "from"});
  EXPECT_LT(gap(one.force_at({"waist", "to"}), sum), rounding);
}

TEST(Ports, ThatAreNotThereAreNamed) {
  Model model("arm");
  model.add("upper", ball(1));
  model.add("shoulder", Joint{}, "world", "upper");
  const network::Network network(model);
  EXPECT_EQ(
      error_of([&] {
        (void)network.pose_at({"uper", ""});
      }),
      "port \"uper\" not found. Did you mean \"upper\"? Ports: shoulder.from, shoulder.shaft, shoulder.to, upper, "
      "world.  [no-such-port]");
  EXPECT_EQ(error_of([&] {
              (void)network.force_at({"shoulder", "shaft"});
            }),
            "port \"shoulder.shaft\" is a shaft, or nothing leads to it from a reference frame. "
            "Name a frame that World leads to.  [network-port-open]");
}

}  // namespace
}  // namespace articula::test
