#pragma once

#include <articula/joints/joint_kind.h>

namespace articula {

/// A weld: M is F. The builder merges the bodies on either side.
struct Fixed : VectorCoordinates<0> {
  static constexpr std::string_view name = "fixed";
  static constexpr AxisUse axis_use = AxisUse::none;
  static constexpr bool has_pitch = false;
  static constexpr std::array<Coordinate, 0> q{};
  static constexpr std::array<Coordinate, 0> v{};

  template <class T>
  static Pose<T> X_FM(const JointParameters<T>&, const T*) {
    return Pose<T>::identity();
  }
  template <class T>
  static void H_M(const JointParameters<T>&, const T*, Motion<T>*) {}
  template <class T>
  static Motion<T> Hdot_v(const JointParameters<T>&, const T*, const T*) {
    return Motion<T>::zero();
  }
};

}  // namespace articula
