/// Forward after inverse dynamics, and inverse after forward, are the identity on random mechanisms of all joint kinds,
/// with gyrostats and applied forces. A thousand of them; ARTICULA_MECHANISMS asks for more (`make long`).

#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include <gtest/gtest.h>

#include <articula/dynamics/forward_dynamics.h>

#include "support/random_state.h"

namespace articula::test {
namespace {

/// Normwise, relative, times the condition of the mass matrix.
constexpr double identity = 1e-13;

std::uint32_t mechanisms() {
  std::uint32_t count = 1000;
  if (const char* text = std::getenv("ARTICULA_MECHANISMS")) {
    const std::string_view number(text);
    std::from_chars(number.data(), number.data() + number.size(), count);
  }
  return count;
}

/// Sizes from one body to thirty; fixed and floating trees, branched or in a line.
Model some_model(std::uint32_t seed) {
  if (seed % 5 == 0) return floating_model(seed);
  RandomModelOptions options;
  options.moving_frames = 0;
  options.chained = 0;
  options.bodies = 1 + static_cast<int>(seed % 30);
  return random_model(seed, options);
}

TEST(RoundTrip, OfForwardAndInverseDynamicsIsTheIdentity) {
  double worst_vdot = 0, worst_tau = 0, worst_condition = 0;
  long dofs = 0;
  const std::uint32_t count = mechanisms();
  for (std::uint32_t seed = 1; seed <= count; ++seed) {
    const RandomState s = random_state(seed, some_model(seed));
    const Mechanism& mech = s.built.mechanism;
    if (mech.nv == 0) continue;
    Velocities<double> kin(mech);
    positions<double, double>(mech, s.built.parameters, s.q, kin);
    velocities<double, double>(mech, s.built.parameters, s.q, s.v, kin);
    ArticulatedBody<double> articulated(mech);
    NewtonEuler<double> newton_euler(mech);
    Numbers vdot(s.vdot.size()), tau(s.tau.size());
    forward_dynamics<double, double>(mech, s.built.parameters, kin, s.tau, s.F_applied_B, articulated, vdot);
    inverse_dynamics<double, double>(mech, s.built.parameters, kin, s.q, s.v, vdot, s.F_applied_B, newton_euler, tau);
    const double there = distance(vdot, s.vdot) / s.condition, back = distance(tau, s.tau) / s.condition;
    ASSERT_LT(there, identity) << "seed " << seed << ", condition " << s.condition;
    ASSERT_LT(back, identity) << "seed " << seed << ", condition " << s.condition;
    worst_vdot = std::max(worst_vdot, there), worst_tau = std::max(worst_tau, back);
    worst_condition = std::max(worst_condition, s.condition);
    dofs += mech.nv;
  }
  std::cout << count << " mechanisms, " << dofs << " degrees of freedom, conditions up to " << worst_condition
            << "; worst over condition: accelerations " << worst_vdot << ", torques " << worst_tau << "\n";
}

}  // namespace
}  // namespace articula::test
