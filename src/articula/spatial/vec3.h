#pragma once

#include <cmath>

#include <articula/base/modules.h>

/// Small algebra is inlined even into long recursions, where compilers lose courage: functions, and lambdas.
///
/// An algorithm is flat if everything is inlined into it that it calls: above all what it does with each kind of joint.
///
/// Under sanitizers, which instrument every copy, nothing is forced: clang would take ten minutes a file.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ARTICULA_INLINE inline
#define ARTICULA_INLINED
#define ARTICULA_FLAT
#endif
#endif
#ifndef ARTICULA_FLAT
#define ARTICULA_INLINE [[gnu::always_inline]] inline
#define ARTICULA_INLINED __attribute__((always_inline))
#define ARTICULA_FLAT [[gnu::flatten]]
#endif

namespace articula::spatial {

/// The scalar of a product of an A with a B: a pack times a double is a pack.
template <class A, class B>
using Product = decltype(A{} * B{});

/// A vector of three coordinates; in which frame, its name says.
template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  static Vec3 zero() { return {T(0), T(0), T(0)}; }

  /// The unit vector along coordinate axis k.
  static Vec3 unit(int k) { return {T(k == 0), T(k == 1), T(k == 2)}; }

  ARTICULA_INLINE T& operator[](int k) { return k == 0 ? x : k == 1 ? y : z; }
  ARTICULA_INLINE const T& operator[](int k) const { return k == 0 ? x : k == 1 ? y : z; }

  template <class B>
  ARTICULA_INLINE Vec3& operator+=(const Vec3<B>& b) {
    x += b.x, y += b.y, z += b.z;
    return *this;
  }
  template <class B>
  ARTICULA_INLINE Vec3& operator-=(const Vec3<B>& b) {
    x -= b.x, y -= b.y, z -= b.z;
    return *this;
  }

  friend bool operator==(const Vec3&, const Vec3&) = default;
};

template <class A, class B>
ARTICULA_INLINE auto operator+(const Vec3<A>& a, const Vec3<B>& b) {
  return Vec3<Product<A, B>>{a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class A, class B>
ARTICULA_INLINE auto operator-(const Vec3<A>& a, const Vec3<B>& b) {
  return Vec3<Product<A, B>>{a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
ARTICULA_INLINE Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class A, class B>
ARTICULA_INLINE auto operator*(const A& k, const Vec3<B>& b) -> Vec3<Product<A, B>> {
  return {k * b.x, k * b.y, k * b.z};
}
template <class A, class B>
ARTICULA_INLINE auto operator*(const Vec3<A>& a, const B& k) -> Vec3<Product<A, B>> {
  return {a.x * k, a.y * k, a.z * k};
}
template <class A, class B>
ARTICULA_INLINE auto dot(const Vec3<A>& a, const Vec3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class A, class B>
ARTICULA_INLINE auto cross(const Vec3<A>& a, const Vec3<B>& b) {
  return Vec3<Product<A, B>>{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// a + b·c and a + b × c, summed from left to right: where multiplications and additions are fused, one step for each
/// product and none beside.
template <class A, class B, class C>
ARTICULA_INLINE auto plus_dot(const A& a, const Vec3<B>& b, const Vec3<C>& c) {
  return a + b.x * c.x + b.y * c.y + b.z * c.z;
}
template <class A, class B, class C>
ARTICULA_INLINE auto plus_cross(const Vec3<A>& a, const Vec3<B>& b, const Vec3<C>& c) {
  return Vec3<Product<A, Product<B, C>>>{a.x + b.y * c.z - b.z * c.y, a.y + b.z * c.x - b.x * c.z,
                                         a.z + b.x * c.y - b.y * c.x};
}
template <class T>
T norm(const Vec3<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
/// The same vector over the scalar C: a constant among packs or dual numbers.
template <class C, class B>
ARTICULA_INLINE Vec3<C> over(const Vec3<B>& a) {
  return {C(a.x), C(a.y), C(a.z)};
}

/// A 3×3 matrix, row by row.
template <class T>
struct Mat3 {
  Vec3<T> row[3];

  static Mat3 zero() { return {}; }
  static Mat3 identity() { return {{Vec3<T>::unit(0), Vec3<T>::unit(1), Vec3<T>::unit(2)}}; }

  ARTICULA_INLINE T& operator()(int i, int j) { return row[i][j]; }
  ARTICULA_INLINE const T& operator()(int i, int j) const { return row[i][j]; }
  ARTICULA_INLINE Vec3<T> column(int j) const { return {row[0][j], row[1][j], row[2][j]}; }

  ARTICULA_INLINE Mat3 transpose() const { return {{column(0), column(1), column(2)}}; }

  template <class B>
  ARTICULA_INLINE Mat3& operator+=(const Mat3<B>& b) {
    row[0] += b.row[0], row[1] += b.row[1], row[2] += b.row[2];
    return *this;
  }

  friend bool operator==(const Mat3& a, const Mat3& b) {
    return a.row[0] == b.row[0] && a.row[1] == b.row[1] && a.row[2] == b.row[2];
  }
};

template <class A, class B>
ARTICULA_INLINE auto operator*(const Mat3<A>& a, const Vec3<B>& b) {
  return Vec3<Product<A, B>>{dot(a.row[0], b), dot(a.row[1], b), dot(a.row[2], b)};
}
/// aᵀ·b, without forming the transpose.
template <class A, class B>
ARTICULA_INLINE auto transpose_times(const Mat3<A>& a, const Vec3<B>& b) {
  return a.row[0] * b.x + a.row[1] * b.y + a.row[2] * b.z;
}
template <class A, class B>
ARTICULA_INLINE auto operator*(const Mat3<A>& a, const Mat3<B>& b) {
  return Mat3<Product<A, B>>{
      {transpose_times(b, a.row[0]), transpose_times(b, a.row[1]), transpose_times(b, a.row[2])}};
}
template <class A, class B>
ARTICULA_INLINE auto operator+(const Mat3<A>& a, const Mat3<B>& b) {
  return Mat3<Product<A, B>>{{a.row[0] + b.row[0], a.row[1] + b.row[1], a.row[2] + b.row[2]}};
}
template <class A, class B>
ARTICULA_INLINE auto operator-(const Mat3<A>& a, const Mat3<B>& b) {
  return Mat3<Product<A, B>>{{a.row[0] - b.row[0], a.row[1] - b.row[1], a.row[2] - b.row[2]}};
}
template <class C, class B>
ARTICULA_INLINE Mat3<C> over(const Mat3<B>& a) {
  return {{over<C>(a.row[0]), over<C>(a.row[1]), over<C>(a.row[2])}};
}
template <class T>
T determinant(const Mat3<T>& a) {
  return dot(a.row[0], cross(a.row[1], a.row[2]));
}

/// The matrix of a cross product: tilde(a)·b = a × b.  [UNI (2.12)]
template <class T>
ARTICULA_INLINE Mat3<T> tilde(const Vec3<T>& a) {
  return {{{T(0), -a.z, a.y}, {a.z, T(0), -a.x}, {-a.y, a.x, T(0)}}};
}

/// A symmetric 3×3 matrix by its upper triangle.
template <class T>
struct SymMat3 {
  T xx{}, xy{}, xz{}, yy{}, yz{}, zz{};

  static SymMat3 zero() { return {T(0), T(0), T(0), T(0), T(0), T(0)}; }
  static SymMat3 diagonal(T x, T y, T z) { return {x, T(0), T(0), y, T(0), z}; }
  static SymMat3 identity() { return diagonal(T(1), T(1), T(1)); }

  ARTICULA_INLINE T& operator()(int i, int j) { return this->*entry(i, j); }
  ARTICULA_INLINE const T& operator()(int i, int j) const { return this->*entry(i, j); }

  Mat3<T> dense() const { return {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}}; }

  /// The symmetric part of a matrix that should be symmetric.
  static SymMat3 of(const Mat3<T>& a) {
    const auto mean = [&](int i, int j) { return T(0.5) * (a(i, j) + a(j, i)); };
    return {a(0, 0), mean(0, 1), mean(0, 2), a(1, 1), mean(1, 2), a(2, 2)};
  }

  template <class B>
  ARTICULA_INLINE SymMat3& operator+=(const SymMat3<B>& b) {
    xx += b.xx, xy += b.xy, xz += b.xz, yy += b.yy, yz += b.yz, zz += b.zz;
    return *this;
  }
  template <class B>
  ARTICULA_INLINE SymMat3& operator-=(const SymMat3<B>& b) {
    xx -= b.xx, xy -= b.xy, xz -= b.xz, yy -= b.yy, yz -= b.yz, zz -= b.zz;
    return *this;
  }

  friend bool operator==(const SymMat3&, const SymMat3&) = default;

 private:
  ARTICULA_INLINE static constexpr T SymMat3::*entry(int i, int j) {
    constexpr T SymMat3::*entries[3][3] = {{&SymMat3::xx, &SymMat3::xy, &SymMat3::xz},
                                           {&SymMat3::xy, &SymMat3::yy, &SymMat3::yz},
                                           {&SymMat3::xz, &SymMat3::yz, &SymMat3::zz}};
    return entries[i][j];
  }
};

template <class A, class B>
ARTICULA_INLINE auto operator*(const SymMat3<A>& a, const Vec3<B>& b) {
  return Vec3<Product<A, B>>{a.xx * b.x + a.xy * b.y + a.xz * b.z, a.xy * b.x + a.yy * b.y + a.yz * b.z,
                             a.xz * b.x + a.yz * b.y + a.zz * b.z};
}
template <class A, class B>
ARTICULA_INLINE auto operator+(const SymMat3<A>& a, const SymMat3<B>& b) {
  return SymMat3<Product<A, B>>{a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
template <class A, class B>
ARTICULA_INLINE auto operator-(const SymMat3<A>& a, const SymMat3<B>& b) {
  return SymMat3<Product<A, B>>{a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yy - b.yy, a.yz - b.yz, a.zz - b.zz};
}
template <class C, class B>
ARTICULA_INLINE SymMat3<C> over(const SymMat3<B>& a) {
  return {C(a.xx), C(a.xy), C(a.xz), C(a.yy), C(a.yz), C(a.zz)};
}
template <class T>
ARTICULA_INLINE SymMat3<T> operator*(const T& k, const SymMat3<T>& a) {
  return {k * a.xx, k * a.xy, k * a.xz, k * a.yy, k * a.yz, k * a.zz};
}

/// (a·b)·1 − ½(a·bᵀ + b·aᵀ) = −½(ã·b̃ + b̃·ã). With a = b it is −ã·ã, the inertia of a unit mass at a.
template <class A, class B>
ARTICULA_INLINE auto minus_tilde_tilde(const Vec3<A>& a, const Vec3<B>& b) {
  using T = Product<A, B>;
  const T half(0.5);
  const T x = a.x * b.x, y = a.y * b.y, z = a.z * b.z;
  return SymMat3<T>{y + z, -half * (a.x * b.y + a.y * b.x), -half * (a.x * b.z + a.z * b.x),
                    x + z, -half * (a.y * b.z + a.z * b.y), x + y};
}

}  // namespace articula::spatial
