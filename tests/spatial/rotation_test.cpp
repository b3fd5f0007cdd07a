#include <articula/spatial/rotation.h>

#include <numbers>

#include "dense.h"

namespace articula::test {
namespace {

constexpr double rounding = 2e-15;
constexpr double pi = std::numbers::pi;
constexpr int times = 50;

Eigen::Quaterniond dense(const Quaternion<double>& q) { return {q.w, q.x, q.y, q.z}; }
Quaternion<double> minus(const Quaternion<double>& q) { return {-q.x, -q.y, -q.z, -q.w}; }

/// [UNI (B.1)], with the rotation vector phi = θ·u.
Eigen::Matrix3d turned_by(const Eigen::Vector3d& phi) {
  const double angle = phi.norm();
  const Eigen::Vector3d u = phi / angle;
  return u * u.transpose() + std::cos(angle) * (Eigen::Matrix3d::Identity() - u * u.transpose()) +
         std::sin(angle) * skew(u);
}

TEST(Rotation, AboutACoordinateAxisIsEigens) {
  Random random(1);
  for (int i = 0; i < times; ++i) {
    const double angle = 4 * random.number();
    for (int k = 0; k < 3; ++k) {
      const Eigen::Matrix3d expected = Eigen::AngleAxisd(angle, Eigen::Vector3d::Unit(k)).toRotationMatrix();
      EXPECT_THAT(test::dense(rotation_about(k, angle)), IsNear(expected, rounding));
      EXPECT_EQ(rotation_about(k, angle), rotation_about(k, std::cos(angle), std::sin(angle)));
    }
  }
}

TEST(Rotation, ComposesAndInverts) {
  Random random(2);
  for (int i = 0; i < times; ++i) {
    const Rotation<double> R_AB = random.rotation(), R_BC = random.rotation();
    const Vec3<double> v = random.vec3();
    EXPECT_THAT(test::dense(R_AB * R_BC), IsNear(test::dense(R_AB) * test::dense(R_BC), rounding));
    EXPECT_THAT(test::dense(R_AB * v), IsNear(test::dense(R_AB) * test::dense(v), rounding));
    EXPECT_EQ(R_AB.rotate(v), R_AB * v);
    EXPECT_THAT(test::dense(R_AB.rotate_back(R_AB * v)), IsNear(test::dense(v), rounding));
    EXPECT_THAT(test::dense(R_AB.inverse() * R_AB), IsNear(Eigen::Matrix3d::Identity(), rounding));
  }
}

TEST(Quaternion, MultipliesAsEigens) {
  Random random(3);
  for (int i = 0; i < times; ++i) {
    const Quaternion<double> a = random.quaternion(), b = random.quaternion();
    EXPECT_THAT(dense(a * b).coeffs(), IsNear((dense(a) * dense(b)).coeffs(), rounding));
    EXPECT_THAT(dense(conjugate(a)).coeffs(), IsNear(dense(a).conjugate().coeffs(), rounding));
    EXPECT_NEAR(squared_norm(a), 1, rounding);
  }
}

TEST(Quaternion, RotatesAsEigens) {
  Random random(4);
  for (int i = 0; i < times; ++i) {
    const Quaternion<double> a = random.quaternion(), b = random.quaternion();
    EXPECT_THAT(test::dense(rotation_of(a)), IsNear(dense(a).toRotationMatrix(), rounding));
    EXPECT_THAT(test::dense(rotation_of(a * b)), IsNear(test::dense(rotation_of(a) * rotation_of(b)), rounding));
    EXPECT_EQ(rotation_of(minus(a)), rotation_of(a));
  }
  EXPECT_EQ(rotation_of(Quaternion<double>{}), Rotation<double>::identity());
}

TEST(QuaternionExp, TurnsAboutTheVectorByItsLength) {
  Random random(5);
  for (int i = 0; i < times; ++i) {
    const Vec3<double> phi = 4.0 * random.vec3();
    const Eigen::Matrix3d expected = turned_by(test::dense(phi));
    EXPECT_THAT(test::dense(rotation_of(quaternion_exp(phi))), IsNear(expected, rounding));
    // Rodrigues' formula [UNI (B.2)] says the same.
    const double angle = norm(phi);
    const Eigen::Matrix3d u = skew(test::dense(phi) / angle);
    EXPECT_THAT(Eigen::Matrix3d(Eigen::Matrix3d::Identity() + std::sin(angle) * u + (1 - std::cos(angle)) * u * u),
                IsNear(expected, rounding));
  }
}

TEST(QuaternionExp, IsAUnitQuaternionDownToZero) {
  Random random(6);
  EXPECT_EQ(quaternion_exp(Vec3<double>::zero()), Quaternion<double>{});
  for (double size = 1; size > 1e-300; size /= 7) {
    const Vec3<double> n = random.direction();
    const Quaternion<double> q = quaternion_exp(size * n);
    EXPECT_NEAR(squared_norm(q), 1, rounding) << size;
    const double half = std::sin(size / 2);
    EXPECT_NEAR(std::hypot(q.x, q.y, q.z) / half, 1, rounding) << size;
  }
}

TEST(QuaternionExp, HasNoStepWhereTheSeriesBegins) {
  const double below = std::nextafter(1e-4, 0), above = std::nextafter(1e-4, 1);
  const Quaternion<double> a = quaternion_exp(Vec3<double>{below, 0, 0}), b = quaternion_exp(Vec3<double>{above, 0, 0});
  EXPECT_NEAR(a.x, b.x, 1e-19);
  EXPECT_NEAR(a.w, b.w, rounding);
}

TEST(QuaternionLog, UndoesTheExponential) {
  Random random(7);
  for (double size :
       {1e-300, 1e-100, 1e-12, 1e-9, 1e-8, 1.9e-8, 2.1e-8, 1e-6, 1e-4, 0.1, 1.0, 2.0, 3.0, 3.14, pi - 1e-9}) {
    for (int i = 0; i < times; ++i) {
      const Vec3<double> n = random.direction();
      const Vec3<double> back = quaternion_log(quaternion_exp(size * n));
      EXPECT_THAT(test::dense(back * (1 / size)), IsNear(test::dense(n), rounding)) << size;
    }
  }
  EXPECT_EQ(quaternion_log(Quaternion<double>{}), Vec3<double>::zero());
}

TEST(QuaternionLog, TakesTheShorterWay) {
  Random random(8);
  for (int i = 0; i < times; ++i) {
    const Quaternion<double> q = random.quaternion();
    const Vec3<double> phi = quaternion_log(q);
    EXPECT_LE(norm(phi), pi + rounding);
    EXPECT_THAT(test::dense(quaternion_log(minus(q))), IsNear(test::dense(phi), rounding));
    EXPECT_THAT(test::dense(rotation_of(quaternion_exp(phi))), IsNear(test::dense(rotation_of(q)), rounding));
  }
}

TEST(QuaternionLog, OfAHalfTurnHasLengthPi) {
  EXPECT_NEAR(norm(quaternion_log(Quaternion<double>{0.6, 0, 0.8, 0})), pi, rounding);
  EXPECT_NEAR(norm(quaternion_log(Quaternion<double>{0.6, 0, 0.8, -0.0})), pi, rounding);
}

}  // namespace
}  // namespace articula::test
