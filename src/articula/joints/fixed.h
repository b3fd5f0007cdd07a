#pragma once

#include <articula/joints/joint_kind.h>

namespace articula::joints {

/// A weld: M is F. The builder merges the bodies on either side.
struct Fixed : VectorCoordinates<0> {
  static constexpr std::string_view name = "fixed";
  static constexpr AxisUse axis_use = AxisUse::none;
  static constexpr std::array<Coordinate, 0> q{};
  static constexpr std::array<Coordinate, 0> v{};

  template <class T>
  static Pose<T> X_FM(const NoParameters&, const T*) {
    return Pose<T>::identity();
  }
  template <class T>
  static void H_M(const NoParameters&, const T*, Motion<T>*) {}
  template <class T>
  static Motion<T> Hdot_v(const NoParameters&, const T*, const T*) {
    return Motion<T>::zero();
  }
};

}  // namespace articula::joints
