#pragma once

#include <articula/joints/kinds.h>
#include <articula/spatial/orientation.h>

namespace articula::joints {

/// How a time series enters a joint: x(t) with its first two derivatives gives q, v and vdot.
///
///     follow(x, xdot, xddot, q, v, vdot)
///     series_at(q, x)                     the x that gives q
///
/// This is for kinds whose v is dq/dt, where x is q; others have one of their own below. The coordinates of x are `series`
/// of the kind, and the law that holds for each is in laws.h.
template <class J>
struct JointSeries {
  static_assert(J::q.size() == J::v.size(), "v of this joint kind is not dq/dt: specialize JointSeries for it");

  template <class T>
  static void follow(const T* x, const T* xdot, const T* xddot, T* q, T* v, T* vdot) {
    for (std::size_t k = 0; k < J::v.size(); ++k) q[k] = x[k], v[k] = xdot[k], vdot[k] = xddot[k];
  }
  static void series_at(const double* q, double* x) { std::copy_n(q, J::q.size(), x); }
};

/// A frame that turns as roll, pitch and yaw say, R = Rz(yaw)·Ry(pitch)·Rx(roll): about z, then y, then x, each turn carrying
/// the ones before it.
///
///     ω ← Rₖᵀ·ω + θ̇ₖ·eₖ,   ω̇ ← Rₖᵀ·ω̇ + θ̈ₖ·eₖ + (Rₖᵀ·ω) × θ̇ₖ·eₖ,   in the axes after the turn
template <class T>
struct TurningFrame {
  Rotation<T> R = Rotation<T>::identity();
  Vec3<T> w = Vec3<T>::zero(), wdot = Vec3<T>::zero();

  TurningFrame(const T* rpy, const T* rate, const T* more) {
    for (const int k : {2, 1, 0}) {
      const Rotation<T> turn = rotation_about(k, rpy[k]);
      const Vec3<T> along = Vec3<T>::unit(k) * rate[k];
      R = R * turn;
      w = turn.rotate_back(w);
      wdot = turn.rotate_back(wdot) + Vec3<T>::unit(k) * more[k] + cross(w, along);
      w += along;
    }
  }
};

/// Roll, pitch and yaw.
template <std::derived_from<QuaternionCoordinates> J>
struct JointSeries<J> {
  template <class T>
  static void follow(const T* rpy, const T* rate, const T* more, T* q, T* w, T* wdot) {
    follow(TurningFrame<T>(rpy, rate, more), rpy, q, w, wdot);
  }
  template <class T>
  static void follow(const TurningFrame<T>& frame, const T* rpy, T* q, T* w, T* wdot) {
    // By half angles, so that its sign does not jump.
    const auto turned = [&](int k) {
      using std::cos, std::sin;
      const T half = rpy[k] / T(2);
      const Vec3<T> axis = Vec3<T>::unit(k) * T(sin(half));
      return Quaternion<T>{axis.x, axis.y, axis.z, cos(half)};
    };
    QuaternionCoordinates::write(turned(2) * turned(1) * turned(0), q);
    for (int k = 0; k < 3; ++k) w[k] = frame.w[k], wdot[k] = frame.wdot[k];
  }
  static void series_at(const double* q, double* rpy) {
    const Vec3<double> angles = rpy_of(rotation_of(QuaternionCoordinates::read(q)));
    for (int k = 0; k < 3; ++k) rpy[k] = angles[k];
  }
};

/// Position, then roll, pitch and yaw:  v = Rᵀ·ṗ,  v̇ = Rᵀ·p̈ − ω × v
template <std::derived_from<Free> J>
struct JointSeries<J> {
  template <class T>
  static void follow(const T* x, const T* xdot, const T* xddot, T* q, T* v, T* vdot) {
    const TurningFrame<T> frame(x + 3, xdot + 3, xddot + 3);
    JointSeries<Spherical>::follow(frame, x + 3, q + 3, v + 3, vdot + 3);
    const Vec3<T> rate = frame.R.rotate_back(Vec3<T>{xdot[0], xdot[1], xdot[2]});
    const Vec3<T> more = frame.R.rotate_back(Vec3<T>{xddot[0], xddot[1], xddot[2]}) - cross(frame.w, rate);
    for (int k = 0; k < 3; ++k) q[k] = x[k], v[k] = rate[k], vdot[k] = more[k];
  }
  static void series_at(const double* q, double* x) {
    std::copy_n(q, 3, x);
    JointSeries<Spherical>::series_at(q + 3, x + 3);
  }
};

}  // namespace articula::joints
