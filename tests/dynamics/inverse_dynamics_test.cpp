// Torques of textbook mechanisms in closed form, and what inverse dynamics must obey for every tree.

#include <articula/dynamics/inverse_dynamics.h>

#include <gtest/gtest.h>

#include "dynamics/textbook.h"

namespace articula::test {
namespace {

constexpr double rounding = 1e-13;  ///< relative
constexpr std::uint32_t samples = 200;

TEST(InverseDynamics, OfADoublePendulumIsTheTextbooks) {
  const DoublePendulum pendulum;
  const Built built = build_mechanism(pendulum.model());
  Random random(1);
  for (int k = 0; k < 20; ++k) {
    const Numbers q{3 * random.number(), 3 * random.number()}, v{random.number(), random.number()},
        vdot{random.number(), random.number()};
    EXPECT_LT(gap(torques(built, q, v, vdot), pendulum.torques(q, v, vdot)), rounding);
  }
}

TEST(InverseDynamics, OfAFlyingBodyIsNewtonsAndEulers) {
  const FlyingBody body;
  const Built built = build_mechanism(body.model());
  const Numbers q{1, 2, 3, 0, 0, 0, 1}, v{0.3, -0.2, 0.5, 1.5, -0.7, 0.9}, vdot{1, 2, -1, 0.4, 0.6, -0.8};
  EXPECT_LT(gap(torques(built, q, v, vdot), body.torques(v, vdot)), rounding);
}

TEST(InverseDynamics, NeedsNothingForFreeFall) {
  const Built built = build_mechanism(FlyingBody{}.model());
  const Numbers q{0, 0, 0, 0, 0, 0, 1}, vdot{0, 0, -9.81, 0, 0, 0};
  EXPECT_LT(gap(torques(built, q, Numbers(6), vdot), Numbers(6)), rounding);
}

/// tau(vdot) − tau(0) is linear in vdot: twice the acceleration, twice the difference.
TEST(InverseDynamics, IsAffineInAccelerations) {
  for (std::uint32_t seed = 1; seed <= samples; ++seed) {
    const Sample s(seed);
    Numbers twice = s.vdot;
    for (double& each : twice) each *= 2;
    const Numbers zero = torques(s.built, s.q, s.v, Numbers(s.v.size())), one = torques(s.built, s.q, s.v, s.vdot);
    Numbers expected = one;
    for (std::size_t k = 0; k < expected.size(); ++k) expected[k] += one[k] - zero[k];
    EXPECT_LT(gap(torques(s.built, s.q, s.v, twice), expected), rounding) << "seed " << seed;
  }
}

/// Without spin inside bodies, b(q, v) is quadratic in v. Reversed in time, spin included, a motion needs the same torques.
TEST(InverseDynamics, IsTheSameForwardsAndBackwards) {
  for (std::uint32_t seed = 1; seed <= samples; ++seed) {
    const Sample s(seed);
    Numbers reversed = s.v;
    for (double& each : reversed) each = -each;
    Built backwards = s.built;
    for (Vec3<double>& h : backwards.parameters.internal_momentum) h = -h;
    EXPECT_LT(gap(torques(backwards, s.q, reversed, s.vdot), torques(s.built, s.q, s.v, s.vdot)), rounding)
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace articula::test
