#pragma once

#include <articula/spatial/axis.h>

namespace articula::spatial {

/// The inertia of a rigid body about the origin of frame B: mass m, first moment h = m·c, second moment I.
///
///     M_B = | I   h̃ |
///           | h̃ᵀ  m·1 |
///
/// About the origin, not the centre of mass: so inertias add, and a massless body is no special case.
template <class T>
struct Inertia {
  T m = T(0);
  Vec3<T> h = Vec3<T>::zero();
  SymMat3<T> I = SymMat3<T>::zero();

  static Inertia zero() { return {}; }

  template <class B>
  ARTICULA_INLINE Inertia& operator+=(const Inertia<B>& b) {
    m += b.m, h += b.h, I += b.I;
    return *this;
  }

  friend bool operator==(const Inertia&, const Inertia&) = default;
};

/// From the mass, the centre of mass c and the inertia J about the centre of mass (Steiner).
template <class T>
Inertia<T> inertia_about_origin(const T& m, const Vec3<T>& c, const SymMat3<T>& J_c) {
  return {m, m * c, J_c + m * minus_tilde_tilde(c, c)};
}

/// The inertia about the centre of mass c = h/m. @pre m > 0
template <class T>
SymMat3<T> inertia_about_center(const Inertia<T>& M) {
  const Vec3<T> c = M.h * (T(1) / M.m);
  return M.I - M.m * minus_tilde_tilde(c, c);
}

template <class A, class B>
ARTICULA_INLINE auto operator+(const Inertia<A>& a, const Inertia<B>& b) {
  return Inertia<Product<A, B>>{a.m + b.m, a.h + b.h, a.I + b.I};
}

template <class C, class B>
ARTICULA_INLINE Inertia<C> over(const Inertia<B>& a) {
  return {C(a.m), over<C>(a.h), over<C>(a.I)};
}

/// The momentum of a body that moves with V, or the force it needs for an acceleration.
template <class A, class B>
ARTICULA_INLINE auto operator*(const Inertia<A>& M, const Motion<B>& V) {
  return Force<Product<A, B>>{plus_cross(M.I * V.w, M.h, V.v), plus_cross(M.m * V.v, V.w, M.h)};
}

/// The same for a unit motion along a coordinate axis.
template <class A, class P, int k>
ARTICULA_INLINE Force<A> operator*(const Inertia<A>& M, const TurnAxis<P, k>& H) {
  constexpr int a = (k + 1) % 3, b = (k + 2) % 3;
  Force<A> F{{H.sign * M.I(0, k), H.sign * M.I(1, k), H.sign * M.I(2, k)}, Vec3<A>::zero()};
  F.f[a] = -H.sign * M.h[b], F.f[b] = H.sign * M.h[a];
  return F;
}
template <class A, class P, int k>
ARTICULA_INLINE Force<A> operator*(const Inertia<A>& M, const SlideAxis<P, k>& H) {
  constexpr int a = (k + 1) % 3, b = (k + 2) % 3;
  Force<A> F;
  F.n[a] = H.sign * M.h[b], F.n[b] = -H.sign * M.h[a];
  F.f[k] = H.sign * M.m;
  return F;
}

/// M_A = X_AB · M_B: the same inertia about the origin of A, in axes of A.
template <AnyPose X, class T>
ARTICULA_INLINE auto operator*(const X& X_AB, const Inertia<T>& M_B) {
  using C = Product<typename X::Scalar, T>;
  const auto& p = X_AB.p;
  const Vec3<C> h = X_AB.rotate(M_B.h);
  const SymMat3<C> I = X_AB.rotate(M_B.I);
  // I − p̃·h̃ − h̃·p̃ − m·p̃·p̃ = I − p̃·h̃_A − h̃·p̃ with the first moment about the origin of A
  const Vec3<C> h_A{h.x + M_B.m * p.x, h.y + M_B.m * p.y, h.z + M_B.m * p.z}, both = h + h_A;
  return Inertia<C>{
      C(M_B.m),
      h_A,
      {I.xx + p.y * both.y + p.z * both.z, I.xy - p.x * h_A.y - p.y * h.x, I.xz - p.x * h_A.z - p.z * h.x,
       I.yy + p.x * both.x + p.z * both.z, I.yz - p.y * h_A.z - p.z * h.y, I.zz + p.x * both.x + p.y * both.y}};
}

}  // namespace articula::spatial
