// The mass matrix of textbook mechanisms in closed form; of random trees against torques for unit accelerations.

#include <articula/dynamics/mass_matrix.h>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "dynamics/textbook.h"
#include "support/random_state.h"

namespace articula::test {
namespace {

constexpr double rounding = 1e-13;  ///< relative
constexpr std::uint32_t samples = 200;

TEST(MassMatrix, OfADoublePendulumIsTheTextbooks) {
  const DoublePendulum pendulum;
  const Built built = build_mechanism(pendulum.model());
  for (const double elbow : {-2., 0., 0.3, 1.5, 3.}) {
    const Numbers q{0.7, elbow};
    EXPECT_LT(gap(masses(built, q), pendulum.masses(q)), rounding);
  }
}

/// Carriages on carriages: what a joint moves is all that stands on it.
TEST(MassMatrix, OfSlidesOnSlidesIsTheMassThatBothCarry) {
  constexpr int slides = 5;
  const double m[slides] = {5, 4, 3, 2, 1};
  Model model("carriages");
  std::string below = "world";
  for (int k = 0; k < slides; ++k) {
    const std::string body = "carriage" + std::to_string(k);
    model.add(body, RigidBody{.mass = m[k]});
    model.add("slide" + std::to_string(k), Joint{.kind = JointKind::prismatic, .axis = x_axis}, below, body);
    below = body;
  }
  Numbers expected;
  for (int i = 0; i < slides; ++i) {
    for (int j = 0; j < slides; ++j) {
      double carried = 0;
      for (int k = std::max(i, j); k < slides; ++k) carried += m[k];
      expected.push_back(carried);
    }
  }
  EXPECT_EQ(masses(build_mechanism(model), Numbers(slides, 0.1)), expected);
}

TEST(MassMatrix, IsSymmetricAndPositiveDefinite) {
  for (std::uint32_t seed = 1; seed <= samples; ++seed) {
    const RandomState s = random_regular_state(seed);
    const auto n = static_cast<Eigen::Index>(s.v.size());
    const Eigen::Map<const Eigen::MatrixXd> M(s.M.data(), n, n);
    EXPECT_EQ(M, M.transpose()) << "seed " << seed;
    EXPECT_EQ(M.llt().info(), Eigen::Success) << "seed " << seed;
  }
}

/// Column k is what inverse dynamics adds for a unit acceleration of k.
TEST(MassMatrix, IsWhatUnitAccelerationsNeed) {
  for (std::uint32_t seed = 1; seed <= samples; ++seed) {
    const Sample s(seed);
    const std::size_t n = s.v.size();
    const Numbers M = masses(s.built, s.q), rest(n), still = torques(s.built, s.q, rest, rest);
    Numbers columns(n * n);
    for (std::size_t k = 0; k < n; ++k) {
      Numbers unit(n);
      unit[k] = 1;
      const Numbers column = torques(s.built, s.q, rest, unit);
      for (std::size_t i = 0; i < n; ++i) columns[i * n + k] = column[i] - still[i];
    }
    EXPECT_LT(gap(columns, M), 10 * rounding) << "seed " << seed;
  }
}

}  // namespace
}  // namespace articula::test
