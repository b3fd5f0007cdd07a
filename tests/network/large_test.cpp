/// Long chains, and no allocation once a network stands.

#include <gtest/gtest.h>

#include <articula/base/text.h>
#include <articula/network/network.h>

#include "network/flat.h"
#include "support/allocations.h"

namespace articula::test {
namespace {

/// Normwise, relative, of torques. Measured: 2e-14.
constexpr double rounding = 1e-12;

/// The same, of torques that accelerations need which were found from torques. Measured: 8e-13.
constexpr double residual = 1e-11;

Model chain(int links) {
  Model model("chain");
  RigidBody link;
  link.mass = 1;
  link.com = {0.005, 0, 0};
  link.inertia = SymMat3<double>::diagonal(0.01, 0.02, 0.02);
  std::string before = "world";
  for (int k = 0; k < links; ++k) {
    const std::string name = concat("link", k);
    Joint joint;
    joint.axis = k % 2 == 0 ? z_axis : y_axis;
    model.add(name, link);
    model.add(concat("joint", k), joint, at(before, {.xyz = {0.01, 0, 0}}), name);
    before = name;
  }
  return model;
}

TEST(Chain, OfTenThousandBodiesIsNoMatterOfDepth) {
  const int links = 10000;
  const Model model = chain(links);
  const Built built = build_mechanism(model);
  Random random(1);
  Numbers q, v, vdot;
  for (int k = 0; k < links; ++k) {
    q.push_back(0.1 * random.number());
    v.push_back(0.01 * random.number());
    vdot.push_back(0.01 * random.number());
  }
  const Numbers expected = flat_inverse(built, q, v, vdot, {}).tau;
  for (const auto& [representation, name] : representations()) {
    network::Network network(model, in(representation));
    Numbers result(q.size());
    network.inverse_dynamics(q, v, vdot, result);
    EXPECT_LT(distance(result, expected), rounding) << name;
    // Accelerations of such a chain are known to six digits only, whoever computes them; but they must need these torques.
    network.forward_dynamics(q, v, expected, result);
    EXPECT_LT(distance(flat_inverse(built, q, v, result, {}).tau, expected), residual) << name;
  }
}

TEST(Network, AllocatesNothingOnceItStands) {
  RandomModelOptions options;
  options.bodies = 20;
  options.elements = 5;
  const Model model = random_model(3, options);
  const Built built = build_mechanism(model);
  const RandomState state(model, built, 3);
  for (const auto& [representation, name] : representations()) {
    network::Network network(model, in(representation));
    network::Restriction restricted = network.restricted_to({built.mechanism.frames.back().name});
    Numbers tau(state.tau.size()), vdot = state.vdot;
    const std::size_t before = test::allocations();
    network.kinematics(state.q, state.v, state.vdot);
    network.inverse_dynamics(state.q, state.v, state.vdot, tau);
    network.forward_dynamics(state.q, state.v, tau, vdot);
    restricted.kinematics(state.q, state.v, state.vdot);
    EXPECT_EQ(test::allocations(), before) << name;
  }
}

}  // namespace
}  // namespace articula::test
