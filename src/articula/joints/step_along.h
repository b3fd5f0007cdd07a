#pragma once

#include <concepts>

#include <articula/joints/kinds.h>

namespace articula::joints {

/// How a joint kind takes a step in time, where the components of v may refer to axes that turn with M.
///
///     hold_axes(v, vdot)      adds to vdot what makes it the rate of v in axes that do not turn with M
///     step_along(h, q, v)     q ⊕ h·v in place; v, given in the axes before the step, in those after it
///
/// This is for kinds whose v is dq/dt; others have one of their own below. The law that holds for each is in laws.h.
template <class J>
struct JointStep {
  static_assert(J::q.size() == J::v.size(), "v of this joint kind is not dq/dt: specialize JointStep for it");

  template <class T>
  static void hold_axes(const T*, T*) {}
  template <class T>
  static void step_along(const T& h, T* q, T* v) {
    for (std::size_t k = 0; k < J::v.size(); ++k) q[k] += h * v[k];
  }
};

/// The quaternion of a turn by the rotation vector `phi`, by series instead of sines and without a branch, so that it can
/// be recorded. Exact to rounding for turns up to 1 rad, to 1e-9 up to 3 rad.
template <class T>
Quaternion<T> quaternion_of_step(const Vec3<T>& phi) {
  const T x = T(0.25) * dot(phi, phi);  // the square of half the angle
  T sine(1), cosine(1);
  for (int k = 12; k >= 2; k -= 2) {
    sine = T(1) - x * sine * T(1.0 / (k * (k + 1)));
    cosine = T(1) - x * cosine * T(1.0 / (k * (k - 1)));
  }
  const T k = T(0.5) * sine;
  return {k * phi.x, k * phi.y, k * phi.z, cosine};
}

template <std::derived_from<QuaternionCoordinates> J>
struct JointStep<J> {
  /// ω̇ is the same in M's axes and in axes at rest: ω × ω = 0.
  template <class T>
  static void hold_axes(const T*, T*) {}
  /// A turn leaves its own axis as it is, and so ω.
  template <class T>
  static void step_along(const T& h, T* q, T* w) {
    using std::sqrt;
    const Quaternion<T> a = QuaternionCoordinates::read(q) * quaternion_of_step(h * Vec3<T>{w[0], w[1], w[2]});
    const T scale = T(1) / sqrt(squared_norm(a));
    q[0] = scale * a.x, q[1] = scale * a.y, q[2] = scale * a.z, q[3] = scale * a.w;
  }
};

template <std::derived_from<Free> J>
struct JointStep<J> {
  /// Rᵀ·d(R·v)/dt = v̇ + ω × v
  template <class T>
  static void hold_axes(const T* v, T* vdot) {
    const Vec3<T> turning = cross(Vec3<T>{v[3], v[4], v[5]}, Vec3<T>{v[0], v[1], v[2]});
    vdot[0] += turning.x, vdot[1] += turning.y, vdot[2] += turning.z;
  }
  /// The position moves along the velocity in the axes before the step, which are then turned.
  template <class T>
  static void step_along(const T& h, T* q, T* v) {
    const Vec3<T> velocity{v[0], v[1], v[2]};
    const Vec3<T> p = rotation_of(QuaternionCoordinates::read(q + 3)) * (h * velocity);
    q[0] += p.x, q[1] += p.y, q[2] += p.z;
    JointStep<Spherical>::step_along(h, q + 3, v + 3);
    // Divided by |a|², which rounding leaves off 1, so that it does not add up in |v|.
    const Quaternion<T> a = quaternion_of_step(h * Vec3<T>{v[3], v[4], v[5]});
    const T two = T(2) / squared_norm(a);
    const Vec3<T> axis{a.x, a.y, a.z}, once = cross(axis, velocity), twice = cross(axis, once);
    const Vec3<T> turned = velocity - (two * a.w) * once + two * twice;
    v[0] = turned.x, v[1] = turned.y, v[2] = turned.z;
  }
};

}  // namespace articula::joints
