#include <articula/dynamics/mass_matrix_by_columns.h>

#include <gtest/gtest.h>

#include <articula/formats/load.h>

#include "support/sample.h"

namespace articula::test {
namespace {

using test::Numbers, test::Sample;

/// Two recursions over some twenty bodies, relative to the largest entry.
constexpr double rounding = 1e-12;

Numbers by_columns(const Built& built, const Numbers& q) {
  const Mechanism& mech = built.mechanism;
  Positions<double> kin(mech);
  UnitAccelerations<double> scratch(mech);
  Numbers M(static_cast<std::size_t>(mech.nv * mech.nv));
  positions<double, double>(mech, built.parameters, q, kin);
  mass_matrix_by_columns<double, double>(mech, built.parameters, kin, scratch, M);
  return M;
}

class MassMatrixByColumns : public testing::TestWithParam<std::uint32_t> {
 protected:
  Sample s{GetParam(), {.bodies = 20, .kinds = {}}};
};

TEST_P(MassMatrixByColumns, IsThatOfCompositeBodies) {
  EXPECT_LT(test::gap(by_columns(s.built, s.q), test::masses(s.built, s.q)), rounding);
}

TEST_P(MassMatrixByColumns, IsSymmetric) {
  const Numbers M = by_columns(s.built, s.q);
  const auto nv = static_cast<std::size_t>(s.built.mechanism.nv);
  Numbers transpose(M.size());
  for (std::size_t i = 0; i < nv; ++i) {
    for (std::size_t j = 0; j < nv; ++j) transpose[i * nv + j] = M[j * nv + i];
  }
  EXPECT_LT(test::gap(transpose, M), rounding);
}

TEST_P(MassMatrixByColumns, GivesTwiceTheKineticEnergy) {
  const Mechanism& mech = s.built.mechanism;
  Velocities<double> kin(mech);
  positions<double, double>(mech, s.built.parameters, s.q, kin);
  velocities<double, double>(mech, s.built.parameters, s.q, s.v, kin);
  double of_bodies = 0, of_matrix = 0;
  for (std::size_t k = 1; k < mech.bodies.size(); ++k) {
    of_bodies += dot(kin.V_B[k], s.built.parameters.M_B[k] * kin.V_B[k]);
  }
  const Numbers M = by_columns(s.built, s.q);
  for (std::size_t i = 0; i < s.v.size(); ++i) {
    for (std::size_t j = 0; j < s.v.size(); ++j) of_matrix += s.v[i] * M[i * s.v.size() + j] * s.v[j];
  }
  EXPECT_NEAR(of_matrix / of_bodies, 1, rounding);
}

INSTANTIATE_TEST_SUITE_P(Seed, MassMatrixByColumns, testing::Range(1u, 31u), testing::PrintToStringParamName());

/// Two point masses m = 1 at the middle of unit links: M11 = 3/2 + cos q2, M12 = 1/4 + ½·cos q2, M22 = 1/4.
TEST(MassMatrixByColumnsOf, TheTwoLinkArmIsThatOfTheTextbooks) {
  const Built built = build_mechanism(load(ARTICULA_SOURCE_DIR "/models/two_link.yaml"));
  for (const double q2 : {0.0, 0.7, -2.0}) {
    const double c = std::cos(q2);
    const Numbers expected{1.5 + c, 0.25 + 0.5 * c, 0.25 + 0.5 * c, 0.25};
    EXPECT_LT(test::gap(by_columns(built, {0.3, q2}), expected), rounding);
  }
}

}  // namespace
}  // namespace articula::test
