// A solver of a very long chain has nothing that grows with the square of its length, or is refused.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <articula/base/error.h>
#include <articula/solve/derivatives.h>
#include <articula/solve/equations_of_motion.h>
#include <articula/solve/forward_dynamics.h>
#include <articula/solve/inverse_dynamics.h>
#include <articula/solve/mass_matrix.h>
#include <articula/solve/regressor.h>

#include "support/names.h"

namespace articula::test {
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

/// Turning tables side by side.
Model tables(int n) {
  Model model("tables");
  for (int k = 0; k < n; ++k) {
    const std::string number = std::to_string(k);
    model.add("table" + number, RigidBody{.mass = 1, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}});
    model.add("joint" + number, Joint{.axis = {Vec3<double>{0, 0, 1}}}, "world", "table" + number);
  }
  return model;
}

template <class Make>
std::string refusal(Make&& make) {
  try {
    make();
  } catch (const Error& error) {
    return error.what();
  }
  return "made";
}

TEST(LargeMatrices, AreRefusedByTheSolverThatNeedsThem) {
  const Model model = tables(4000), few = tables(1100);
  EXPECT_EQ(refusal([&] { MassMatrix(model, {}); }),
            "MassMatrix of \"tables\": it needs a dense matrix of 4000 rows and 4000 columns. At most 10000000 numbers "
            "are allowed, as 3162 rows and columns have. Take a smaller model, or compute what needs no such matrix, "
            "such as inverse dynamics.  [matrix-too-large]");
  const std::string square = ": it needs a dense matrix of 4000 rows and 4000 columns.";
  EXPECT_TRUE(refusal([&] {
                Derivatives(model, Derivatives::Of::inverse_dynamics, {});
              }).starts_with("Derivatives of \"tables\"" + square));
  EXPECT_TRUE(refusal([&] { EquationsOfMotion(model, {}); }).starts_with("EquationsOfMotion of \"tables\"" + square));
  EXPECT_TRUE(refusal([&] {
                Regressor(few, {});
              }).starts_with("Regressor of \"tables\": it needs a dense matrix of 1100 rows and 11000 columns."));
  EXPECT_EQ(refusal([&] { InverseDynamics(model, {}); }), "made");
  EXPECT_EQ(refusal([&] { ForwardDynamics(model, {}); }), "made");
}

TEST(LargeMatrices, AreNotNeededForAccelerationsWithGearsAndRotors) {
  Model model = tables(4000);
  model.add("drive", Drive{.rotor_inertia = 0.01, .gear = 10}, "joint0");
  model.add("gear", Gear{.ratio = {{2}}}, "joint1", "joint2");
  ForwardDynamics motion(model, {.passive = true});
  std::vector<double> tau(3999), rest(3999);  // joint1 follows
  tau[0] = 2.2, tau[1] = 1;
  motion.update({.q = rest, .v = rest, .tau = tau});
  const VectorView vdot = motion.compute();
  EXPECT_DOUBLE_EQ(vdot[0], 2.2 / (0.1 + 0.01 * 10 * 10));
  EXPECT_DOUBLE_EQ(vdot[1], 1 / (0.1 + 0.1 * 2 * 2));
}

}  // namespace
}  // namespace articula::test
