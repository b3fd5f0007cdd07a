#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include <articula/base/text.h>
#include <articula/spatial/articulated_inertia.h>
#include <Eigen/Dense>

#include "support/names.h"

/// Everything of spatial/ as plain matrices, written down once more with Eigen, and random values of each type.
namespace articula::test {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

inline Eigen::Vector3d dense(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

inline Eigen::Matrix3d dense(const Mat3<double>& a) {
  Eigen::Matrix3d m;
  m << a.row[0].x, a.row[0].y, a.row[0].z, a.row[1].x, a.row[1].y, a.row[1].z, a.row[2].x, a.row[2].y, a.row[2].z;
  return m;
}
inline Eigen::Matrix3d dense(const SymMat3<double>& a) {
  Eigen::Matrix3d m;
  m << a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz;
  return m;
}
inline Eigen::Matrix3d dense(const Rotation<double>& R) { return dense(R.m); }

inline Eigen::Matrix4d dense(const Pose<double>& X) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = dense(X.R);
  m.topRightCorner<3, 1>() = dense(X.p);
  return m;
}
template <class T>
Eigen::Matrix4d dense(const Shift<T>& X) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topRightCorner<3, 1>() = dense(X.p);
  return m;
}
template <class T, int k>
Eigen::Matrix4d dense(const Turn<T, k>& X) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = Eigen::AngleAxisd(std::atan2(X.s, X.c), Eigen::Vector3d::Unit(k)).toRotationMatrix();
  m.topRightCorner<3, 1>() = dense(X.p);
  return m;
}

inline Vector6 dense(const Motion<double>& V) { return (Vector6() << dense(V.w), dense(V.v)).finished(); }
inline Vector6 dense(const Force<double>& F) { return (Vector6() << dense(F.n), dense(F.f)).finished(); }

inline Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// X̃ of [UNI (2.14)].
inline Matrix6 skew(const Motion<double>& X) {
  Matrix6 m;
  m << skew(dense(X.w)), Eigen::Matrix3d::Zero(), skew(dense(X.v)), skew(dense(X.w));
  return m;
}

/// V_A = motion_matrix(X_AB)·V_B, from the homogeneous matrix of a pose.
inline Matrix6 motion_matrix(const Eigen::Matrix4d& X) {
  const Eigen::Matrix3d R = X.topLeftCorner<3, 3>();
  const Eigen::Vector3d p = X.topRightCorner<3, 1>();
  return (Matrix6() << R, Eigen::Matrix3d::Zero(), skew(p) * R, R).finished();
}
/// F_A = force_matrix(X_AB)·F_B.
inline Matrix6 force_matrix(const Eigen::Matrix4d& X) {
  const Eigen::Matrix3d R = X.topLeftCorner<3, 3>();
  const Eigen::Vector3d p = X.topRightCorner<3, 1>();
  return (Matrix6() << R, skew(p) * R, Eigen::Matrix3d::Zero(), R).finished();
}

inline Matrix6 dense(const Inertia<double>& M) {
  const Eigen::Matrix3d h = skew(dense(M.h));
  return (Matrix6() << dense(M.I), h, h.transpose(), M.m * Eigen::Matrix3d::Identity()).finished();
}
inline Matrix6 dense(const ArticulatedInertia<double>& M) {
  return (Matrix6() << dense(M.A), dense(M.B), dense(M.B).transpose(), dense(M.C)).finished();
}

/// The largest difference between two matrices; infinite when one holds what is not finite.
template <class A, class B>
double gap(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b) {
  if (!a.allFinite() || !b.allFinite()) return std::numeric_limits<double>::infinity();
  return (a - b).cwiseAbs().maxCoeff();
}

MATCHER_P2(IsNear, expected, tolerance, "") {
  const double off = gap(arg, expected);
  *result_listener << "off by " << off << " where " << tolerance << " is allowed";
  return off <= tolerance;
}

/// Random values of the order of one. A test that fails while one lives tells its seed.
class Random {
 public:
  explicit Random(std::uint32_t seed) : bits_(seed), trace_(__FILE__, __LINE__, concat("seed ", seed)) {}

  double number() { return 2 * (bits_() / 4294967295.0) - 1; }
  Vec3<double> vec3() { return {number(), number(), number()}; }
  Mat3<double> mat3() { return {{vec3(), vec3(), vec3()}}; }
  SymMat3<double> sym_mat3() { return {number(), number(), number(), number(), number(), number()}; }
  Vec3<double> direction() {
    const Eigen::Vector3d n = dense(vec3()).normalized();
    return {n.x(), n.y(), n.z()};
  }
  Quaternion<double> quaternion() {
    const Eigen::Vector4d q = Eigen::Vector4d(number(), number(), number(), number()).normalized();
    return {q(0), q(1), q(2), q(3)};
  }
  Rotation<double> rotation() {
    const Quaternion<double> q = quaternion();
    const Eigen::Matrix3d m = Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
    return {{{{m(0, 0), m(0, 1), m(0, 2)}, {m(1, 0), m(1, 1), m(1, 2)}, {m(2, 0), m(2, 1), m(2, 2)}}}};
  }
  Pose<double> pose() { return {rotation(), vec3()}; }
  Shift<double> shift() { return {vec3()}; }
  template <int k>
  Turn<double, k> turn() {
    const double angle = 4 * number();
    return {std::cos(angle), std::sin(angle), vec3()};
  }
  Motion<double> motion() { return {vec3(), vec3()}; }
  Force<double> force() { return {vec3(), vec3()}; }
  /// Of a real body: eight point masses.
  Inertia<double> inertia() {
    Inertia<double> M;
    for (int i = 0; i < 8; ++i) M += inertia_about_origin(1 + number(), vec3(), SymMat3<double>::zero());
    return M;
  }
  ArticulatedInertia<double> articulated_inertia() { return {sym_mat3(), mat3(), sym_mat3()}; }

 private:
  std::mt19937 bits_;
  testing::ScopedTrace trace_;
};

/// Calls `f` with a random pose of every kind, some times over.
template <class F>
void for_poses_of_every_kind(Random& random, F&& f) {
  constexpr int times = 20;
  for (int i = 0; i < times; ++i) {
    f(random.pose());
    f(random.shift());
    f(random.turn<0>());
    f(random.turn<1>());
    f(random.turn<2>());
  }
}

}  // namespace articula::test
