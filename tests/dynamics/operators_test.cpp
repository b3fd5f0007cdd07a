#include <articula/dynamics/operators.h>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <articula/dynamics/joint_space_matrices.h>
#include <articula/formats/load.h>

#include "support/sample.h"
#include "support/seeded.h"

namespace articula::test {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using test::gap, test::Numbers, test::Sample;

/// Dense products over ten bodies against recursions, relative to the largest entry. In absolute representation the
/// entries of the factors are larger than those of the result by the squared size of the mechanism, some 10 m.
constexpr double rounding = 1e-12;
/// Where the mass matrix is inverted: the same, times its condition.
constexpr double inverted = 1e-13;

constexpr Representation all_representations[] = {Representation::body, Representation::inertial,
                                                  Representation::absolute};

double gap(const MatrixXd& A, const MatrixXd& B) {
  EXPECT_EQ(A.rows(), B.rows());
  EXPECT_EQ(A.cols(), B.cols());
  return (A - B).cwiseAbs().maxCoeff() / std::max(1.0, B.cwiseAbs().maxCoeff());
}
MatrixXd square(const Numbers& entries) {
  const auto n = static_cast<Eigen::Index>(std::lround(std::sqrt(entries.size())));
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(entries.data(), n, n);
}
VectorXd vector(const Numbers& x) { return Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())); }
Numbers numbers(const StackedMatrix& x) { return x.entries; }
MatrixXd one(Eigen::Index n) { return MatrixXd::Identity(n, n); }
double condition(const MatrixXd& M) {
  const VectorXd s = M.jacobiSvd().singularValues();
  return s(0) / s(s.size() - 1);
}

/// Every joint carries a body of its own, else the mass matrix may be singular.
class Operators : public testing::TestWithParam<std::uint32_t> {
 protected:
  Sample s{GetParam(), {.kinds = {}, .moving_frames = 0, .chained = 0}};
  const Mechanism& mech = s.built.mechanism;
  const Parameters<double>& par = s.built.parameters;
  MatrixXd mass = square(test::masses(s.built, s.q));
};

TEST_P(Operators, ShiftIsNilpotentAndItsPowersAddUpToPhi) {
  for (const Representation in : all_representations) {
    const SpatialOperators op = spatial_operators(mech, par, s.q, in);
    const MatrixXd E = op.E_phi.matrix();
    MatrixXd power = one(E.rows()), sum = power;  // (2.35)
    for (int k = 1; k < mech.size(); ++k) sum += power = power * E;
    EXPECT_EQ((power * E).cwiseAbs().maxCoeff(), 0);
    EXPECT_LT(gap(sum, op.Phi.matrix()), rounding);
  }
}

TEST_P(Operators, OfPortsShiftTwiceFromOutportToOutport) {
  for (const Representation in : all_representations) {
    const PortOperators ports = port_operators(mech, par, s.q, in);
    const SpatialOperators op = spatial_operators(mech, par, s.q, in);
    const MatrixXd C = ports.C.matrix(), O = ports.O.matrix(), I = ports.I.matrix(), E = ports.E_phi.matrix();
    EXPECT_EQ(C, MatrixXd(C.transpose()));
    EXPECT_EQ(O * O.transpose() + I * I.transpose(), one(C.rows()));
    // (2.41): World's outport, then those of the bodies.
    const Eigen::Index bodies = op.E_phi.rows;
    MatrixXd E_O(bodies, bodies), Phi_O(bodies, bodies);
    const MatrixXd E2 = E * E, Phi = ports.Phi.matrix();
    for (Eigen::Index i = 0; i < bodies / 6; ++i) {
      for (Eigen::Index j = 0; j < bodies / 6; ++j) {
        E_O.block<6, 6>(6 * i, 6 * j) = E2.block<6, 6>(12 * i + 12, 12 * j + 12);
        Phi_O.block<6, 6>(6 * i, 6 * j) = Phi.block<6, 6>(12 * i + 12, 12 * j + 12);
      }
    }
    EXPECT_LT(gap(E_O, op.E_phi.matrix()), rounding);
    EXPECT_LT(gap(Phi_O, op.Phi.matrix()), rounding);  // (2.39)
  }
}

TEST_P(Operators, ConnectEachPairWithItsParent) {
  const PortOperators ports = port_operators(mech, par, s.q, Representation::body);
  const MatrixXd C = ports.C.matrix();
  EXPECT_EQ(C.sum(), 2 * (mech.size() - 1));
  for (int i = 1; i < mech.size(); ++i) {
    EXPECT_EQ(C(2 * i - 1, 2 * mech.bodies[static_cast<std::size_t>(i)].parent), 1);
  }
}

TEST_P(Operators, FactorTheMassMatrix) {
  for (const Representation in : all_representations) {
    const SpatialOperators op = spatial_operators(mech, par, s.q, in);
    const auto H = op.H.matrix(), M = op.M.matrix(), Phi = op.Phi.matrix(), K = op.K.matrix(), D = op.D.matrix();
    EXPECT_LT(gap(H.transpose() * Phi.transpose() * M * Phi * H, mass), rounding);  // (3.3)
    const MatrixXd L = one(mech.nv) + K * Phi * H;
    EXPECT_LT(gap(L.transpose() * D * L, mass), rounding);  // (3.5)
  }
}

TEST_P(Operators, FactorTheInverseOfTheMassMatrix) {
  for (const Representation in : all_representations) {
    const SpatialOperators op = spatial_operators(mech, par, s.q, in);
    const MatrixXd L = one(mech.nv) - op.K.matrix() * op.Psi.matrix() * op.H.matrix();
    const MatrixXd inverse = L * op.D.matrix().inverse() * L.transpose();  // (3.6)
    EXPECT_LT(gap(inverse * mass, one(mech.nv)), inverted * condition(mass));
    EXPECT_LT(gap(L * (one(mech.nv) + op.K.matrix() * op.Phi.matrix() * op.H.matrix()), one(mech.nv)),
              inverted * condition(mass));
  }
}

TEST_P(Operators, ObeyTheirDefinitions) {
  for (const Representation in : all_representations) {
    const SpatialOperators op = spatial_operators(mech, par, s.q, in);
    const auto H = op.H.matrix(), P = op.P.matrix(), D = op.D.matrix(), G = op.G.matrix(), E_phi = op.E_phi.matrix();
    const auto E_psi = op.E_psi.matrix(), tau_bar = op.tau_bar.matrix();
    EXPECT_LT(gap(E_psi.transpose() * P * E_psi + op.M.matrix(), P), rounding);          // (3.7)
    EXPECT_LT(gap(H.transpose() * P * H, D), rounding);                                  // (3.8)
    EXPECT_LT(gap(D * G, H.transpose() * P), rounding);                                  // (3.9)
    EXPECT_LT(gap(one(P.rows()) - H * G, tau_bar), rounding);                            // (3.10)
    EXPECT_LT(gap(tau_bar * E_phi, E_psi), rounding);                                    // (3.11)
    EXPECT_LT(gap(G * E_phi, op.K.matrix()), rounding);                                  // (3.12)
    EXPECT_LT(gap(op.Psi.matrix() * (one(P.rows()) - E_psi), one(P.rows())), rounding);  // (3.13)
  }
}

TEST_P(Operators, GiveTheForcesOfInverseDynamics) {
  for (const Representation in : all_representations) {
    const SpatialOperators at_q = spatial_operators(mech, par, s.q, in);
    const MotionOperators at_v = motion_operators(mech, par, at_q, s.q, s.v);
    EXPECT_LT(gap(inverse_dynamics_of(at_q, at_v, s.v, s.vdot), test::torques(s.built, s.q, s.v, s.vdot)), rounding);
  }
}

TEST_P(Operators, GiveTheAccelerationsOfForwardDynamics) {
  const Numbers tau = s.dv;
  for (const Representation in : all_representations) {
    const SpatialOperators at_q = spatial_operators(mech, par, s.q, in);
    const MotionOperators at_v = motion_operators(mech, par, at_q, s.q, s.v);
    EXPECT_LT(gap(forward_dynamics_of(at_q, at_v, s.v, tau), test::accelerations(s.built, s.q, s.v, tau)),
              inverted * condition(mass));
  }
}

TEST_P(Operators, GiveTheJointSpaceMatrices) {
  const StackedJointSpace stacked = stacked_joint_space(mech, par, s.q, s.v, s.F_applied_B);
  Velocities<double> kin(mech);
  CompositeMotion<double> scratch(mech);
  JointSpaceMatrices<double> recursive(mech);
  positions<double, double>(mech, par, s.q, kin);
  velocities<double, double>(mech, par, s.q, s.v, kin);
  joint_space_matrices<double, double>(mech, par, kin, s.q, s.v, s.F_applied_B, scratch, recursive);
  EXPECT_LT(gap(stacked.D.matrix(), square(recursive.D)), rounding);
  EXPECT_LT(gap(numbers(stacked.G), recursive.G), rounding);
  EXPECT_LT(gap(numbers(stacked.Q), recursive.Q), rounding);

  // C of the paper and C of Christoffel: apart by Σ J_ωᵀ·½·tr(I_c)·ω̃·J_ω, all else equal.
  const SpatialOperators op = spatial_operators(mech, par, s.q, Representation::inertial);
  const MatrixXd J = op.Phi.matrix() * op.H.matrix();
  const VectorXd V = J * vector(s.v);
  MatrixXd apart = MatrixXd::Zero(mech.nv, mech.nv);
  for (int i = 1; i < mech.size(); ++i) {
    const Inertia<double>& M_B = par.M_B[static_cast<std::size_t>(i)];
    const SymMat3<double> I_c = M_B.m > 0 ? inertia_about_center(M_B) : M_B.I;
    const MatrixXd J_w = J.middleRows(6 * (i - 1), 3);
    Eigen::Matrix3d w_tilde;
    const Eigen::Vector3d w = V.segment<3>(6 * (i - 1));
    w_tilde << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
    apart += 0.5 * (I_c.xx + I_c.yy + I_c.zz) * J_w.transpose() * w_tilde * J_w;
  }
  EXPECT_LT(gap(stacked.C.matrix() - apart, square(recursive.C)), rounding);
}

TEST_P(Operators, HaveACoriolisMatrixThatDoesNoWorkBesideTheRateOfTheMassMatrix) {
  const MatrixXd C = stacked_joint_space(mech, par, s.q, s.v, {}).C.matrix();
  const MatrixXd D_dot = square(test::derivatives(test::masses(s.built, test::seeded_q(mech, s.q, s.v))));
  const MatrixXd S = D_dot - 2 * C;
  EXPECT_LT((S + S.transpose()).cwiseAbs().maxCoeff(), rounding * std::max(1.0, D_dot.cwiseAbs().maxCoeff()));
}

INSTANTIATE_TEST_SUITE_P(Seed, Operators, testing::Range(1u, 16u), testing::PrintToStringParamName());

/// The derivatives of forces and accelerations, column by column with dual numbers.
class OperatorDerivativesOf : public testing::TestWithParam<std::uint32_t> {
 protected:
  Sample s{
      GetParam(),
      {.kinds = {JointKind::revolute, JointKind::prismatic, JointKind::helical}, .moving_frames = 0, .chained = 0}};
  const Mechanism& mech = s.built.mechanism;
  OperatorDerivatives by_operators = operator_derivatives(mech, s.built.parameters, s.q, s.v, s.vdot);

  /// The columns of a derivative: f of each unit tangent vector.
  template <class F>
  MatrixXd columns(F&& f) {
    MatrixXd A(mech.nv, mech.nv);
    for (int k = 0; k < mech.nv; ++k) {
      Numbers unit(s.v.size());
      unit[static_cast<std::size_t>(k)] = 1;
      A.col(k) = vector(test::derivatives(f(unit)));
    }
    return A;
  }
};

TEST_P(OperatorDerivativesOf, InverseDynamicsAreThoseOfDuals) {
  const auto q = test::constant(s.q), v = test::constant(s.v), vdot = test::constant(s.vdot);
  const MatrixXd u_q =
      columns([&](const Numbers& unit) { return test::torques(s.built, test::seeded_q(mech, s.q, unit), v, vdot); });
  const MatrixXd u_v =
      columns([&](const Numbers& unit) { return test::torques(s.built, q, test::seeded(s.v, unit), vdot); });
  EXPECT_LT(gap(by_operators.u_q.matrix(), u_q), rounding);
  EXPECT_LT(gap(by_operators.u_v.matrix(), u_v), rounding);
  EXPECT_LT(gap(by_operators.u_vdot.matrix(), square(test::masses(s.built, s.q))), rounding);
}

TEST_P(OperatorDerivativesOf, ForwardDynamicsAreThoseOfDuals) {
  const auto q = test::constant(s.q), v = test::constant(s.v);
  const Numbers tau = test::torques(s.built, s.q, s.v, s.vdot);
  const auto u = test::constant(tau);
  const MatrixXd vdot_q =
      columns([&](const Numbers& unit) { return test::accelerations(s.built, test::seeded_q(mech, s.q, unit), v, u); });
  const MatrixXd vdot_v =
      columns([&](const Numbers& unit) { return test::accelerations(s.built, q, test::seeded(s.v, unit), u); });
  const MatrixXd vdot_u =
      columns([&](const Numbers& unit) { return test::accelerations(s.built, q, v, test::seeded(tau, unit)); });
  const double tolerance = inverted * condition(square(test::masses(s.built, s.q)));
  EXPECT_LT(gap(by_operators.vdot_q.matrix(), vdot_q), tolerance);
  EXPECT_LT(gap(by_operators.vdot_v.matrix(), vdot_v), tolerance);
  EXPECT_LT(gap(by_operators.vdot_u.matrix(), vdot_u), tolerance);
}

INSTANTIATE_TEST_SUITE_P(Seed, OperatorDerivativesOf, testing::Range(1u, 16u), testing::PrintToStringParamName());

TEST(OperatorDerivatives, NameTheJointThatHasMoreDegreesOfFreedom) {
  const Built built = build_mechanism(load(ARTICULA_SOURCE_DIR "/models/quadruped.yaml"));
  const Numbers none(static_cast<std::size_t>(built.mechanism.nv));
  try {
    operator_derivatives(built.mechanism, built.parameters, built.parameters.q_start, none, none);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "joint \"base\" is free, with 6 degrees of freedom. The operator formulas of derivatives are those of "
                 "joints with one; differentiate inverse_dynamics with dual numbers instead.  [single-dof-needed]");
  }
}

}  // namespace
}  // namespace articula::test
