#include <articula/spatial/pose.h>

#include <type_traits>

#include "dense.h"

namespace articula::test {
namespace {

constexpr double rounding = 4e-15;
constexpr int times = 50;

Eigen::Vector4d point(const Vec3<double>& p) { return {p.x, p.y, p.z, 1}; }

TEST(Pose, MovesPointsLikeItsMatrix) {
  Random random(1);
  for_poses_of_every_kind(random, [&](const auto& X_AB) {
    const Vec3<double> p = random.vec3();
    EXPECT_THAT(point(X_AB * p), IsNear(dense(X_AB) * point(p), rounding));
    EXPECT_THAT(point(X_AB.inverse() * p), IsNear(dense(X_AB).inverse() * point(p), rounding));
  });
}

TEST(Pose, TurnsVectorsWithoutShifting) {
  Random random(2);
  for_poses_of_every_kind(random, [&](const auto& X_AB) {
    const Vec3<double> v = random.vec3();
    const Eigen::Matrix3d R = dense(X_AB).template topLeftCorner<3, 3>();
    EXPECT_THAT(dense(X_AB.rotate(v)), IsNear(R * dense(v), rounding));
    EXPECT_THAT(dense(X_AB.rotate_back(v)), IsNear(R.transpose() * dense(v), rounding));
  });
}

TEST(Pose, TurnsMatricesFromBothSides) {
  Random random(3);
  for_poses_of_every_kind(random, [&](const auto& X_AB) {
    const SymMat3<double> S = random.sym_mat3();
    const Mat3<double> B = random.mat3();
    const Eigen::Matrix3d R = dense(X_AB).template topLeftCorner<3, 3>();
    EXPECT_THAT(dense(X_AB.rotate(S)), IsNear(R * dense(S) * R.transpose(), rounding));
    EXPECT_THAT(dense(X_AB.rotate(B)), IsNear(R * dense(B) * R.transpose(), rounding));
  });
}

TEST(Pose, ComposesSoThatInnerLettersCancel) {
  Random random(4);
  for (int i = 0; i < times; ++i) {
    const Pose<double> X_AB = random.pose(), X_BC = random.pose(), X_AC = random.pose();
    EXPECT_THAT(dense(X_AB * X_BC), IsNear(dense(X_AB) * dense(X_BC), rounding));
    EXPECT_THAT(dense(X_AB.inverse() * X_AC), IsNear(dense(X_AB).inverse() * dense(X_AC), rounding));
    EXPECT_THAT(dense(inverted(X_AB)), IsNear(dense(X_AB).inverse(), rounding));
    EXPECT_THAT(dense(X_AB * inverted(X_AB)), IsNear(Eigen::Matrix4d::Identity(), rounding));
    const Vec3<double> p = random.vec3();
    EXPECT_THAT(dense((X_AB * X_BC) * p), IsNear(dense(X_AB * (X_BC * p)), rounding));
  }
}

TEST(Pose, SparsePosesAreTheirDenseForms) {
  Random random(5);
  for_poses_of_every_kind(random, [&](const auto& X) {
    if constexpr (requires { X.dense(); }) {
      EXPECT_THAT(dense(X.dense()), IsNear(dense(X), rounding));
    }
  });
}

TEST(Inverse, OfTheInverseIsThePoseItself) {
  Random random(6);
  for_poses_of_every_kind(random, [&](const auto& X) { EXPECT_EQ(&X.inverse().inverse(), &X); });
}

TEST(Inverse, OfATemporaryLastsByItself) {
  Random random(7);
  for (int i = 0; i < times; ++i) {
    const Pose<double> X_AB = random.pose(), X_BC = random.pose();
    const auto X_CA = (X_AB * X_BC).inverse();
    static_assert(std::is_same_v<decltype(X_CA), const Pose<double>>);
    EXPECT_THAT(dense(X_CA), IsNear((dense(X_AB) * dense(X_BC)).inverse(), rounding));
    const auto shifted_back = Shift<double>{X_AB.p}.inverse();
    static_assert(std::is_same_v<decltype(shifted_back), const Shift<double>>);
    EXPECT_EQ(shifted_back.p, -X_AB.p);
    const Turn<double, 1> turn = random.turn<1>();
    const auto turned_back = Turn<double, 1>(turn).inverse();
    static_assert(std::is_same_v<decltype(turned_back), const Turn<double, 1>>);
    EXPECT_THAT(dense(turned_back), IsNear(dense(turn).inverse(), rounding));
  }
}

TEST(Pose, MovesConstantsOfASimplerScalar) {
  const Vec3<float> p{1, 2, 3};
  const Shift<double> X{{0.25, 0.5, 1}};
  EXPECT_EQ(X * p, (Vec3<double>{1.25, 2.5, 4}));
  EXPECT_EQ((Turn<double, 2>{0, 1, X.p} * p), (Vec3<double>{-1.75, 1.5, 4}));
  EXPECT_EQ(X.dense() * p, X * p);
}

}  // namespace
}  // namespace articula::test
