#pragma once

#include <articula/joints/joint_kind.h>

namespace articula::joints {

/// A slide along z by q.
struct Prismatic : VectorCoordinates<1> {
  static constexpr std::string_view name = "prismatic";
  static constexpr AxisUse axis_use = AxisUse::one;
  static constexpr std::array q{Coordinate{"distance", dimension::length}};
  static constexpr std::array v{Coordinate{"speed", dimension::speed}};

  template <class T>
  static constexpr auto turns_and_slides(const NoParameters&) {
    return std::array{slide_along<T>(2, 0)};
  }
  template <class T>
  static Pose<T> X_FM(const NoParameters&, const T* q) {
    return {Rotation<T>::identity(), {T(0), T(0), q[0]}};
  }
  template <class T>
  static void H_M(const NoParameters&, const T*, Motion<T>* H) {
    H[0] = {Vec3<T>::zero(), Vec3<T>::unit(2)};
  }
  template <class T>
  static Motion<T> Hdot_v(const NoParameters&, const T*, const T*) {
    return Motion<T>::zero();
  }
};

}  // namespace articula::joints
