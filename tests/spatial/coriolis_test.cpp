#include <articula/spatial/coriolis.h>

#include "dense.h"

namespace articula::test {
namespace {

using test::dense;

constexpr double rounding = 2e-12;  // masses and velocities of about ten, multiplied
constexpr int times = 50;

Matrix6 dense(const Coriolis<double>& B) {
  Matrix6 A = Matrix6::Zero();
  A.topLeftCorner<3, 3>() = dense(B.E);
  A.bottomLeftCorner<3, 3>() = -skew(dense(B.f));
  return A;
}

/// The matrix F×̄* that takes a motion W to W ×* F.
Matrix6 co_cross(const Force<double>& F) {
  Matrix6 A = Matrix6::Zero();
  A.topLeftCorner<3, 3>() = -skew(dense(F.n));
  A.topRightCorner<3, 3>() = A.bottomLeftCorner<3, 3>() = -skew(dense(F.f));
  return A;
}

TEST(Coriolis, IsTheMapOfItsDefinition) {
  Random random(1);
  for (int i = 0; i < times; ++i) {
    const Inertia<double> M = random.inertia();
    const Motion<double> V = random.motion();
    const Vec3<double> l = random.motion().w;
    const Matrix6 rate = -skew(V).transpose() * dense(M) - dense(M) * skew(V);  // Ṁ
    const Matrix6 B = 0.5 * (rate + co_cross(M * V)) + co_cross({l, Vec3<double>::zero()});
    EXPECT_THAT(dense(coriolis_map(M, l, V)), IsNear(B, rounding));
  }
}

TEST(Coriolis, GivesTheForceOfAMotionAndLeavesASkewRate) {
  Random random(2);
  for (int i = 0; i < times; ++i) {
    const Inertia<double> M = random.inertia();
    const Motion<double> V = random.motion();
    const Coriolis<double> B = coriolis_map(M, Vec3<double>::zero(), V);
    EXPECT_THAT(dense(B * V), IsNear(dense(cross(V, M * V)), rounding));
    const Matrix6 rate = -skew(V).transpose() * dense(M) - dense(M) * skew(V);
    const Matrix6 S = rate - 2 * dense(B);
    EXPECT_THAT(S, IsNear(Matrix6(-S.transpose()), rounding));
  }
}

TEST(Coriolis, MultipliesLikeItsMatrix) {
  Random random(3);
  for (int i = 0; i < times; ++i) {
    const Coriolis<double> B = coriolis_map(random.inertia(), random.motion().w, random.motion());
    const Motion<double> W = random.motion();
    EXPECT_THAT(dense(B * W), IsNear(dense(B) * dense(W), rounding));
    EXPECT_THAT(dense(transpose_times(B, W)), IsNear(dense(B).transpose() * dense(W), rounding));
  }
}

TEST(Coriolis, IsMovedByTheCongruenceOfItsMatrix) {
  Random random(4);
  for_poses_of_every_kind(random, [&](const auto& X_AB) {
    const Coriolis<double> B = coriolis_map(random.inertia(), random.motion().w, random.motion());
    const Matrix6 X = force_matrix(dense(X_AB));
    EXPECT_THAT(dense(X_AB * B), IsNear(X * dense(B) * X.transpose(), rounding));
  });
}

TEST(Coriolis, OfABodySeenFromAnotherFrameIsTheMapThere) {
  Random random(5);
  for_poses_of_every_kind(random, [&](const auto& X_AB) {
    const Inertia<double> M = random.inertia();
    const Motion<double> V = random.motion();
    const Vec3<double> l = random.motion().w;
    const auto moved = X_AB * coriolis_map(M, l, V);
    EXPECT_THAT(dense(moved), IsNear(dense(coriolis_map(X_AB * M, X_AB.rotate(l), X_AB * V)), rounding));
  });
}

}  // namespace
}  // namespace articula::test
