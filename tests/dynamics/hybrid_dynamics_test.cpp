/// Some degrees of freedom free, some told: whatever the mixture, the accelerations and forces are those that inverse
/// dynamics connects.

#include <gtest/gtest.h>

#include <articula/dynamics/hybrid_dynamics.h>

#include "support/random_state.h"

namespace {

using namespace articula;
using namespace articula::test;

/// Normwise, relative, times the condition of the mass matrix.
constexpr double agreement = 1e-12;

void expect_consistent(const RandomState& s, const std::vector<DofRole>& roles, std::uint32_t seed) {
  const Mechanism& mech = s.built.mechanism;
  Velocities<double> kin(mech);
  positions<double, double>(mech, s.built.parameters, s.q, kin);
  velocities<double, double>(mech, s.built.parameters, s.q, s.v, kin);
  Numbers tau = s.tau, vdot = s.vdot;
  for (std::size_t k = 0; k < roles.size(); ++k) (roles[k] == DofRole::free ? vdot : tau)[k] = NAN;
  ArticulatedBody<double> scratch(mech);
  hybrid_dynamics<double, double>(mech, s.built.parameters, kin, roles, s.F_applied_B, scratch, tau, vdot);
  EXPECT_LT(distance(tau, s.tau), agreement * s.condition) << "seed " << seed;
  EXPECT_LT(distance(vdot, s.vdot), agreement * s.condition) << "seed " << seed;
}

TEST(HybridDynamics, FindsWhatIsNotToldFromInverseDynamicsForAnyMixture) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    const RandomState s = random_regular_state(seed);
    Random random(seed);
    std::vector<DofRole> roles(s.v.size());
    for (DofRole& role : roles) role = random.chance(0.5) ? DofRole::free : DofRole::prescribed;
    expect_consistent(s, roles, seed);
    expect_consistent(s, std::vector<DofRole>(s.v.size(), DofRole::free), seed);
    expect_consistent(s, std::vector<DofRole>(s.v.size(), DofRole::prescribed), seed);
  }
}

TEST(HybridDynamics, MovesABaseThatHasNoMass) {
  // Moving reference frames carry no inertia: only their being told makes them computable.
  int told = 0;
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    RandomModelOptions options;
    options.chained = 0;
    const RandomState s = random_state(seed, random_model(seed, options));
    const std::vector<DofRole>& roles = s.built.mechanism.roles;
    told += static_cast<int>(std::count(roles.begin(), roles.end(), DofRole::prescribed));
    // The condition of the free part is not that of M, which is singular here.
    RandomState scaled = s;
    scaled.condition = 1e4;
    expect_consistent(scaled, roles, seed);
  }
  EXPECT_GT(told, 100);
}

}  // namespace
