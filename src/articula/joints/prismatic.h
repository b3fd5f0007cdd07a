#pragma once

#include <articula/joints/joint_kind.h>

namespace articula {

/// A slide along z by q.
struct Prismatic : VectorCoordinates<1> {
  static constexpr std::string_view name = "prismatic";
  static constexpr AxisUse axis_use = AxisUse::one;
  static constexpr bool has_pitch = false;
  static constexpr std::array q{Coordinate{"distance", dimension::length}};
  static constexpr std::array v{Coordinate{"speed", dimension::speed}};

  template <class T>
  static Pose<T> X_FM(const JointParameters<T>&, const T* q) {
    return {Rotation<T>::identity(), {T(0), T(0), q[0]}};
  }
  template <class T>
  static void H_M(const JointParameters<T>&, const T*, Motion<T>* H) {
    H[0] = {Vec3<T>::zero(), Vec3<T>::unit(2)};
  }
  template <class T>
  static Motion<T> Hdot_v(const JointParameters<T>&, const T*, const T*) {
    return Motion<T>::zero();
  }
};

}  // namespace articula
