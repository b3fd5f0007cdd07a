/// The network against the flat form, on random models of all joint kinds, in three representations.

#include <gtest/gtest.h>

#include <articula/network/network.h>

#include "network/flat.h"

namespace articula::test {
namespace {

/// Normwise, relative: some hundred roundings along each chain. Measured: 6e-15, of accelerations
/// 4e-15 times the condition of the mass matrix.
constexpr double rounding = 1e-12;

/// Joints drawn next to each other may share a motion, which then has no acceleration: their mass matrices have a
/// condition of 1e16, all others stay below this.
constexpr double regular = 1e10;

constexpr std::uint32_t models = 200;

RandomModelOptions with_everything() {
  RandomModelOptions options;
  options.bodies = 10;
  options.elements = 5;
  return options;
}

/// Nothing moves as told.
RandomModelOptions free_to_move() {
  RandomModelOptions options = with_everything();
  options.moving_frames = 0;
  return options;
}

/// Forces are drawn in World's axes; now a third of them each in World's, their own, and those of some body.
Model with_axes_of_all_kinds(Model model, std::uint32_t seed) {
  Random random(seed);
  for (const Entity& entity : std::vector<Entity>(model.entities())) {
    if (!std::holds_alternative<ExternalForce>(entity.kind)) continue;
    const std::string body = random.one_of(model.names(Family::body));
    model.at<ExternalForce>(entity.name).expressed_in = random.one_of<std::string>({"world", "local", body});
  }
  return model;
}

std::string note(std::uint32_t seed, const std::string& representation) {
  return "seed " + std::to_string(seed) + ", " + representation + " representation";
}

TEST(Network, GivesTheTorquesOfTheFlatForm) {
  for (std::uint32_t seed = 0; seed < models; ++seed) {
    const Model model = with_axes_of_all_kinds(random_model(seed, with_everything()), seed);
    const Built built = build_mechanism(model);
    const RandomState state(model, built, seed);
    const Numbers expected = flat_inverse(built, state.q, state.v, state.vdot, applied_forces(built, state.q)).tau;
    for (const auto& [representation, name] : representations()) {
      network::Network network(model, in(representation));
      ASSERT_EQ(network.layout().q, built.mechanism.layout.q);
      ASSERT_EQ(network.layout().v, built.mechanism.layout.v);
      Numbers tau(expected.size());
      network.inverse_dynamics(state.q, state.v, state.vdot, tau);
      EXPECT_LT(distance(tau, expected), rounding) << note(seed, name);
    }
  }
}

TEST(Network, GivesTheAccelerationsOfTheFlatForm) {
  int tested = 0;
  for (std::uint32_t seed = 0; seed < 2 * models; ++seed) {
    const Model model = with_axes_of_all_kinds(random_model(seed, free_to_move()), seed);
    const Built built = build_mechanism(model);
    const RandomState state(model, built, seed);
    const double conditioned = condition(built, state.q);
    if (!(conditioned > 0 && conditioned < regular)) continue;
    ++tested;
    const Numbers expected = flat_forward(built, state.q, state.v, state.tau, applied_forces(built, state.q));
    for (const auto& [representation, name] : representations()) {
      network::Network network(model, in(representation));
      Numbers vdot(expected.size());
      network.forward_dynamics(state.q, state.v, state.tau, vdot);
      EXPECT_LT(distance(vdot, expected), rounding * conditioned) << note(seed, name);
    }
  }
  EXPECT_GT(tested, 100) << "of " << 2 * models << " models";
}

/// Each joint kind by itself and many times over, so that none hides among the others.
TEST(Network, GivesTheTorquesAndAccelerationsOfEachJointKind) {
  for (const JointKind kind : all_joint_kinds) {
    if (kind == JointKind::fixed) continue;
    RandomModelOptions options = free_to_move();
    options.kinds = {kind};
    options.chained = 0;
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
      const Model model = random_model(seed, options);
      const Built built = build_mechanism(model);
      const RandomState state(model, built, seed);
      const auto applied = applied_forces(built, state.q);
      const Numbers tau = flat_inverse(built, state.q, state.v, state.vdot, applied).tau;
      for (const auto& [representation, name] : representations()) {
        network::Network network(model, in(representation));
        Numbers result(tau.size());
        network.inverse_dynamics(state.q, state.v, state.vdot, result);
        EXPECT_LT(distance(result, tau), rounding) << traits(kind).name << ", " << note(seed, name);
        network.forward_dynamics(state.q, state.v, tau, result);
        EXPECT_LT(distance(result, state.vdot), rounding * condition(built, state.q))
            << traits(kind).name << ", " << note(seed, name);
      }
    }
  }
}

/// With some joints and a frame that move as told, the accelerations of the others are those that inverse dynamics
/// of the flat form answers with the given torques.
TEST(Network, AcceleratesWhatIsFreeBesideWhatIsPrescribed) {
  int prescribed = 0;
  for (std::uint32_t seed = 0; seed < models; ++seed) {
    RandomModelOptions options = with_everything();
    options.chained = 0;
    Model model = random_model(seed, options);
    Random random(seed);
    for (const std::string& joint : model.names(Family::joint)) model.at<Joint>(joint).prescribed = random.chance(0.3);
    const Built built = build_mechanism(model);
    const RandomState state(model, built, seed);
    const double conditioned = condition(built, state.q);
    for (const auto& [representation, name] : representations()) {
      network::Network network(model, in(representation));
      Numbers vdot = state.vdot;
      network.forward_dynamics(state.q, state.v, state.tau, vdot);
      const Numbers tau = flat_inverse(built, state.q, state.v, vdot, applied_forces(built, state.q)).tau;
      const double size = vector(tau).norm();
      for (std::size_t k = 0; k < tau.size(); ++k) {
        if (built.mechanism.roles[k] == DofRole::prescribed) {
          EXPECT_EQ(vdot[k], state.vdot[k]) << note(seed, name);
          ++prescribed;
        } else {
          EXPECT_NEAR(tau[k], state.tau[k], rounding * conditioned * size) << note(seed, name);
        }
      }
    }
  }
  EXPECT_GT(prescribed, 1000);
}

/// A field that pulls each body at its centre of mass is the same as as many forces there.
TEST(Network, PullsEachBodyTowardsTheCentreOfGravity) {
  for (std::uint32_t seed = 0; seed < models / 2; ++seed) {
    Model model = random_model(seed, with_everything());
    const Vec3<double> center{3, -4, 2};
    const double mu = 70;
    model.environment.gravity = CentralGravity{center, mu};
    const Built built = build_mechanism(model);
    const RandomState state(model, built, seed);
    const std::vector<Pose<double>> X_WB = body_poses(built, state.q);
    std::vector<Force<double>> applied = applied_forces(built, state.q);
    const auto& constituents = built.mechanism.provenance.constituents;
    for (std::size_t k = 0; k < constituents.size(); ++k) {
      const auto body = static_cast<std::size_t>(constituents[k].body);
      const Inertia<double>& M_C = built.parameters.M_C[k];
      const Vec3<double> c_B = built.parameters.X_BC[k] * (M_C.h * (1 / M_C.m));
      const Vec3<double> r = X_WB[body] * c_B - center;
      const Vec3<double> f_B = X_WB[body].R.rotate_back(r * (-mu * M_C.m / std::pow(dot(r, r), 1.5)));
      applied[body] += Force<double>{cross(c_B, f_B), f_B};
    }
    Built without_gravity = built;
    without_gravity.parameters.gravity_W = Vec3<double>::zero();
    const Numbers expected = flat_inverse(without_gravity, state.q, state.v, state.vdot, applied).tau;
    for (const auto& [representation, name] : representations()) {
      network::Network network(model, in(representation));
      Numbers tau(expected.size());
      network.inverse_dynamics(state.q, state.v, state.vdot, tau);
      EXPECT_LT(distance(tau, expected), rounding) << note(seed, name);
    }
  }
}

/// Copies share what does not change and compute by themselves.
TEST(Network, IsAValue) {
  const Model model = random_model(7, free_to_move());
  const Built built = build_mechanism(model);
  const RandomState here(model, built, 1), there(model, built, 2);
  network::Network network(model);
  Numbers tau(here.tau.size()), other(here.tau.size()), again(here.tau.size());
  network.inverse_dynamics(here.q, here.v, here.vdot, tau);
  const PortRef port{network.layout().blocks.back().owner, "to"};
  const Force<double> F = network.force_at(port);
  network::Network copy = network;
  copy.inverse_dynamics(there.q, there.v, there.vdot, other);
  EXPECT_TRUE(network.force_at(port) == F);
  EXPECT_FALSE(copy.force_at(port) == F);
  network = copy;
  network.inverse_dynamics(here.q, here.v, here.vdot, again);
  EXPECT_EQ(tau, again);
}

TEST(Network, SaysWhatItLeavesOut) {
  Model model("arm");
  model.add("upper", RigidBody{});
  model.at<RigidBody>("upper").mass = 1;
  model.add("shoulder", Joint{}, "world", "upper");
  model.add("bungee", Spring{.stiffness = 10}, at("world", {.xyz = {1, 0, 0}}), "upper");
  model.add("motor", Drive{}, "shoulder");
  model.add("push", ExternalForce{.force = {1, 0, 0}}, "upper");
  EXPECT_EQ(network::Network(model).left_out(), (std::vector<std::string>{"bungee", "motor"}));
}

}  // namespace
}  // namespace articula::test
