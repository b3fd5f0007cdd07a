#pragma once

#include <articula/joints/joint_kind.h>

namespace articula::joints {

/// A Cardan joint: turns about x of F by q[0], then about y of M by q[1].
///
///     R_FM = Rx(q0)·Ry(q1),   H = [ Ry(q1)ᵀ·e_x   e_y ]
struct Universal : VectorCoordinates<2> {
  static constexpr std::string_view name = "universal";
  static constexpr AxisUse axis_use = AxisUse::two;
  static constexpr std::array q{Coordinate{"angle1", dimension::angle, true},
                                Coordinate{"angle2", dimension::angle, true}};
  static constexpr std::array v{Coordinate{"speed1", dimension::angular_speed},
                                Coordinate{"speed2", dimension::angular_speed}};

  template <class T>
  static constexpr auto turns_and_slides(const NoParameters&) {
    return std::array{turn_about<T>(0, 0), turn_about<T>(1, 1)};
  }
  template <class T>
  static Pose<T> X_FM(const NoParameters&, const T* q) {
    return {rotation_about(0, q[0]) * rotation_about(1, q[1]), Vec3<T>::zero()};
  }
  template <class T>
  static void H_M(const NoParameters&, const T* q, Motion<T>* H) {
    using std::cos, std::sin;
    H[0] = {{cos(q[1]), T(0), sin(q[1])}, Vec3<T>::zero()};
    H[1] = {Vec3<T>::unit(1), Vec3<T>::zero()};
  }
  template <class T>
  static Motion<T> Hdot_v(const NoParameters&, const T* q, const T* v) {
    using std::cos, std::sin;
    const T rate = v[0] * v[1];
    return {{-sin(q[1]) * rate, T(0), cos(q[1]) * rate}, Vec3<T>::zero()};
  }
  template <class T>
  static void dH_M(const NoParameters&, const T* q, int k, Motion<T>* dH) {
    using std::cos, std::sin;
    dH[0] = dH[1] = Motion<T>::zero();
    if (k == 1) dH[0].w = {-sin(q[1]), T(0), cos(q[1])};
  }
  template <class T>
  static Motion<T> dHdot_v(const NoParameters&, const T* q, const T* v, int k) {
    using std::cos, std::sin;
    if (k == 0) return Motion<T>::zero();
    const T rate = v[0] * v[1];
    return {{-cos(q[1]) * rate, T(0), -sin(q[1]) * rate}, Vec3<T>::zero()};
  }
};

}  // namespace articula::joints
