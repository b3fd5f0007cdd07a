#include <articula/dynamics/joint_space_matrices.h>

#include <gtest/gtest.h>

#include <articula/formats/load.h>

#include "support/sample.h"
#include "support/seeded.h"

namespace articula::test {
namespace {

using test::gap, test::Numbers, test::Sample;

/// Recursions over some fifteen bodies, relative to the largest entry.
constexpr double rounding = 1e-12;

template <class T>
JointSpaceMatrices<T> matrices(const Built& built, const std::vector<T>& q, const std::vector<T>& v,
                               std::span<const Force<T>> F_applied_B = {}) {
  const Mechanism& mech = built.mechanism;
  Velocities<T> kin(mech);
  CompositeMotion<T> scratch(mech);
  JointSpaceMatrices<T> result(mech);
  positions<T, double>(mech, built.parameters, q, kin);
  velocities<T, double>(mech, built.parameters, q, v, kin);
  joint_space_matrices<T, double>(mech, built.parameters, kin, q, v, F_applied_B, scratch, result);
  return result;
}

Numbers times(const Numbers& A, const Numbers& x) {
  Numbers y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += A[i * x.size() + j] * x[j];
  }
  return y;
}

class JointSpace : public testing::TestWithParam<std::uint32_t> {
 protected:
  Sample s{GetParam(), {.bodies = 15, .kinds = {}}};
};

TEST_P(JointSpace, HasTheMassMatrixOfCompositeBodies) {
  EXPECT_LT(gap(matrices(s.built, s.q, s.v).D, test::masses(s.built, s.q)), rounding);
}

TEST_P(JointSpace, MatricesGiveTheForcesOfInverseDynamics) {
  const JointSpaceMatrices<double> A = matrices<double>(s.built, s.q, s.v, s.F_applied_B);
  Numbers tau = times(A.D, s.vdot);
  const Numbers Cv = times(A.C, s.v);
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += Cv[k] + A.G[k] + A.Q[k];
  EXPECT_LT(gap(tau, test::torques<double>(s.built, s.q, s.v, s.vdot, s.F_applied_B)), rounding);
}

TEST_P(JointSpace, GravityAndAppliedForcesAreThoseOfTheRestingMechanism) {
  const JointSpaceMatrices<double> A = matrices<double>(s.built, s.q, s.v, s.F_applied_B);
  const Numbers none(s.v.size());
  Numbers held = A.G;
  for (std::size_t k = 0; k < held.size(); ++k) held[k] += A.Q[k];
  EXPECT_LT(gap(A.G, test::torques(s.built, s.q, none, none)), rounding);
  EXPECT_LT(gap(held, test::torques<double>(s.built, s.q, none, none, s.F_applied_B)), rounding);
}

/// The largest entry of S + Sᵀ, S = Ḋ − 2·C, relative to the largest of Ḋ and C; Ḋ by dual numbers along v.
double symmetric_part(const Sample& s) {
  const Numbers C = matrices(s.built, s.q, s.v).C;
  const Numbers Ddot = test::derivatives(test::masses(s.built, test::seeded_q(s.built.mechanism, s.q, s.v)));
  const std::size_t nv = s.v.size();
  double worst = 0, size = 1;
  for (std::size_t i = 0; i < nv; ++i) {
    for (std::size_t j = 0; j < nv; ++j) {
      const std::size_t ij = i * nv + j, ji = j * nv + i;
      worst = std::max(worst, std::abs(Ddot[ij] + Ddot[ji] - 2 * (C[ij] + C[ji])));
      size = std::max({size, std::abs(Ddot[ij]), std::abs(C[ij])});
    }
  }
  return worst / size;
}

TEST_P(JointSpace, RateOfTheMassMatrixLessTwiceTheCoriolisMatrixIsSkew) { EXPECT_LT(symmetric_part(s), rounding); }

TEST_P(JointSpace, MatricesOfDualsHoldTheirRates) {
  const auto A = matrices(s.built, test::seeded_q(s.built.mechanism, s.q, s.v), test::constant(s.v));
  const Numbers Ddot = test::derivatives(test::masses(s.built, test::seeded_q(s.built.mechanism, s.q, s.v)));
  EXPECT_LT(gap(test::values(A.C), matrices(s.built, s.q, s.v).C), rounding);
  EXPECT_LT(gap(test::derivatives(A.D), Ddot), rounding);
}

INSTANTIATE_TEST_SUITE_P(Seed, JointSpace, testing::Range(1u, 31u), testing::PrintToStringParamName());

/// Each kind of joint by itself, and in both directions: a chain of one kind only.
class JointSpaceOfKind : public testing::TestWithParam<JointKind> {};

TEST_P(JointSpaceOfKind, RateOfTheMassMatrixLessTwiceTheCoriolisMatrixIsSkew) {
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    EXPECT_LT(symmetric_part(Sample(seed, {.bodies = 5, .kinds = {GetParam()}, .moving_frames = 0})), rounding) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Kind, JointSpaceOfKind,
                         testing::Values(JointKind::revolute, JointKind::prismatic, JointKind::helical,
                                         JointKind::cylindrical, JointKind::universal, JointKind::spherical,
                                         JointKind::planar, JointKind::free),
                         [](const auto& test) { return std::string(traits(test.param).name); });

/// Where v = q̇:  C_kj = ½·Σ_l (∂_l D_kj + ∂_j D_kl − ∂_k D_lj)·v_l
TEST(JointSpaceOfCoordinates, CoriolisMatrixIsThatOfTheChristoffelSymbols) {
  const std::vector<JointKind> kinds{JointKind::revolute,    JointKind::prismatic, JointKind::helical,
                                     JointKind::cylindrical, JointKind::universal, JointKind::planar};
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    Sample s(seed, {.kinds = kinds, .moving_frames = 0});
    for (auto& l : s.built.parameters.internal_momentum) l = Vec3<double>::zero();
    const std::size_t nv = s.v.size();
    std::vector<Numbers> dD;  // by the direction of the derivative
    for (std::size_t l = 0; l < nv; ++l) {
      Numbers unit(nv);
      unit[l] = 1;
      dD.push_back(test::derivatives(test::masses(s.built, test::seeded_q(s.built.mechanism, s.q, unit))));
    }
    Numbers C(nv * nv);
    for (std::size_t k = 0; k < nv; ++k) {
      for (std::size_t j = 0; j < nv; ++j) {
        for (std::size_t l = 0; l < nv; ++l) {
          C[k * nv + j] += 0.5 * (dD[l][k * nv + j] + dD[j][k * nv + l] - dD[k][l * nv + j]) * s.v[l];
        }
      }
    }
    EXPECT_LT(gap(matrices(s.built, s.q, s.v).C, C), rounding) << "seed " << seed;
  }
}

/// Spong, Hutchinson, Vidyasagar, "Robot Modeling and Control":
/// h = −m2·l1·lc2·sin q2, C = [h·v2, h·(v1 + v2); −h·v1, 0].
TEST(JointSpaceOfTheTwoLinkArm, IsThatOfTheTextbooks) {
  const Built built = build_mechanism(load(ARTICULA_SOURCE_DIR "/models/two_link.yaml"));
  const double q1 = 0.3, q2 = 0.7, v1 = 1.3, v2 = -0.4, g = 9.81, h = -0.5 * std::sin(q2);
  const JointSpaceMatrices<double> A = matrices<double>(built, {q1, q2}, {v1, v2});
  EXPECT_LT(gap(A.C, {h * v2, h * (v1 + v2), -h * v1, 0}), rounding);
  EXPECT_LT(gap(A.G, {g * (1.5 * std::cos(q1) + 0.5 * std::cos(q1 + q2)), 0.5 * g * std::cos(q1 + q2)}), rounding);
  EXPECT_EQ(A.Q, Numbers(2));
}

/// A free gyrostat: the internal momentum turns with the body, l̇ = ω × l, without work.
TEST(JointSpaceOfAGyrostat, HasItsGyroscopicTermAsASkewPart) {
  Sample s(1, {.bodies = 1,
               .kinds = {JointKind::free},
               .parts = 0,
               .fixed_frames = 0,
               .moving_frames = 0,
               .rigid = 0,
               .chained = 0,
               .reversed = 0});
  ASSERT_EQ(s.built.mechanism.nv, 6);
  const Vec3<double> l{0.3, -0.5, 0.7};
  s.built.parameters.internal_momentum[1] = Vec3<double>::zero();
  const Numbers without = matrices(s.built, s.q, s.v).C;
  s.built.parameters.internal_momentum[1] = l;
  const Numbers with = matrices(s.built, s.q, s.v).C;
  Numbers part(36);
  for (std::size_t k = 0; k < 36; ++k) part[k] = with[k] - without[k];
  Numbers expected(36);
  const Mat3<double> minus = tilde(-l);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) expected[static_cast<std::size_t>((i + 3) * 6 + j + 3)] = minus(i, j);
  }
  EXPECT_LT(gap(part, expected), rounding);
}

}  // namespace
}  // namespace articula::test
