// A solver of a very long chain has nothing that grows with the square of its length.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <articula/solve/inverse_dynamics.h>

namespace articula {
namespace {

/// Links of 1 m and 1 kg, stretched out along x, hinged about y: what joint k holds is the weight of all that hangs on it,
///
///     tau_k = −g·Σ (i − k) = −g·m·(m + 1)/2,    m = n − 1 − k
TEST(LargeChains, AreHeldAgainstTheirWeight) {
  constexpr int n = 100'000;
  constexpr double g = 9.81, relative = 1e-10;
  Model model("chain");
  model.environment.gravity = UniformGravity{{0, 0, -g}};
  std::string host = "world";
  for (int k = 0; k < n; ++k) {
    const std::string name = "link" + std::to_string(k);
    model.add(name, RigidBody{.mass = 1, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}});
    model.add("joint" + std::to_string(k), Joint{.axis = {Vec3<double>{0, 1, 0}}}, at(host, {.xyz = {1, 0, 0}}), name);
    host = name;
  }
  InverseDynamics solver(model);
  const std::vector<double> zero(n, 0.0);
  solver.update({.q = zero, .v = zero, .vdot = zero});
  const VectorView tau = solver.compute();
  for (const int k : {0, 1, n / 2, n - 2, n - 1}) {
    const double m = n - 1 - k, expected = -g * m * (m + 1) / 2;
    EXPECT_NEAR(tau[static_cast<std::size_t>(k)], expected, relative * (1 + std::abs(expected))) << "joint " << k;
  }
}

}  // namespace
}  // namespace articula
