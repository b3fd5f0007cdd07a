#pragma once

#include <articula/joints/joint_kind.h>

namespace articula::joints {

/// Slides along z by q[0] and turns about z by q[1].
struct Cylindrical : VectorCoordinates<2> {
  static constexpr std::string_view name = "cylindrical";
  static constexpr AxisUse axis_use = AxisUse::one;
  static constexpr std::array q{Coordinate{"distance", dimension::length}, Coordinate{"angle", dimension::angle, true}};
  static constexpr std::array v{Coordinate{"speed", dimension::speed},
                                Coordinate{"angular_speed", dimension::angular_speed}};

  template <class T>
  static constexpr auto turns_and_slides(const NoParameters&) {
    return std::array{slide_along<T>(2, 0), turn_about<T>(2, 1)};
  }
  template <class T>
  static Pose<T> X_FM(const NoParameters&, const T* q) {
    return {rotation_about(2, q[1]), {T(0), T(0), q[0]}};
  }
  template <class T>
  static void H_M(const NoParameters&, const T*, Motion<T>* H) {
    H[0] = {Vec3<T>::zero(), Vec3<T>::unit(2)};
    H[1] = {Vec3<T>::unit(2), Vec3<T>::zero()};
  }
  template <class T>
  static Motion<T> Hdot_v(const NoParameters&, const T*, const T*) {
    return Motion<T>::zero();
  }
};

}  // namespace articula::joints
