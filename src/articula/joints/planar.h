#pragma once

#include <articula/joints/joint_kind.h>

namespace articula::joints {

/// Slides in the plane x, y of F by q[0], q[1] and turns about z by q[2]; v is dq/dt.
///
///     H = [ Rz(q2)ᵀ·e_x   Rz(q2)ᵀ·e_y   (e_z, 0) ]
struct Planar : VectorCoordinates<3> {
  static constexpr std::string_view name = "planar";
  static constexpr AxisUse axis_use = AxisUse::one;
  static constexpr std::array q{Coordinate{"x", dimension::length}, Coordinate{"y", dimension::length},
                                Coordinate{"angle", dimension::angle, true}};
  static constexpr std::array v{Coordinate{"vx", dimension::speed}, Coordinate{"vy", dimension::speed},
                                Coordinate{"wz", dimension::angular_speed}};

  template <class T>
  static constexpr auto turns_and_slides(const NoParameters&) {
    return std::array{slide_along<T>(0, 0), slide_along<T>(1, 1), turn_about<T>(2, 2)};
  }
  template <class T>
  static Pose<T> X_FM(const NoParameters&, const T* q) {
    return {rotation_about(2, q[2]), {q[0], q[1], T(0)}};
  }
  template <class T>
  static void H_M(const NoParameters&, const T* q, Motion<T>* H) {
    using std::cos, std::sin;
    const T c = cos(q[2]), s = sin(q[2]);
    H[0] = {Vec3<T>::zero(), {c, -s, T(0)}};
    H[1] = {Vec3<T>::zero(), {s, c, T(0)}};
    H[2] = {Vec3<T>::unit(2), Vec3<T>::zero()};
  }
  template <class T>
  static Motion<T> Hdot_v(const NoParameters&, const T* q, const T* v) {
    using std::cos, std::sin;
    const T c = cos(q[2]), s = sin(q[2]);
    return {Vec3<T>::zero(), {v[2] * (c * v[1] - s * v[0]), -v[2] * (c * v[0] + s * v[1]), T(0)}};
  }
  template <class T>
  static void dH_M(const NoParameters&, const T* q, int k, Motion<T>* dH) {
    using std::cos, std::sin;
    dH[0] = dH[1] = dH[2] = Motion<T>::zero();
    if (k < 2) return;
    const T c = cos(q[2]), s = sin(q[2]);
    dH[0].v = {-s, -c, T(0)};
    dH[1].v = {c, -s, T(0)};
  }
  template <class T>
  static Motion<T> dHdot_v(const NoParameters&, const T* q, const T* v, int k) {
    using std::cos, std::sin;
    if (k < 2) return Motion<T>::zero();
    const T c = cos(q[2]), s = sin(q[2]);
    return {Vec3<T>::zero(), {-v[2] * (c * v[0] + s * v[1]), -v[2] * (c * v[1] - s * v[0]), T(0)}};
  }
};

}  // namespace articula::joints
