#include <articula/spatial/motion.h>

#include "dense.h"

namespace articula::test {
namespace {

constexpr double rounding = 1e-14;
constexpr int times = 50;

template <class A, class B>
concept Addable = requires(A a, B b) { a + b; };

static_assert(Addable<Motion<double>, Motion<double>>);
static_assert(Addable<Force<double>, Force<double>>);
static_assert(!Addable<Motion<double>, Force<double>>, "a motion and a force are different things");
static_assert(!Addable<Force<double>, Motion<double>>);

TEST(Motion, CalculatesAsAVector) {
  Random random(1);
  const Motion<double> V = random.motion(), W = random.motion();
  EXPECT_THAT(dense(V + W), IsNear(dense(V) + dense(W), rounding));
  EXPECT_THAT(dense(V - W), IsNear(dense(V) - dense(W), rounding));
  EXPECT_THAT(dense(-V), IsNear(-dense(V), rounding));
  EXPECT_THAT(dense(V * 3.0), IsNear(3 * dense(V), rounding));
  Motion<double> sum = V;
  sum += W;
  EXPECT_EQ(sum, V + W);
  sum = V;
  sum -= W;
  EXPECT_EQ(sum, V - W);
  EXPECT_EQ(dense(Motion<double>::zero()), Vector6::Zero());
}

TEST(Force, CalculatesAsAVector) {
  Random random(2);
  const Force<double> F = random.force(), G = random.force();
  EXPECT_THAT(dense(F + G), IsNear(dense(F) + dense(G), rounding));
  EXPECT_THAT(dense(F - G), IsNear(dense(F) - dense(G), rounding));
  EXPECT_THAT(dense(-F), IsNear(-dense(F), rounding));
  EXPECT_THAT(dense(F * 3.0), IsNear(3 * dense(F), rounding));
  Force<double> sum = F;
  sum += G;
  EXPECT_EQ(sum, F + G);
  sum = F;
  sum -= G;
  EXPECT_EQ(sum, F - G);
  EXPECT_EQ(dense(Force<double>::zero()), Vector6::Zero());
}

TEST(Pose, MovesMotionsLikeItsMatrix) {
  Random random(3);
  for_poses_of_every_kind(random, [&](const auto& X_AB) {
    const Motion<double> V = random.motion();
    const Matrix6 X = motion_matrix(dense(X_AB));
    EXPECT_THAT(dense(X_AB * V), IsNear(X * dense(V), rounding));
    EXPECT_THAT(dense(X_AB.inverse() * V), IsNear(X.inverse() * dense(V), rounding));
  });
}

TEST(Pose, MovesForcesLikeItsMatrix) {
  Random random(4);
  for_poses_of_every_kind(random, [&](const auto& X_AB) {
    const Force<double> F = random.force();
    const Matrix6 X = force_matrix(dense(X_AB));
    EXPECT_THAT(dense(X_AB * F), IsNear(X * dense(F), rounding));
    EXPECT_THAT(dense(X_AB.inverse() * F), IsNear(X.inverse() * dense(F), rounding));
  });
}

TEST(Pose, MovesForcesByTheTransposeOfTheWayBackOfMotions) {
  Random random(5);
  for_poses_of_every_kind(random, [&](const auto& X_AB) {
    EXPECT_THAT(force_matrix(dense(X_AB)), IsNear(motion_matrix(dense(X_AB)).inverse().transpose(), rounding));
  });
}

TEST(Pose, KeepsThePower) {
  Random random(6);
  for_poses_of_every_kind(random, [&](const auto& X_AB) {
    const Motion<double> V = random.motion();
    const Force<double> F = random.force();
    EXPECT_NEAR(dot(V, F), dense(V).dot(dense(F)), rounding);
    EXPECT_NEAR(dot(X_AB * V, X_AB * F), dot(V, F), rounding);
    EXPECT_NEAR(dot(X_AB.inverse() * V, X_AB.inverse() * F), dot(V, F), rounding);
  });
}

TEST(Pose, MovesMotionsOneAfterAnother) {
  Random random(7);
  for (int i = 0; i < times; ++i) {
    const Pose<double> X_AB = random.pose(), X_BC = random.pose();
    const Motion<double> V = random.motion();
    const Force<double> F = random.force();
    EXPECT_THAT(dense((X_AB * X_BC) * V), IsNear(dense(X_AB * (X_BC * V)), rounding));
    EXPECT_THAT(dense((X_AB * X_BC) * F), IsNear(dense(X_AB * (X_BC * F)), rounding));
    EXPECT_THAT(dense((X_AB * X_BC).inverse() * V), IsNear(dense(X_BC.inverse() * (X_AB.inverse() * V)), rounding));
  }
}

TEST(SpatialCross, IsTheMatrixOfTheThesis) {  // [UNI (2.13), (2.14), (B.10)]
  Random random(8);
  for (int i = 0; i < times; ++i) {
    const Motion<double> X = random.motion(), Y = random.motion();
    EXPECT_THAT(dense(cross(X, Y)), IsNear(skew(X) * dense(Y), rounding));
    const Motion<double> Z = random.motion();
    EXPECT_THAT(dense(plus_cross(Z, X, Y)), IsNear(dense(Z) + skew(X) * dense(Y), rounding));
  }
}

TEST(SpatialCross, ObeysItsIdentities) {
  Random random(9);
  for (int i = 0; i < times; ++i) {
    const Motion<double> X = random.motion(), Y = random.motion(), Z = random.motion();
    EXPECT_THAT(dense(cross(X, X)), IsNear(Vector6::Zero(), rounding));                       // (B.11)
    EXPECT_THAT(dense(cross(X, Y)), IsNear(-dense(cross(Y, X)), rounding));                   // (B.12)
    EXPECT_THAT(dense(cross(X + Y, Z)), IsNear(dense(cross(X, Z) + cross(Y, Z)), rounding));  // (B.13)
    EXPECT_THAT(dense(cross(cross(X, Y), Z)),
                IsNear(dense(cross(X, cross(Y, Z)) - cross(Y, cross(X, Z))), rounding));  // (B.14)
    // (B.15): X̃·X̃·X̃ = X̃·(−a², 0; −2ab, −a²)
    const double aa = dot(X.w, X.w), ab = dot(X.w, X.v);
    const Motion<double> folded{Z.w * -aa, Z.w * (-2 * ab) + Z.v * -aa};
    EXPECT_THAT(dense(cross(X, cross(X, cross(X, Z)))), IsNear(dense(cross(X, folded)), rounding));
  }
}

TEST(SpatialCross, OfAForceIsMinusTheTranspose) {
  Random random(10);
  for (int i = 0; i < times; ++i) {
    const Motion<double> V = random.motion(), W = random.motion();
    const Force<double> F = random.force();
    EXPECT_THAT(dense(cross(V, F)), IsNear(-skew(V).transpose() * dense(F), rounding));
    const Force<double> G = random.force();
    EXPECT_THAT(dense(plus_cross(G, V, F)), IsNear(dense(G) - skew(V).transpose() * dense(F), rounding));
    // The power of a force on a motion that both move along does not change.
    EXPECT_NEAR(dot(cross(V, W), F) + dot(W, cross(V, F)), 0, rounding);
    // [UNI (B.16)]: the co-cross product F⊗ = (c̃, d̃; d̃, 0) of F = (c, d) swaps the two: F⊗·V = Ṽᵀ·F.
    Matrix6 co_cross;
    co_cross << skew(dense(F.n)), skew(dense(F.f)), skew(dense(F.f)), Eigen::Matrix3d::Zero();
    EXPECT_THAT(dense(cross(V, F)), IsNear(-co_cross * dense(V), rounding));
  }
}

TEST(SpatialCross, IsTheSameSeenFromAnyFrame) {
  Random random(11);
  for_poses_of_every_kind(random, [&](const auto& X_AB) {
    const Motion<double> V = random.motion(), W = random.motion();
    const Force<double> F = random.force();
    EXPECT_THAT(dense(X_AB * cross(V, W)), IsNear(dense(cross(X_AB * V, X_AB * W)), rounding));
    EXPECT_THAT(dense(X_AB * cross(V, F)), IsNear(dense(cross(X_AB * V, X_AB * F)), rounding));
  });
}

TEST(Pose, MovesConstantMotionsOfASimplerScalar) {
  const Motion<float> V{{0, 0, 1}, {1, 0, 0}};
  const Force<float> F{{0, 0, 1}, {1, 0, 0}};
  const Shift<double> X{{0.5, 0, 0}};
  EXPECT_EQ(X * V, (Motion<double>{{0, 0, 1}, {1, -0.5, 0}}));
  EXPECT_EQ(X.inverse() * V, (Motion<double>{{0, 0, 1}, {1, 0.5, 0}}));
  EXPECT_EQ(X * F, X.dense() * F);
  EXPECT_EQ(X.inverse() * F, X.dense().inverse() * F);
}

}  // namespace
}  // namespace articula::test
