/// The three coordinate representations give the same torques and accelerations, on random trees of all joint kinds
/// within ten metres of World's origin.

#include <gtest/gtest.h>

#include <articula/dynamics/representations.h>

#include "support/random_state.h"

namespace articula::test {
namespace {

constexpr double agreement = 1e-12;

class InRepresentation : public testing::TestWithParam<Representation> {};

TEST_P(InRepresentation, TorquesAreThoseOfTheFastBodyForm) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    const RandomState s = random_state(seed);
    const Mechanism& mech = s.built.mechanism;
    Positions<double> kin(mech);
    positions<double, double>(mech, s.built.parameters, s.q, kin);
    Represented<double> represented(mech);
    NewtonEuler<double> scratch(mech);
    Numbers tau(s.tau.size());
    inverse_dynamics_in<double, double>(GetParam(), mech, s.built.parameters, kin, s.q, s.v, s.vdot, s.F_applied_B,
                                        represented, scratch, tau);
    EXPECT_LT(distance(tau, s.tau), agreement) << "seed " << seed;
  }
}

TEST_P(InRepresentation, AccelerationsAreThoseThatTheTorquesWereFor) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    const RandomState s = random_regular_state(seed);
    const Mechanism& mech = s.built.mechanism;
    Positions<double> kin(mech);
    positions<double, double>(mech, s.built.parameters, s.q, kin);
    Represented<double> represented(mech);
    ArticulatedBody<double> scratch(mech);
    Numbers vdot(s.vdot.size());
    forward_dynamics_in<double, double>(GetParam(), mech, s.built.parameters, kin, s.q, s.v, s.tau, s.F_applied_B,
                                        represented, scratch, vdot);
    EXPECT_LT(distance(vdot, s.vdot), agreement * s.condition) << "seed " << seed;
  }
}

std::string name_of(const testing::TestParamInfo<Representation>& test) {
  switch (test.param) {
    case Representation::inertial: return "Inertial";
    case Representation::absolute: return "Absolute";
    case Representation::body: break;
  }
  return "Body";
}

INSTANTIATE_TEST_SUITE_P(All, InRepresentation,
                         testing::Values(Representation::body, Representation::inertial, Representation::absolute),
                         name_of);

}  // namespace
}  // namespace articula::test
