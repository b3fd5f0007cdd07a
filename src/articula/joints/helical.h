#pragma once

#include <articula/joints/joint_kind.h>

namespace articula {

/// A screw: turns about z by q and advances along z by pitch·q (pitch in metres per radian).
struct Helical : VectorCoordinates<1> {
  static constexpr std::string_view name = "helical";
  static constexpr AxisUse axis_use = AxisUse::one;
  static constexpr bool has_pitch = true;
  static constexpr std::array q{Coordinate{"angle", dimension::angle}};
  static constexpr std::array v{Coordinate{"speed", dimension::angular_speed}};

  template <class T>
  static Pose<T> X_FM(const JointParameters<T>& par, const T* q) {
    return {rotation_about(2, q[0]), {T(0), T(0), par.pitch * q[0]}};
  }
  template <class T>
  static void H_M(const JointParameters<T>& par, const T*, Motion<T>* H) {
    H[0] = {Vec3<T>::unit(2), {T(0), T(0), par.pitch}};
  }
  template <class T>
  static Motion<T> Hdot_v(const JointParameters<T>&, const T*, const T*) {
    return Motion<T>::zero();
  }
};

}  // namespace articula
