#pragma once

#include <articula/joints/joint_kind.h>

namespace articula::joints {

/// A ball: q is the unit quaternion (x, y, z, w) of M in F, v the angular velocity of M in F, expressed in M.
struct Spherical : QuaternionCoordinates {
  static constexpr std::string_view name = "spherical";
  static constexpr AxisUse axis_use = AxisUse::none;
  static constexpr std::array q{Coordinate{"qx", dimension::none}, Coordinate{"qy", dimension::none},
                                Coordinate{"qz", dimension::none}, Coordinate{"qw", dimension::none}};
  static constexpr std::array v{Coordinate{"wx", dimension::angular_speed}, Coordinate{"wy", dimension::angular_speed},
                                Coordinate{"wz", dimension::angular_speed}};
  static constexpr std::array<double, 4> neutral{0, 0, 0, 1};

  template <class T>
  static Pose<T> X_FM(const NoParameters&, const T* q) {
    return {rotation_of(read(q)), Vec3<T>::zero()};
  }
  template <class T>
  static void H_M(const NoParameters&, const T*, Motion<T>* H) {
    for (int k = 0; k < 3; ++k) H[k] = {Vec3<T>::unit(k), Vec3<T>::zero()};
  }
  template <class T>
  static Motion<T> Hdot_v(const NoParameters&, const T*, const T*) {
    return Motion<T>::zero();
  }
};

}  // namespace articula::joints
