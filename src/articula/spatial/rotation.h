#pragma once

#include <articula/scalar/select.h>
#include <articula/spatial/vec3.h>

namespace articula::spatial {

/// The orientation of frame B in A as a matrix: p_A = R_AB · p_B.
template <class T>
struct Rotation {
  Mat3<T> m = Mat3<T>::identity();

  static Rotation identity() { return {}; }

  ARTICULA_INLINE Rotation inverse() const { return {m.transpose()}; }

  template <class B>
  ARTICULA_INLINE auto rotate(const Vec3<B>& v_B) const {
    return m * v_B;
  }
  template <class B>
  ARTICULA_INLINE auto rotate_back(const Vec3<B>& v_A) const {
    return transpose_times(m, v_A);
  }

  friend bool operator==(const Rotation& a, const Rotation& b) { return a.m == b.m; }
};

template <class A, class B>
ARTICULA_INLINE auto operator*(const Rotation<A>& R_AB, const Rotation<B>& R_BC) {
  return Rotation<Product<A, B>>{R_AB.m * R_BC.m};
}
template <class A, class B>
ARTICULA_INLINE auto operator*(const Rotation<A>& R_AB, const Vec3<B>& v_B) {
  return R_AB.m * v_B;
}

/// About coordinate axis k by the angle with cosine c and sine s.
template <class T>
Rotation<T> rotation_about(int k, const T& c, const T& s) {
  const int a = (k + 1) % 3, b = (k + 2) % 3;
  Rotation<T> R;
  R.m(a, a) = c, R.m(a, b) = -s;
  R.m(b, a) = s, R.m(b, b) = c;
  return R;
}
template <class T>
Rotation<T> rotation_about(int k, const T& angle) {
  using std::cos, std::sin;
  return rotation_about(k, T(cos(angle)), T(sin(angle)));
}

/// A unit quaternion, vector part first.
template <class T>
struct Quaternion {
  T x = T(0), y = T(0), z = T(0), w = T(1);

  friend bool operator==(const Quaternion&, const Quaternion&) = default;
};

template <class T>
Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
template <class T>
Quaternion<T> conjugate(const Quaternion<T>& a) {
  return {-a.x, -a.y, -a.z, a.w};
}
template <class T>
T squared_norm(const Quaternion<T>& a) {
  return a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w;
}

/// R(q) = 1 + 2w·ṽ + 2ṽ·ṽ, exact for a unit quaternion.
template <class T>
Rotation<T> rotation_of(const Quaternion<T>& q) {
  const T x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const T xx = q.x * x2, xy = q.x * y2, xz = q.x * z2, yy = q.y * y2, yz = q.y * z2, zz = q.z * z2;
  const T wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  const T one(1);
  return {{{{one - (yy + zz), xy - wz, xz + wy},
            {xy + wz, one - (xx + zz), yz - wx},
            {xz - wy, yz + wx, one - (xx + yy)}}}};
}

/// The quaternion of a turn by the rotation vector `phi` (axis times angle), exact at zero.
template <class T>
Quaternion<T> quaternion_exp(const Vec3<T>& phi) {
  using std::cos, std::sin, std::sqrt;
  const T angle2 = dot(phi, phi);
  // sin(a/2)/a by its series near zero, so that derivatives exist there too.
  const auto small = angle2 < T(1e-8);
  const T angle = sqrt(select(small, T(1), angle2));
  const T k = select(small, T(0.5) - angle2 * (T(1.0 / 48) - angle2 * T(1.0 / 3840)), sin(T(0.5) * angle) / angle);
  const T w = select(small, T(1) - angle2 * (T(0.125) - angle2 * T(1.0 / 384)), cos(T(0.5) * angle));
  return {k * phi.x, k * phi.y, k * phi.z, w};
}

/// The rotation vector of a unit quaternion, of length at most π: the inverse of quaternion_exp.
template <class T>
Vec3<T> quaternion_log(const Quaternion<T>& q) {
  using std::atan2, std::sqrt;
  const Vec3<T> v{q.x, q.y, q.z};
  const T sine2 = dot(v, v);
  const T sign = select(q.w < T(0), T(-1), T(1));
  const auto small = sine2 < T(1e-16);
  const T sine = sqrt(select(small, T(1), sine2));
  return select(small, sign * T(2), T(2) * atan2(sine, sign * q.w) / sine * sign) * v;
}

}  // namespace articula::spatial
