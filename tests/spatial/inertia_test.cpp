#include <articula/spatial/inertia.h>

#include "dense.h"

namespace articula::test {
namespace {

constexpr double rounding = 2e-13;  // masses of about ten
constexpr int times = 50;

TEST(Inertia, MultipliesLikeItsMatrix) {
  Random random(1);
  for (int i = 0; i < times; ++i) {
    const Inertia<double> M = random.inertia();
    const Motion<double> V = random.motion();
    EXPECT_THAT(dense(M * V), IsNear(dense(M) * dense(V), rounding));
  }
}

TEST(Inertia, IsMovedByTheCongruenceOfItsMatrix) {
  Random random(2);
  for_poses_of_every_kind(random, [&](const auto& X_AB) {
    const Inertia<double> M = random.inertia();
    const Matrix6 X = force_matrix(dense(X_AB));
    EXPECT_THAT(dense(X_AB * M), IsNear(X * dense(M) * X.transpose(), rounding));
  });
}

TEST(Inertia, MomentumAndEnergyAreTheSameSeenFromAnyFrame) {
  Random random(3);
  for_poses_of_every_kind(random, [&](const auto& X_AB) {
    const Inertia<double> M_B = random.inertia();
    const Motion<double> V_B = random.motion();
    const auto M_A = X_AB * M_B;
    const auto V_A = X_AB * V_B;
    EXPECT_THAT(dense(M_A * V_A), IsNear(dense(X_AB * (M_B * V_B)), rounding));
    EXPECT_NEAR(dot(V_A, M_A * V_A), dot(V_B, M_B * V_B), rounding);
  });
}

TEST(Inertia, OfPointMassesIsTheirSum) {
  Random random(4);
  for (int i = 0; i < times; ++i) {
    const double m = 1 + random.number();
    const Vec3<double> c = random.vec3();
    const Inertia<double> M = inertia_about_origin(m, c, SymMat3<double>::zero());
    const Motion<double> V = random.motion();
    // A point mass at c has momentum p = m·(v + ω × c) and moment of momentum c × p.
    const Eigen::Vector3d p = m * (dense(V.v) + dense(V.w).cross(dense(c)));
    EXPECT_THAT(dense(M * V), IsNear((Vector6() << dense(c).cross(p), p).finished(), rounding));
  }
}

TEST(Inertia, Adds) {
  Random random(5);
  const Inertia<double> M = random.inertia(), N = random.inertia();
  EXPECT_THAT(dense(M + N), IsNear(dense(M) + dense(N), rounding));
  Inertia<double> sum = M;
  sum += N;
  EXPECT_EQ(sum, M + N);
  EXPECT_EQ(dense(Inertia<double>::zero()), Matrix6::Zero());
}

TEST(Inertia, AboutTheOriginIsThatOfTheThesis) {
  // [UNI 2.1.2.1]: M = (J − m·l̃·l̃, m·l̃; −m·l̃, m·1) with l from the origin to the centre of mass.
  Random random(6);
  const double m = 2.5;
  const Vec3<double> l = random.vec3();
  const SymMat3<double> J = random.sym_mat3();
  const Eigen::Matrix3d L = skew(dense(l));
  Matrix6 expected;
  expected << dense(J) - m * L * L, m * L, -m * L, m * Eigen::Matrix3d::Identity();
  EXPECT_THAT(dense(inertia_about_origin(m, l, J)), IsNear(expected, rounding));
}

TEST(Inertia, AboutTheCentreComesBack) {
  Random random(7);
  for (int i = 0; i < times; ++i) {
    const SymMat3<double> J = random.sym_mat3();
    const Inertia<double> M = inertia_about_origin(2 + random.number(), random.vec3(), J);
    EXPECT_THAT(dense(inertia_about_center(M)), IsNear(dense(J), rounding));
  }
}

TEST(Inertia, OfAMasslessBodyIsMovedToo) {
  Random random(8);
  const SymMat3<double> J = random.sym_mat3();
  const Pose<double> X = random.pose();
  const Inertia<double> M = X * Inertia<double>{0, Vec3<double>::zero(), J};
  EXPECT_EQ(M.m, 0);
  EXPECT_EQ(M.h, Vec3<double>::zero());
  EXPECT_EQ(M.I, X.rotate(J));
}

TEST(Inertia, OfASimplerScalarIsMovedByPoseOfARicherOne) {
  Random random(9);
  const Inertia<float> M{2, {1, 0, 0.5f}, SymMat3<float>::diagonal(1, 2, 3)};
  const Inertia<double> same{2, {1, 0, 0.5}, SymMat3<double>::diagonal(1, 2, 3)};
  for_poses_of_every_kind(random, [&](const auto& X) { EXPECT_THAT(dense(X * M), IsNear(dense(X * same), rounding)); });
}

}  // namespace
}  // namespace articula::test
