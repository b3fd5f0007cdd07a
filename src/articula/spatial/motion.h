#pragma once

#include <articula/spatial/pose.h>

namespace articula::spatial {

/// A spatial velocity or acceleration: angular part w, linear part v of the frame's origin.
template <class T>
struct Motion {
  Vec3<T> w = Vec3<T>::zero();
  Vec3<T> v = Vec3<T>::zero();

  static Motion zero() { return {}; }

  template <class B>
  ARTICULA_INLINE Motion& operator+=(const Motion<B>& b) {
    w += b.w, v += b.v;
    return *this;
  }
  template <class B>
  ARTICULA_INLINE Motion& operator-=(const Motion<B>& b) {
    w -= b.w, v -= b.v;
    return *this;
  }

  friend bool operator==(const Motion&, const Motion&) = default;
};

/// A spatial force or momentum: moment n about the frame's origin, force f.
template <class T>
struct Force {
  Vec3<T> n = Vec3<T>::zero();
  Vec3<T> f = Vec3<T>::zero();

  static Force zero() { return {}; }

  template <class B>
  ARTICULA_INLINE Force& operator+=(const Force<B>& b) {
    n += b.n, f += b.f;
    return *this;
  }
  template <class B>
  ARTICULA_INLINE Force& operator-=(const Force<B>& b) {
    n -= b.n, f -= b.f;
    return *this;
  }

  friend bool operator==(const Force&, const Force&) = default;
};

template <class A, class B>
ARTICULA_INLINE auto operator+(const Motion<A>& a, const Motion<B>& b) {
  return Motion<Product<A, B>>{a.w + b.w, a.v + b.v};
}
template <class A, class B>
ARTICULA_INLINE auto operator-(const Motion<A>& a, const Motion<B>& b) {
  return Motion<Product<A, B>>{a.w - b.w, a.v - b.v};
}
template <class T>
ARTICULA_INLINE Motion<T> operator-(const Motion<T>& a) {
  return {-a.w, -a.v};
}
template <class A, class B>
ARTICULA_INLINE auto operator*(const Motion<A>& a, const B& k) -> Motion<Product<A, B>> {
  return {a.w * k, a.v * k};
}
template <class A, class B>
ARTICULA_INLINE auto operator+(const Force<A>& a, const Force<B>& b) {
  return Force<Product<A, B>>{a.n + b.n, a.f + b.f};
}
template <class A, class B>
ARTICULA_INLINE auto operator-(const Force<A>& a, const Force<B>& b) {
  return Force<Product<A, B>>{a.n - b.n, a.f - b.f};
}
template <class T>
ARTICULA_INLINE Force<T> operator-(const Force<T>& a) {
  return {-a.n, -a.f};
}
template <class A, class B>
ARTICULA_INLINE auto operator*(const Force<A>& a, const B& k) -> Force<Product<A, B>> {
  return {a.n * k, a.f * k};
}

/// The power of a force on a motion.
template <class A, class B>
ARTICULA_INLINE auto dot(const Motion<A>& V, const Force<B>& F) {
  return plus_dot(dot(V.w, F.n), V.v, F.f);
}

/// V × W, the rate of a motion W that is fixed in a frame moving with V.  [UNI (2.13)]
template <class A, class B>
ARTICULA_INLINE auto cross(const Motion<A>& V, const Motion<B>& W) {
  return Motion<Product<A, B>>{cross(V.w, W.w), plus_cross(cross(V.w, W.v), V.v, W.w)};
}

/// V ×* F = −Ṽᵀ·F, the rate of a force F that is fixed in a frame moving with V.
template <class A, class B>
ARTICULA_INLINE auto cross(const Motion<A>& V, const Force<B>& F) {
  return Force<Product<A, B>>{plus_cross(cross(V.w, F.n), V.v, F.f), cross(V.w, F.f)};
}

/// A + V × W and F + V ×* G.
template <class A, class B, class C>
ARTICULA_INLINE auto plus_cross(const Motion<A>& a, const Motion<B>& V, const Motion<C>& W) {
  return Motion<Product<A, Product<B, C>>>{plus_cross(a.w, V.w, W.w), plus_cross(plus_cross(a.v, V.w, W.v), V.v, W.w)};
}
template <class A, class B, class C>
ARTICULA_INLINE auto plus_cross(const Force<A>& F, const Motion<B>& V, const Force<C>& G) {
  return Force<Product<A, Product<B, C>>>{plus_cross(plus_cross(F.n, V.w, G.n), V.v, G.f), plus_cross(F.f, V.w, G.f)};
}

/// V_A = X_AB · V_B: the same motion, seen from A.
template <AnyPose X, class T>
ARTICULA_INLINE auto operator*(const X& X_AB, const Motion<T>& V_B) {
  const auto w = X_AB.rotate(V_B.w);
  return Motion<Product<typename X::Scalar, T>>{w, plus_cross(X_AB.rotate(V_B.v), X_AB.p, w)};
}
template <AnyPose X, class T>
ARTICULA_INLINE auto operator*(const Inverse<X>& X_BA, const Motion<T>& V_A) {
  const X& X_AB = X_BA.X_AB;
  return Motion<Product<typename X::Scalar, T>>{X_AB.rotate_back(V_A.w),
                                                X_AB.rotate_back(plus_cross(V_A.v, V_A.w, X_AB.p))};
}

/// F_A = X_AB · F_B: the same force, seen from A.
template <AnyPose X, class T>
ARTICULA_INLINE auto operator*(const X& X_AB, const Force<T>& F_B) {
  const auto f = X_AB.rotate(F_B.f);
  return Force<Product<typename X::Scalar, T>>{plus_cross(X_AB.rotate(F_B.n), X_AB.p, f), f};
}
template <AnyPose X, class T>
ARTICULA_INLINE auto operator*(const Inverse<X>& X_BA, const Force<T>& F_A) {
  const X& X_AB = X_BA.X_AB;
  return Force<Product<typename X::Scalar, T>>{X_AB.rotate_back(plus_cross(F_A.n, F_A.f, X_AB.p)),
                                               X_AB.rotate_back(F_A.f)};
}

/// The same motion or force over the scalar C.
template <class C, class B>
ARTICULA_INLINE Motion<C> over(const Motion<B>& a) {
  return {over<C>(a.w), over<C>(a.v)};
}
template <class C, class B>
ARTICULA_INLINE Force<C> over(const Force<B>& a) {
  return {over<C>(a.n), over<C>(a.f)};
}

}  // namespace articula::spatial
