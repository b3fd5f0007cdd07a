#pragma once

#include <articula/joints/joint_kind.h>

namespace articula::joints {

/// A hinge: turns about z by q.
struct Revolute : VectorCoordinates<1> {
  static constexpr std::string_view name = "revolute";
  static constexpr AxisUse axis_use = AxisUse::one;
  static constexpr std::array q{Coordinate{"angle", dimension::angle, true}};
  static constexpr std::array v{Coordinate{"speed", dimension::angular_speed}};

  template <class T>
  static constexpr auto turns_and_slides(const NoParameters&) {
    return std::array{turn_about<T>(2, 0)};
  }
  template <class T>
  static Pose<T> X_FM(const NoParameters&, const T* q) {
    return {rotation_about(2, q[0]), Vec3<T>::zero()};
  }
  template <class T>
  static void H_M(const NoParameters&, const T*, Motion<T>* H) {
    H[0] = {Vec3<T>::unit(2), Vec3<T>::zero()};
  }
  template <class T>
  static Motion<T> Hdot_v(const NoParameters&, const T*, const T*) {
    return Motion<T>::zero();
  }
};

}  // namespace articula::joints
