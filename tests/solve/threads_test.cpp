/// A mechanism is constant and may be shared: sixteen threads compute with one, each in scratch of its own, and get the
/// same bits as one alone.

#include <thread>

#include <gtest/gtest.h>

#include <articula/dynamics/forward_dynamics.h>

#include "support/random_state.h"

namespace articula::test {
namespace {

Numbers torques_and_back(const Built& built, const RandomState& s) {
  const Mechanism& mech = built.mechanism;
  Velocities<double> kin(mech);
  NewtonEuler<double> newton_euler(mech);
  ArticulatedBody<double> articulated(mech);
  Numbers tau(s.tau.size()), vdot(s.vdot.size());
  for (int repeat = 0; repeat < 50; ++repeat) {
    positions<double, double>(mech, built.parameters, s.q, kin);
    velocities<double, double>(mech, built.parameters, s.q, s.v, kin);
    inverse_dynamics<double, double>(mech, built.parameters, kin, s.q, s.v, s.vdot, {}, newton_euler, tau);
    forward_dynamics<double, double>(mech, built.parameters, kin, tau, {}, articulated, vdot);
  }
  tau.insert(tau.end(), vdot.begin(), vdot.end());
  return tau;
}

TEST(Threads, ShareOneMechanism) {
  const RandomState s = random_regular_state(3);
  const Numbers alone = torques_and_back(s.built, s);
  std::vector<Numbers> results(16);
  std::vector<std::thread> threads;
  for (Numbers& result : results) threads.emplace_back([&] { result = torques_and_back(s.built, s); });
  for (std::thread& each : threads) each.join();
  for (const Numbers& result : results) EXPECT_EQ(result, alone);
}

}  // namespace
}  // namespace articula::test
