#include <articula/dynamics/axes_rate.h>

#include <gtest/gtest.h>

#include <articula/mechanism/joint_motion.h>

#include "support/sample.h"
#include "support/seeded.h"

namespace articula::test {
namespace {

using test::gap, test::Numbers, test::Sample;

/// Products of poses along ten bodies.
constexpr double rounding = 1e-12;

void append(Numbers& list, const Motion<double>& V) {
  list.insert(list.end(), {V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z});
}

/// Of a motion that moves: its value or its rate.
Motion<double> rate(const Motion<Dual>& V) { return {{V.w.x.dx, V.w.y.dx, V.w.z.dx}, {V.v.x.dx, V.v.y.dx, V.v.z.dx}}; }
Pose<double> value(const Pose<Dual>& X) {
  Pose<double> Y{{}, {X.p.x.x, X.p.y.x, X.p.z.x}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) Y.R.m(i, j) = X.R.m(i, j).x;
  }
  return Y;
}

Parameters<Dual> constant(const Parameters<double>& par) {
  Parameters<Dual> constants;
  for (std::size_t k = 0; k < par.X_PF.size(); ++k) {
    constants.X_PF.push_back({{over<Dual>(par.X_PF[k].R.m)}, over<Dual>(par.X_PF[k].p)});
    constants.axis_sign.push_back(par.axis_sign[k]);
    convert_numbers(par.joint[k], constants.joint.emplace_back());
  }
  return constants;
}

class AxesRate : public testing::TestWithParam<std::uint32_t> {};

/// The axes seen from World, X_WB·H, move with rates that are known exactly: by dual numbers, from the dense form.
TEST_P(AxesRate, IsThatOfTheAxesInWorldWhileTheMechanismMoves) {
  const Sample s(GetParam());
  const Mechanism& mech = s.built.mechanism;
  Velocities<double> kin(mech);
  std::vector<Motion<double>> Hdot_B(s.v.size());
  positions<double, double>(mech, s.built.parameters, s.q, kin);
  velocities<double, double>(mech, s.built.parameters, s.q, s.v, kin);
  axes_rate<double, double>(mech, s.built.parameters, kin, s.q, s.v, Hdot_B);

  const std::vector<Dual> q = test::seeded_q(mech, s.q, s.v);
  const Parameters<Dual> par = constant(s.built.parameters);
  std::vector<Pose<Dual>> X_WB(mech.bodies.size());
  Numbers rates, expected;
  for (int i = 1; i < mech.size(); ++i) {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    const JointMotion<Dual> joint = joint_motion(mech, par, i, q.data());
    const Pose<Dual>& X = X_WB[static_cast<std::size_t>(i)] = X_WB[static_cast<std::size_t>(body.parent)] * joint.X_PB;
    for (int k : body.v) {
      append(expected, rate(X * joint.H_B[static_cast<std::size_t>(k - body.v.first)]));
      append(rates, value(X) * Hdot_B[static_cast<std::size_t>(k)]);
    }
  }
  EXPECT_LT(gap(rates, expected), rounding);
}

/// Ḣ·v, summed over the axes of a joint, is what the kinds themselves say.
TEST_P(AxesRate, AddsUpToTheBiasOfTheKinematics) {
  const Sample s(GetParam());
  const Mechanism& mech = s.built.mechanism;
  Velocities<double> kin(mech);
  std::vector<Motion<double>> Hdot_B(s.v.size());
  positions<double, double>(mech, s.built.parameters, s.q, kin);
  velocities<double, double>(mech, s.built.parameters, s.q, s.v, kin);
  axes_rate<double, double>(mech, s.built.parameters, kin, s.q, s.v, Hdot_B);
  Numbers sums, biases;
  for (std::size_t i = 1; i < mech.bodies.size(); ++i) {
    Motion<double> sum;
    for (int k : mech.bodies[i].v) sum += Hdot_B[static_cast<std::size_t>(k)] * s.v[static_cast<std::size_t>(k)];
    append(sums, sum);
    append(biases, kin.A_bias_B[i]);
  }
  EXPECT_LT(gap(sums, biases), rounding);
}

INSTANTIATE_TEST_SUITE_P(Seed, AxesRate, testing::Range(1u, 31u), testing::PrintToStringParamName());

}  // namespace
}  // namespace articula::test
