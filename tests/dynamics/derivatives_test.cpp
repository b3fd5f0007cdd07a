/// Analytic derivatives against dual numbers run through the plain algorithms, and the inverse mass matrix against the
/// mass matrix: on random trees of all joint kinds, with gyrostats and applied forces.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <articula/build/build.h>
#include <articula/dynamics/forward_dynamics.h>
#include <articula/dynamics/forward_dynamics_derivatives.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/inverse_mass_matrix.h>

#include "support/random_state.h"
#include "support/seeded.h"

namespace articula::test {
namespace {

/// Normwise, relative: the figure for derivatives against dual numbers.
constexpr double dual_agreement = 1e-11;
constexpr int mechanisms = 150;

struct Derivatives {
  Numbers dq, dv;
};

/// Column by column, each by one run of inverse dynamics with dual numbers.
Derivatives by_duals(const RandomState& s, bool forward) {
  const Mechanism& mech = s.built.mechanism;
  const auto nv = static_cast<std::size_t>(mech.nv);
  Derivatives result{Numbers(nv * nv), Numbers(nv * nv)};
  std::vector<Force<Dual>> F(s.F_applied_B.size());
  for (std::size_t i = 0; i < F.size(); ++i) F[i] = {over<Dual>(s.F_applied_B[i].n), over<Dual>(s.F_applied_B[i].f)};
  for (std::size_t k = 0; k < 2 * nv; ++k) {
    const bool along_q = k < nv;
    const std::size_t column = along_q ? k : k - nv;
    Numbers direction(nv);
    direction[column] = 1;
    const std::vector<Dual> q = along_q ? seeded_q(mech, s.q, direction) : constant(s.q);
    std::vector<Dual> v(s.v.begin(), s.v.end()), in(nv), out(nv);
    if (!along_q) v[column].dx = 1;
    const Numbers& given = forward ? s.tau : s.vdot;
    std::copy(given.begin(), given.end(), in.begin());
    Velocities<Dual> kin(mech);
    positions<Dual, double>(mech, s.built.parameters, q, kin);
    if (forward) {
      velocities<Dual, double>(mech, s.built.parameters, q, v, kin);
      ArticulatedBody<Dual> scratch(mech);
      forward_dynamics<Dual, double>(mech, s.built.parameters, kin, in, F, scratch, out);
    } else {
      NewtonEuler<Dual> scratch(mech);
      inverse_dynamics<Dual, double>(mech, s.built.parameters, kin, q, v, in, F, scratch, out);
    }
    Numbers& target = along_q ? result.dq : result.dv;
    for (std::size_t i = 0; i < nv; ++i) target[i * nv + column] = out[i].dx;
  }
  return result;
}

TEST(InverseDynamicsDerivatives, EqualThoseOfDualNumbers) {
  for (std::uint32_t seed = 1; seed <= mechanisms; ++seed) {
    const RandomState s = random_state(seed);
    const Mechanism& mech = s.built.mechanism;
    const auto nv = static_cast<std::size_t>(mech.nv);
    Positions<double> kin(mech);
    positions<double, double>(mech, s.built.parameters, s.q, kin);
    InverseDynamicsDerivatives<double> scratch(mech);
    Numbers tau(nv), dq(nv * nv), dv(nv * nv);
    inverse_dynamics_derivatives<double, double>(mech, s.built.parameters, kin, s.q, s.v, s.vdot, s.F_applied_B,
                                                 scratch, tau, dq, dv);
    const Derivatives expected = by_duals(s, false);
    EXPECT_LT(distance(tau, s.tau), 1e-12) << "seed " << seed;
    EXPECT_LT(distance(dq, expected.dq), dual_agreement) << "seed " << seed;
    EXPECT_LT(distance(dv, expected.dv), dual_agreement) << "seed " << seed;
  }
}

TEST(ForwardDynamicsDerivatives, EqualThoseOfDualNumbers) {
  for (std::uint32_t seed = 1; seed <= mechanisms; ++seed) {
    const RandomState s = random_regular_state(seed);
    const Mechanism& mech = s.built.mechanism;
    const auto nv = static_cast<std::size_t>(mech.nv);
    Positions<double> kin(mech);
    positions<double, double>(mech, s.built.parameters, s.q, kin);
    ForwardDynamicsDerivatives scratch(mech);
    Numbers dq(nv * nv), dv(nv * nv), M_inverse(nv * nv);
    forward_dynamics_derivatives(mech, s.built.parameters, kin, s.q, s.v, s.vdot, s.F_applied_B, scratch, dq, dv,
                                 M_inverse);
    const Derivatives expected = by_duals(s, true);
    const double condition = s.condition;
    EXPECT_LT(distance(dq, expected.dq), dual_agreement * condition) << "seed " << seed;
    EXPECT_LT(distance(dv, expected.dv), dual_agreement * condition) << "seed " << seed;
  }
}

TEST(InverseMassMatrix, TimesTheMassMatrixIsOne) {
  for (std::uint32_t seed = 1; seed <= mechanisms; ++seed) {
    const RandomState s = random_regular_state(seed);
    const Mechanism& mech = s.built.mechanism;
    const auto nv = static_cast<std::size_t>(mech.nv);
    Positions<double> kin(mech);
    positions<double, double>(mech, s.built.parameters, s.q, kin);
    InverseMassMatrix<double> scratch(mech);
    Numbers inverse(nv * nv), product(nv * nv), one(nv * nv);
    inverse_mass_matrix<double, double>(mech, s.built.parameters, kin, scratch, inverse);
    for (std::size_t i = 0; i < nv; ++i) {
      one[i * nv + i] = 1;
      for (std::size_t j = 0; j < nv; ++j) {
        for (std::size_t k = 0; k < nv; ++k) product[i * nv + j] += inverse[i * nv + k] * s.M[k * nv + j];
      }
    }
    EXPECT_LT(distance(product, one), 1e-13 * s.condition) << "seed " << seed;
  }
}

/// The factors of the mass matrix know the tree; the articulated bodies of unit forces do not share a step with them.
TEST(ForwardDynamicsDerivatives, AlongForcesAreTheInverseMassMatrixWhicheverDofsArePrescribed) {
  for (std::uint32_t seed = 1; seed <= mechanisms; ++seed) {
    const RandomState s = random_regular_state(seed);
    const Mechanism& mech = s.built.mechanism;
    const auto nv = static_cast<std::size_t>(mech.nv);
    std::vector<DofRole> roles(nv, DofRole::free);
    for (std::size_t k = 0; k < nv; ++k) {
      if ((seed + k * k) % 3 == 0) roles[k] = DofRole::prescribed;
    }
    for (const std::span<const DofRole> told : {std::span<const DofRole>{}, std::span<const DofRole>(roles)}) {
      Positions<double> kin(mech);
      positions<double, double>(mech, s.built.parameters, s.q, kin);
      UnitForces<double> articulated(mech);
      InverseMassMatrix<double> factored(mech);
      ForwardDynamicsDerivatives scratch(mech);
      Numbers dq(nv * nv), dv(nv * nv), dtau(nv * nv), inverse(nv * nv), by_factors(nv * nv);
      inverse_mass_matrix_by_unit_forces<double, double>(mech, s.built.parameters, kin, articulated, inverse, told);
      inverse_mass_matrix<double, double>(mech, s.built.parameters, kin, factored, by_factors, told);
      EXPECT_LT(distance(by_factors, inverse), 1e-13 * s.condition) << "seed " << seed;
      forward_dynamics_derivatives(mech, s.built.parameters, kin, s.q, s.v, s.vdot, s.F_applied_B, scratch, dq, dv,
                                   dtau, told);
      EXPECT_LT(distance(dtau, inverse), 1e-13 * s.condition) << "seed " << seed;
      for (std::size_t k = 0; k < nv; ++k) {
        for (std::size_t j = 0; !told.empty() && roles[k] == DofRole::prescribed && j < nv; ++j) {
          EXPECT_EQ(std::abs(dq[k * nv + j]) + std::abs(dv[k * nv + j]) + std::abs(dtau[k * nv + j]), 0.0);
          EXPECT_EQ(dtau[j * nv + k], 0.0);
        }
      }
    }
  }
}

TEST(InverseMassMatrix, OfDeepMechanismsComesFromUnitForces) {
  for (const int bodies : {64, 65, 80}) {
    Model model("chain");
    std::string holder = "world";
    for (int k = 0; k < bodies; ++k) {
      const std::string body = "b" + std::to_string(k);
      model.add(body, RigidBody{.mass = 1, .com = {0.02, 0, 0.05}, .inertia = {0.01, 0, 0, 0.02, 0, 0.015}});
      model.add("j" + std::to_string(k),
                Joint{.axis = k % 3 == 0   ? x_axis
                              : k % 3 == 1 ? y_axis
                                           : z_axis},
                at(holder, Place{.xyz = {0, 0, 0.1}}), body);
      holder = body;
    }
    const RandomState s = random_state(7, model);
    const Mechanism& mech = s.built.mechanism;
    const auto nv = static_cast<std::size_t>(mech.nv);
    InverseMassMatrix<double> scratch(mech);
    UnitForces<double> articulated(mech);
    EXPECT_EQ(scratch.unit_forces.has_value(), bodies > 64);
    Positions<double> kin(mech);
    positions<double, double>(mech, s.built.parameters, s.q, kin);
    Numbers inverse(nv * nv), expected(nv * nv);
    inverse_mass_matrix<double, double>(mech, s.built.parameters, kin, scratch, inverse);
    inverse_mass_matrix_by_unit_forces<double, double>(mech, s.built.parameters, kin, articulated, expected);
    EXPECT_LT(distance(inverse, expected), 1e-13 * s.condition);
    EXPECT_EQ(scratch.d().size(), nv);
  }
}

/// Far from World's origin nothing is lost: the tree's own point serves as origin.
TEST(InverseDynamicsDerivatives, DoNotDependOnWhereAFloatingTreeIs) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const RandomState near = random_state(seed, floating_model(seed));
    RandomState far = near;
    for (std::size_t k = 0; k < 3; ++k) far.q[k] += 1e6;
    Numbers results[2][3];
    int which = 0;
    for (const RandomState* s : {&near, &std::as_const(far)}) {
      const Mechanism& mech = s->built.mechanism;
      const auto nv = static_cast<std::size_t>(mech.nv);
      Positions<double> kin(mech);
      positions<double, double>(mech, s->built.parameters, s->q, kin);
      InverseDynamicsDerivatives<double> scratch(mech);
      auto& [tau, dq, dv] = results[which++];
      tau.resize(nv), dq.resize(nv * nv), dv.resize(nv * nv);
      inverse_dynamics_derivatives<double, double>(mech, s->built.parameters, kin, s->q, s->v, s->vdot, {}, scratch,
                                                   tau, dq, dv);
    }
    for (int k = 0; k < 3; ++k) EXPECT_EQ(results[0][k], results[1][k]) << "seed " << seed;
  }
}

/// Wider instructions take more columns at once and do the same to each.
TEST(ForwardDynamicsDerivatives, AreTheSameBitsWithEveryInstructionSet) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    const RandomState s = random_regular_state(seed);
    const Mechanism& mech = s.built.mechanism;
    const auto nv = static_cast<std::size_t>(mech.nv);
    Positions<double> kin(mech);
    positions<double, double>(mech, s.built.parameters, s.q, kin);
    std::vector<Numbers> first;
    for (const InstructionSet set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
      if (!is_available(set)) continue;
      ForwardDynamicsDerivatives scratch(mech);
      scratch.inverse_dynamics.kernels = &lanes::column_kernels(set);
      std::vector<Numbers> results(7, Numbers(nv * nv));
      results[5].resize(nv);
      forward_dynamics_derivatives(mech, s.built.parameters, kin, s.q, s.v, s.vdot, s.F_applied_B, scratch, results[0],
                                   results[1], results[2]);
      inverse_dynamics_derivatives<double, double>(mech, s.built.parameters, kin, s.q, s.v, s.vdot, s.F_applied_B,
                                                   scratch.inverse_dynamics, results[5], results[3], results[4]);
      mass_matrix_of_derivatives(mech, s.built.parameters, scratch.inverse_dynamics, results[6]);
      if (first.empty()) first = results;
      EXPECT_EQ(results, first) << to_text(set) << ", seed " << seed;
    }
  }
}

/// Blocks of columns may be longer than the rows of a short chain: what stands behind its matrices stays as it is.
TEST(ForwardDynamicsDerivatives, TouchNothingBehindTheirMatrices) {
  constexpr double untouched = 12345;
  for (std::uint32_t joints = 1; joints <= 17; ++joints) {
    Model model("chain");
    std::string parent = "world";
    for (std::uint32_t k = 0; k < joints; ++k) {
      const std::string name = "link" + std::to_string(k);
      RigidBody body;
      body.mass = 1;
      body.com = {0, 0.01, 0.05};
      body.inertia = {0.01, 0, 0, 0.01, 0, 0.01};
      model.add(name, body);
      model.add(name, Joint{.axis = k % 2 == 0 ? z_axis : y_axis}, at(parent, Place{.xyz = {0, 0, 0.1}}), name);
      parent = name;
    }
    const RandomState s = random_state(joints, model);
    const Mechanism& mech = s.built.mechanism;
    const std::size_t size = joints * joints;
    Positions<double> kin(mech);
    positions<double, double>(mech, s.built.parameters, s.q, kin);
    for (const InstructionSet set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
      if (!is_available(set)) continue;
      ForwardDynamicsDerivatives scratch(mech);
      scratch.inverse_dynamics.kernels = &lanes::column_kernels(set);
      std::vector<Numbers> results(6, Numbers(size + 64, untouched));
      Numbers tau(joints);
      const auto matrix = [&](std::size_t k) { return std::span(results[k]).first(size); };
      forward_dynamics_derivatives(mech, s.built.parameters, kin, s.q, s.v, s.vdot, {}, scratch, matrix(0), matrix(1),
                                   matrix(2));
      inverse_dynamics_derivatives<double, double>(mech, s.built.parameters, kin, s.q, s.v, s.vdot, {},
                                                   scratch.inverse_dynamics, tau, matrix(3), matrix(4));
      mass_matrix_of_derivatives(mech, s.built.parameters, scratch.inverse_dynamics, matrix(5));
      for (const Numbers& result : results) {
        EXPECT_EQ(std::count(result.begin() + static_cast<std::ptrdiff_t>(size), result.end(), untouched), 64)
            << joints << " joints, " << to_text(set);
      }
    }
  }
}

}  // namespace
}  // namespace articula::test
