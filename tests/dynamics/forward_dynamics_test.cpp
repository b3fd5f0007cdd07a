// Accelerations of textbook mechanisms in closed form, and those of random trees against the mass matrix.

#include <articula/dynamics/forward_dynamics.h>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "dynamics/textbook.h"
#include "support/random_state.h"

namespace articula::test {
namespace {

constexpr double rounding = 1e-13;  ///< relative, times the condition of the mass matrix
constexpr std::uint32_t samples = 200;

TEST(ForwardDynamics, OfADoublePendulumIsTheTextbooks) {
  const DoublePendulum pendulum;
  const Built built = build_mechanism(pendulum.model());
  Random random(1);
  for (int k = 0; k < 20; ++k) {
    const Numbers q{3 * random.number(), 3 * random.number()}, v{random.number(), random.number()},
        tau{random.number(), random.number()};
    const Numbers M = pendulum.masses(q), b = pendulum.torques(q, v, {0, 0});
    const double determinant = M[0] * M[3] - M[1] * M[2], r0 = tau[0] - b[0], r1 = tau[1] - b[1];
    const Numbers expected{(M[3] * r0 - M[1] * r1) / determinant, (M[0] * r1 - M[2] * r0) / determinant};
    EXPECT_LT(gap(accelerations(built, q, v, tau), expected), 100 * rounding);
  }
}

/// Euler's top: no couple acts, and yet the angular velocity turns.
TEST(ForwardDynamics, OfAFlyingBodyIsNewtonsAndEulers) {
  const FlyingBody body;
  const Built built = build_mechanism(body.model());
  const Numbers q{1, 2, 3, 0, 0, 0, 1}, v{0, 0, 0, 1.5, -0.7, 0.9};
  const Numbers expected{0,
                         0,
                         -9.81,
                         (body.B - body.C) * v[4] * v[5] / body.A,
                         (body.C - body.A) * v[5] * v[3] / body.B,
                         (body.A - body.B) * v[3] * v[4] / body.C};
  EXPECT_LT(gap(accelerations(built, q, v, Numbers(6)), expected), rounding);
}

TEST(ForwardDynamics, SolvesTheEquationsOfMotion) {
  for (std::uint32_t seed = 1; seed <= samples; ++seed) {
    const RandomState s = random_regular_state(seed);
    if (s.v.empty()) continue;
    Numbers tau(s.v.size());
    Random random(seed);
    for (double& each : tau) each = random.number();
    const Numbers b = torques(s.built, s.q, s.v, Numbers(s.v.size()));
    const auto n = static_cast<Eigen::Index>(tau.size());
    const Eigen::Map<const Eigen::VectorXd> given(tau.data(), n), bias(b.data(), n);
    const Eigen::VectorXd vdot = Eigen::Map<const Eigen::MatrixXd>(s.M.data(), n, n).llt().solve(given - bias);
    const Numbers found = accelerations(s.built, s.q, s.v, tau);
    EXPECT_LT(distance(found, {vdot.begin(), vdot.end()}), rounding * s.condition) << "seed " << seed;
  }
}

}  // namespace
}  // namespace articula::test
