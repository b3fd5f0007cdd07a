#pragma once

#include <articula/joints/joint_kind.h>

namespace articula::joints {

/// No constraint: q = [position of M in F, unit quaternion (x, y, z, w)], v = [linear, angular] velocity of M in
/// F, expressed in M.
struct Free {
  static constexpr std::string_view name = "free";
  static constexpr AxisUse axis_use = AxisUse::none;
  static constexpr std::array q{Coordinate{"x", dimension::length}, Coordinate{"y", dimension::length},
                                Coordinate{"z", dimension::length}, Coordinate{"qx", dimension::none},
                                Coordinate{"qy", dimension::none},  Coordinate{"qz", dimension::none},
                                Coordinate{"qw", dimension::none}};
  static constexpr std::array v{Coordinate{"vx", dimension::speed},         Coordinate{"vy", dimension::speed},
                                Coordinate{"vz", dimension::speed},         Coordinate{"wx", dimension::angular_speed},
                                Coordinate{"wy", dimension::angular_speed}, Coordinate{"wz", dimension::angular_speed}};
  static constexpr std::array<double, 7> neutral{0, 0, 0, 0, 0, 0, 1};
  static constexpr int quaternion = 3;
  static constexpr std::array series{Coordinate{"x", dimension::length},    Coordinate{"y", dimension::length},
                                     Coordinate{"z", dimension::length},    Coordinate{"roll", dimension::angle},
                                     Coordinate{"pitch", dimension::angle}, Coordinate{"yaw", dimension::angle}};

  template <class T>
  static Pose<T> X_FM(const NoParameters&, const T* q) {
    return {rotation_of(QuaternionCoordinates::read(q + 3)), {q[0], q[1], q[2]}};
  }
  template <class T>
  static void H_M(const NoParameters&, const T*, Motion<T>* H) {
    for (int k = 0; k < 3; ++k) {
      H[k] = {Vec3<T>::zero(), Vec3<T>::unit(k)};
      H[k + 3] = {Vec3<T>::unit(k), Vec3<T>::zero()};
    }
  }
  template <class T>
  static Motion<T> Hdot_v(const NoParameters&, const T*, const T*) {
    return Motion<T>::zero();
  }

  /// The position moves with R·v, the quaternion with the angular part.
  template <class T>
  static void qdot(const T* q, const T* v, T* rate) {
    const Vec3<T> p = rotation_of(QuaternionCoordinates::read(q + 3)) * Vec3<T>{v[0], v[1], v[2]};
    rate[0] = p.x, rate[1] = p.y, rate[2] = p.z;
    QuaternionCoordinates::qdot(q + 3, v + 3, rate + 3);
  }
  template <class T>
  static void advanced(const T* q, const T* dv, T* q_new) {
    const Vec3<T> p = rotation_of(QuaternionCoordinates::read(q + 3)) * Vec3<T>{dv[0], dv[1], dv[2]};
    q_new[0] = q[0] + p.x, q_new[1] = q[1] + p.y, q_new[2] = q[2] + p.z;
    QuaternionCoordinates::advanced(q + 3, dv + 3, q_new + 3);
  }
  template <class T>
  static void difference(const T* q0, const T* q1, T* dv) {
    const Vec3<T> p{q1[0] - q0[0], q1[1] - q0[1], q1[2] - q0[2]};
    const Vec3<T> p_M = rotation_of(QuaternionCoordinates::read(q0 + 3)).rotate_back(p);
    dv[0] = p_M.x, dv[1] = p_M.y, dv[2] = p_M.z;
    QuaternionCoordinates::difference(q0 + 3, q1 + 3, dv + 3);
  }
};

}  // namespace articula::joints
