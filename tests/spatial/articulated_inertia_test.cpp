#include <articula/spatial/articulated_inertia.h>

#include "dense.h"

namespace articula::test {
namespace {

constexpr double rounding = 2e-14;
constexpr double rounding_of_bodies = 2e-13;  // masses of about ten
constexpr int times = 50;

TEST(ArticulatedInertia, MultipliesLikeItsMatrix) {
  Random random(1);
  for (int i = 0; i < times; ++i) {
    const ArticulatedInertia<double> M = random.articulated_inertia();
    const Motion<double> V = random.motion();
    EXPECT_THAT(dense(M * V), IsNear(dense(M) * dense(V), rounding));
  }
}

TEST(ArticulatedInertia, IsMovedByTheCongruenceOfItsMatrix) {
  Random random(2);
  for_poses_of_every_kind(random, [&](const auto& X_AB) {
    const ArticulatedInertia<double> M = random.articulated_inertia();
    const Matrix6 X = force_matrix(dense(X_AB));
    EXPECT_THAT(dense(X_AB * M), IsNear(X * dense(M) * X.transpose(), rounding));
  });
}

TEST(ArticulatedInertia, OfOneBodyIsItsInertia) {
  Random random(3);
  for_poses_of_every_kind(random, [&](const auto& X_AB) {
    const Inertia<double> M = random.inertia();
    EXPECT_EQ(dense(ArticulatedInertia<double>::of(M)), dense(M));
    EXPECT_THAT(dense(X_AB * ArticulatedInertia<double>::of(M)), IsNear(dense(X_AB * M), rounding_of_bodies));
  });
}

TEST(ArticulatedInertia, OfABodyOfASimplerScalarIsTheSame) {
  const Inertia<float> M{2, {1, 0, 0.5f}, SymMat3<float>::diagonal(1, 2, 3)};
  const Inertia<double> same{2, {1, 0, 0.5}, SymMat3<double>::diagonal(1, 2, 3)};
  EXPECT_EQ(dense(ArticulatedInertia<double>::of(M)), dense(same));
}

TEST(ArticulatedInertia, Adds) {
  Random random(4);
  const ArticulatedInertia<double> M = random.articulated_inertia(), N = random.articulated_inertia();
  ArticulatedInertia<double> sum = M;
  sum += N;
  EXPECT_THAT(dense(sum), IsNear(dense(M) + dense(N), rounding));
  EXPECT_EQ(dense(ArticulatedInertia<double>::zero()), Matrix6::Zero());
}

TEST(ArticulatedInertia, LosesTheOuterProductOfAForce) {
  Random random(5);
  for (int i = 0; i < times; ++i) {
    const ArticulatedInertia<double> before = random.articulated_inertia();
    const Force<double> U = random.force();
    const double d = random.number();
    ArticulatedInertia<double> M = before;
    subtract_outer(M, U, d);
    EXPECT_THAT(dense(M), IsNear(dense(before) - d * dense(U) * dense(U).transpose(), rounding));
  }
}

TEST(ArticulatedInertia, BehindAJointDoesNotFeelTheJointsOwnMotion) {
  Random random(6);
  for (int i = 0; i < times; ++i) {
    const Motion<double> H = random.motion();
    ArticulatedInertia<double> M = ArticulatedInertia<double>::of(random.inertia());
    const Force<double> U = M * H;
    subtract_outer(M, U, 1 / dot(H, U));
    EXPECT_THAT(dense(M * H), IsNear(Vector6::Zero(), rounding_of_bodies));
  }
}

}  // namespace
}  // namespace articula::test
