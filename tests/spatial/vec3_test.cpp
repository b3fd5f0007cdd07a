#include <articula/spatial/vec3.h>

#include "dense.h"

namespace articula::test {
namespace {

constexpr double rounding = 1e-15;
constexpr int times = 50;

TEST(Vec3, IsIndexedByCoordinate) {
  Vec3<double> a{1, 2, 3};
  EXPECT_EQ(a[0], 1);
  EXPECT_EQ(a[1], 2);
  EXPECT_EQ(a[2], 3);
  a[1] = 5;
  EXPECT_EQ(a, (Vec3<double>{1, 5, 3}));
  for (int k = 0; k < 3; ++k) EXPECT_EQ(dense(Vec3<double>::unit(k)), Eigen::Vector3d::Unit(k));
}

TEST(Vec3, CalculatesAsEigenDoes) {
  Random random(1);
  for (int i = 0; i < times; ++i) {
    const Vec3<double> a = random.vec3(), b = random.vec3();
    const double k = random.number();
    EXPECT_THAT(dense(a + b), IsNear(dense(a) + dense(b), rounding));
    EXPECT_THAT(dense(a - b), IsNear(dense(a) - dense(b), rounding));
    EXPECT_THAT(dense(-a), IsNear(-dense(a), rounding));
    EXPECT_THAT(dense(k * a), IsNear(k * dense(a), rounding));
    EXPECT_THAT(dense(a * k), IsNear(k * dense(a), rounding));
    EXPECT_THAT(dense(cross(a, b)), IsNear(dense(a).cross(dense(b)), rounding));
    const Vec3<double> d = random.vec3();
    EXPECT_THAT(dense(plus_cross(d, a, b)), IsNear(dense(d) + dense(a).cross(dense(b)), rounding));
    EXPECT_NEAR(plus_dot(d.x, a, b), d.x + dense(a).dot(dense(b)), rounding);
    EXPECT_NEAR(dot(a, b), dense(a).dot(dense(b)), rounding);
    EXPECT_NEAR(norm(a), dense(a).norm(), rounding);
    Vec3<double> c = a;
    c += b;
    EXPECT_EQ(c, a + b);
    c = a;
    c -= b;
    EXPECT_EQ(c, a - b);
  }
}

TEST(Vec3, MixesScalars) {
  const Vec3<float> a{0.5f, 1, 2};
  const Vec3<double> b{1, 2, 4};
  EXPECT_EQ(a + b, (Vec3<double>{1.5, 3, 6}));
  EXPECT_EQ(2.0 * a, (Vec3<double>{1, 2, 4}));
  EXPECT_EQ(over<double>(a), (Vec3<double>{0.5, 1, 2}));
}

TEST(Mat3, CalculatesAsEigenDoes) {
  Random random(2);
  for (int i = 0; i < times; ++i) {
    const Mat3<double> a = random.mat3(), b = random.mat3();
    const Vec3<double> v = random.vec3();
    EXPECT_THAT(dense(a * v), IsNear(dense(a) * dense(v), rounding));
    EXPECT_THAT(dense(transpose_times(a, v)), IsNear(dense(a).transpose() * dense(v), rounding));
    EXPECT_THAT(dense(a * b), IsNear(dense(a) * dense(b), rounding));
    EXPECT_THAT(dense(a + b), IsNear(dense(a) + dense(b), rounding));
    EXPECT_THAT(dense(a - b), IsNear(dense(a) - dense(b), rounding));
    EXPECT_THAT(dense(a.transpose()), IsNear(dense(a).transpose(), rounding));
    EXPECT_THAT(dense(a.column(1)), IsNear(dense(a).col(1), rounding));
    EXPECT_NEAR(determinant(a), dense(a).determinant(), rounding);
    EXPECT_EQ(a(1, 2), dense(a)(1, 2));
    Mat3<double> c = a;
    c += b;
    EXPECT_EQ(c, a + b);
  }
  EXPECT_EQ(dense(Mat3<double>::identity()), Eigen::Matrix3d::Identity());
  EXPECT_EQ(dense(Mat3<double>::zero()), Eigen::Matrix3d::Zero());
}

TEST(SymMat3, CalculatesAsItsDenseForm) {
  Random random(3);
  for (int i = 0; i < times; ++i) {
    const SymMat3<double> a = random.sym_mat3(), b = random.sym_mat3();
    const Vec3<double> v = random.vec3();
    const double k = random.number();
    EXPECT_EQ(dense(a), dense(a.dense()));
    EXPECT_THAT(dense(a * v), IsNear(dense(a) * dense(v), rounding));
    EXPECT_THAT(dense(a + b), IsNear(dense(a) + dense(b), rounding));
    EXPECT_THAT(dense(a - b), IsNear(dense(a) - dense(b), rounding));
    EXPECT_THAT(dense(k * a), IsNear(k * dense(a), rounding));
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) EXPECT_EQ(a(r, c), dense(a)(r, c));
    }
    SymMat3<double> sum = a;
    sum += b;
    EXPECT_EQ(sum, a + b);
    sum = a;
    sum -= b;
    EXPECT_EQ(sum, a - b);
    const Mat3<double> m = random.mat3();
    EXPECT_THAT(dense(SymMat3<double>::of(m)), IsNear((dense(m) + dense(m).transpose()) / 2, rounding));
  }
  EXPECT_EQ(dense(SymMat3<double>::identity()), Eigen::Matrix3d::Identity());
  EXPECT_EQ(dense(SymMat3<double>::diagonal(1, 2, 3)), Eigen::Vector3d(1, 2, 3).asDiagonal().toDenseMatrix());
}

TEST(SymMat3, WritesBothHalvesThroughOneEntry) {
  SymMat3<double> a;
  a(2, 0) = 5;
  EXPECT_EQ(a.xz, 5);
  EXPECT_EQ(a(0, 2), 5);
}

TEST(Tilde, IsTheMatrixOfTheCrossProduct) {  // [UNI (B.3)]
  Random random(4);
  for (int i = 0; i < times; ++i) {
    const Vec3<double> p = random.vec3(), q = random.vec3();
    EXPECT_EQ(dense(tilde(p)), skew(dense(p)));
    EXPECT_THAT(dense(tilde(p) * q), IsNear(dense(p).cross(dense(q)), rounding));
  }
}

TEST(Tilde, ObeysItsIdentities) {
  Random random(5);
  for (int i = 0; i < times; ++i) {
    const Vec3<double> p = random.vec3(), q = random.vec3(), a = random.vec3();
    const Mat3<double> P = tilde(p), Q = tilde(q);
    EXPECT_THAT(dense(P * p), IsNear(Eigen::Vector3d::Zero(), rounding));                 // [UNI (B.4)]
    EXPECT_THAT(dense(P.transpose()), IsNear(-dense(P), rounding));                       // [UNI (B.5)]
    EXPECT_THAT(dense(P * q), IsNear(-dense(Q * p), rounding));                           // [UNI (B.6)]
    EXPECT_THAT(dense(tilde(p + a) * q), IsNear(dense(P * q + tilde(a) * q), rounding));  // [UNI (B.7)]
    EXPECT_THAT(dense(tilde(P * q)), IsNear(dense(P * Q - Q * P), rounding));             // [UNI (B.8)]
    EXPECT_THAT(dense(P * Q), IsNear(dense(q) * dense(p).transpose() - dot(p, q) * Eigen::Matrix3d::Identity(),
                                     rounding));  // [UNI (B.9)]
  }
}

TEST(MinusTildeTilde, IsTheSymmetricProductOfTwoTildes) {
  Random random(6);
  for (int i = 0; i < times; ++i) {
    const Vec3<double> a = random.vec3(), b = random.vec3();
    const Mat3<double> A = tilde(a), B = tilde(b);
    EXPECT_THAT(dense(minus_tilde_tilde(a, b)), IsNear(-0.5 * dense(A * B + B * A), rounding));
    EXPECT_THAT(dense(minus_tilde_tilde(a, a)), IsNear(-dense(A * A), rounding));
  }
}

}  // namespace
}  // namespace articula::test
