#pragma once

#include <articula/spatial/axis.h>
#include <articula/spatial/inertia.h>

namespace articula {

/// The apparent inertia of a body with others hanging on it by joints: any symmetric map from motions to forces.
///
///     | n |   | A   B | | w |
///     | f | = | Bᵀ  C | | v |
template <class T>
struct ArticulatedInertia {
  SymMat3<T> A = SymMat3<T>::zero();
  Mat3<T> B = Mat3<T>::zero();
  SymMat3<T> C = SymMat3<T>::zero();

  static ArticulatedInertia zero() { return {}; }

  /// That of a single rigid body.
  template <class P>
  static ArticulatedInertia of(const Inertia<P>& M) {
    const T m(M.m);
    return {over<T>(M.I), tilde(over<T>(M.h)), SymMat3<T>::diagonal(m, m, m)};
  }

  ARTICULA_INLINE ArticulatedInertia& operator+=(const ArticulatedInertia& b) {
    A += b.A, B += b.B, C += b.C;
    return *this;
  }
};

template <class A, class B>
ARTICULA_INLINE auto operator*(const ArticulatedInertia<A>& M, const Motion<B>& V) {
  return Force<Product<A, B>>{M.A * V.w + M.B * V.v, transpose_times(M.B, V.w) + M.C * V.v};
}

/// M·H for a coordinate axis: a row of M.
template <class T, class P, int k>
ARTICULA_INLINE Force<T> operator*(const ArticulatedInertia<T>& M, const TurnAxis<P, k>& H) {
  return {H.sign * Vec3<T>{M.A(0, k), M.A(1, k), M.A(2, k)}, H.sign * M.B.row[k]};
}
template <class T, class P, int k>
ARTICULA_INLINE Force<T> operator*(const ArticulatedInertia<T>& M, const SlideAxis<P, k>& H) {
  return {H.sign * M.B.column(k), H.sign * Vec3<T>{M.C(0, k), M.C(1, k), M.C(2, k)}};
}

/// M −= U·d·Uᵀ, what a joint with U = M·H and d = 1/(Hᵀ·M·H) takes away.
template <class T>
ARTICULA_INLINE void subtract_outer(ArticulatedInertia<T>& M, const Force<T>& U, const T& d) {
  const Vec3<T> dn = d * U.n, df = d * U.f;
  M.A -= SymMat3<T>{U.n.x * dn.x, U.n.x * dn.y, U.n.x * dn.z, U.n.y * dn.y, U.n.y * dn.z, U.n.z * dn.z};
  M.B.row[0] -= U.n.x * df, M.B.row[1] -= U.n.y * df, M.B.row[2] -= U.n.z * df;
  M.C -= SymMat3<T>{U.f.x * df.x, U.f.x * df.y, U.f.x * df.z, U.f.y * df.y, U.f.y * df.z, U.f.z * df.z};
}

/// M_A = X_AB · M_B. First turned, then shifted:  B″ = B′ + p̃·C′,  A″ = A′ + p̃·B′ᵀ − B″·p̃.
template <AnyPose X, class T>
ARTICULA_INLINE auto operator*(const X& X_AB, const ArticulatedInertia<T>& M_B) {
  using S = Product<decltype(X_AB.p.x), T>;
  const auto& p = X_AB.p;
  const SymMat3<S> A = X_AB.rotate(M_B.A), C = X_AB.rotate(M_B.C);
  const Mat3<S> B = X_AB.rotate(M_B.B);
  const Vec3<S> c[3] = {{C.xx, C.xy, C.xz}, {C.xy, C.yy, C.yz}, {C.xz, C.yz, C.zz}};
  const Mat3<S> E{{B.row[0] + (p.y * c[2] - p.z * c[1]), B.row[1] + (p.z * c[0] - p.x * c[2]),
                   B.row[2] + (p.x * c[1] - p.y * c[0])}};  // B″
  // Entry (i, j) of p̃·B′ᵀ is (p × row j of B′)_i; of −B″·p̃ it is (p × row i of B″)_j.
  const Vec3<S> b[3] = {cross(p, B.row[0]), cross(p, B.row[1]), cross(p, B.row[2])};
  const Vec3<S> e[3] = {cross(p, E.row[0]), cross(p, E.row[1]), cross(p, E.row[2])};
  const auto entry = [&](int i, int j) { return A(i, j) + b[j][i] + e[i][j]; };
  return ArticulatedInertia<S>{
      {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)}, E, C};
}

}  // namespace articula
