#pragma once

#include <articula/spatial/inertia.h>

namespace articula::spatial {

/// The Coriolis map of a body of inertia M that moves with V: a matrix B, in the place of ½Ṁ, with
///
///     B·V = V ×* (M·V),    Ṁ − 2·B skew-symmetric,    B = ½·(V×*·M − M·V× + (M·V)×̄*),
///
/// where F×̄* takes a motion W to W ×* F. It is a 3×3 matrix and a vector, since three of its blocks cancel:
///
///     B = |  E   0 |     E = ω̃·(I − ½·tr(I)·1) − h̃·ṽ,     f = m·v + ω × h, the momentum
///         | −f̃   0 |
///
/// Like inertias, the maps of connected bodies can be added when they are expressed in one frame.
/// [Echeandia & Wensing 2021, "Numerical methods to compute the Coriolis matrix and Christoffel symbols"]
template <class T>
struct Coriolis {
  Mat3<T> E = Mat3<T>::zero();
  Vec3<T> f = Vec3<T>::zero();

  static Coriolis zero() { return {}; }

  ARTICULA_INLINE Coriolis& operator+=(const Coriolis& b) {
    E += b.E, f += b.f;
    return *this;
  }
};

/// That of a rigid body with inertia M about the origin of B, and with a constant internal momentum (of a gyrostat),
/// whose force ω × l is a skew part of its own: E −= l̃.
template <class P, class T>
Coriolis<T> coriolis_map(const Inertia<P>& M, const Vec3<P>& internal_momentum, const Motion<T>& V) {
  const P half_trace = P(0.5) * (M.I.xx + M.I.yy + M.I.zz);
  const SymMat3<P> S = M.I - SymMat3<P>::diagonal(half_trace, half_trace, half_trace);
  const Mat3<T> E = tilde(V.w) * S.dense() - tilde(M.h) * tilde(V.v);
  return {E - tilde(internal_momentum), (M * V).f};
}

template <class T, class P>
ARTICULA_INLINE Force<T> operator*(const Coriolis<T>& B, const Motion<P>& V) {
  return {B.E * V.w, cross(V.w, B.f)};
}
/// Bᵀ·V.
template <class T, class P>
ARTICULA_INLINE Force<T> transpose_times(const Coriolis<T>& B, const Motion<P>& V) {
  return {transpose_times(B.E, V.w) + cross(B.f, V.v), Vec3<T>::zero()};
}

/// B_A = X_AB · B_B: the same map, seen from A.  E_A = R·E·Rᵀ − p̃·f̃_A,  −p̃·f̃ = (p·f)·1 − f·pᵀ
template <AnyPose X, class T>
ARTICULA_INLINE Coriolis<T> operator*(const X& X_AB, const Coriolis<T>& B) {
  const Vec3<T> f = X_AB.rotate(B.f);
  const Vec3<T> p = over<T>(X_AB.p);
  const T pf = dot(p, f);
  Mat3<T> E = X_AB.rotate(B.E);
  for (int i = 0; i < 3; ++i) E.row[i] -= f[i] * p, E(i, i) += pf;
  return {E, f};
}

}  // namespace articula::spatial
