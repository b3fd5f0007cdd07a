#pragma once

#include <articula/spatial/axis.h>
#include <articula/spatial/inertia.h>

namespace articula::spatial {

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

/// The motion V with M·V = F, by the factors L·D·Lᵀ of M.
template <class T>
Motion<T> inverse_times(const ArticulatedInertia<T>& M, const Force<T>& F) {
  T L[6][6], x[6], d[6];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) L[i][j] = M.A(i, j), L[3 + j][i] = M.B(i, j), L[3 + i][3 + j] = M.C(i, j);
    x[i] = F.n[i], x[3 + i] = F.f[i];
  }
  for (int j = 0; j < 6; ++j) {
    d[j] = T(1) / L[j][j];
    for (int i = j + 1; i < 6; ++i) {
      const T factor = L[i][j] * d[j];
      for (int k = i; k < 6; ++k) L[k][i] -= factor * L[k][j];
      x[i] -= factor * x[j];
    }
  }
  for (int j = 5; j >= 0; --j) {
    for (int i = j + 1; i < 6; ++i) x[j] -= L[i][j] * x[i];
    x[j] *= d[j];
  }
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

/// A + p̃·Bᵀ − (B + p̃·C)·p̃ and B + p̃·C: an articulated inertia about a point shifted by −p.
template <class P, class T>
ARTICULA_INLINE ArticulatedInertia<T> shifted(const Vec3<P>& p, const SymMat3<T>& A, const Mat3<T>& B,
                                              const SymMat3<T>& C) {
  const Vec3<T> c[3] = {{C.xx, C.xy, C.xz}, {C.xy, C.yy, C.yz}, {C.xz, C.yz, C.zz}};
  const Mat3<T> E{{B.row[0] + p.y * c[2] - p.z * c[1], B.row[1] + p.z * c[0] - p.x * c[2],
                   B.row[2] + p.x * c[1] - p.y * c[0]}};  // B + p̃·C
  // Entry (i, j) of p̃·Bᵀ is (p × row j of B)_i; of −E·p̃ it is (p × row i of E)_j.
  const auto entry = [&](int i, int j) ARTICULA_INLINED {
    const int a = (i + 1) % 3, b = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
    return A(i, j) + p[a] * B(j, b) - p[b] * B(j, a) + p[r] * E(i, s) - p[s] * E(i, r);
  };
  return {{entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)}, E, C};
}

/// M_A = X_AB · M_B: first turned, then shifted.
template <AnyPose X, class T>
ARTICULA_INLINE auto operator*(const X& X_AB, const ArticulatedInertia<T>& M_B) {
  return shifted(X_AB.p, X_AB.rotate(M_B.A), X_AB.rotate(M_B.B), X_AB.rotate(M_B.C));
}

/// What is left of an articulated inertia when a turn about coordinate axis k gives way: no motion about k meets
/// resistance, so that row k of A and of B is zero and is not kept.
template <class T, int k>
struct Released {
  static constexpr int a = (k + 1) % 3, b = (k + 2) % 3;

  T A_aa, A_ab, A_bb;
  Vec3<T> B_a, B_b;
  SymMat3<T> C;
};

/// M − U·d·Uᵀ with U = M·H and d = 1/(Hᵀ·M·H).
template <class T, class P, int k>
ARTICULA_INLINE Released<T, k> release(const ArticulatedInertia<T>& M, const TurnAxis<P, k>&, const Force<T>& U,
                                       const T& d) {
  constexpr int a = Released<T, k>::a, b = Released<T, k>::b;
  const T da = d * U.n[a], db = d * U.n[b];
  const Vec3<T> df = d * U.f;
  return {M.A(a, a) - U.n[a] * da,
          M.A(a, b) - U.n[a] * db,
          M.A(b, b) - U.n[b] * db,
          M.B.row[a] - U.n[a] * df,
          M.B.row[b] - U.n[b] * df,
          M.C - SymMat3<T>{U.f.x * df.x, U.f.x * df.y, U.f.x * df.z, U.f.y * df.y, U.f.y * df.z, U.f.z * df.z}};
}
template <class T, class Axis>
ARTICULA_INLINE ArticulatedInertia<T> release(ArticulatedInertia<T> M, const Axis&, const Force<T>& U, const T& d) {
  subtract_outer(M, U, d);
  return M;
}

template <class T, int k>
ARTICULA_INLINE Force<T> operator*(const Released<T, k>& M, const Motion<T>& V) {
  constexpr int a = Released<T, k>::a, b = Released<T, k>::b;
  Force<T> F;
  F.n[a] = plus_dot(M.A_aa * V.w[a] + M.A_ab * V.w[b], M.B_a, V.v);
  F.n[b] = plus_dot(M.A_ab * V.w[a] + M.A_bb * V.w[b], M.B_b, V.v);
  F.f = M.B_a * V.w[a] + M.B_b * V.w[b] + M.C * V.v;
  return F;
}

/// Through the joint that gave way, whose turn is about the same axis.
template <class T, int k, class P>
ARTICULA_INLINE ArticulatedInertia<T> operator*(const Turn<T, k, P>& X_AB, const Released<T, k>& M) {
  constexpr int a = Released<T, k>::a, b = Released<T, k>::b;
  const T &c = X_AB.c, &s = X_AB.s;
  const T cc = c * c, ss = s * s, cs = c * s;
  const T both = T(2) * cs * M.A_ab;
  SymMat3<T> A;
  A(a, a) = cc * M.A_aa - both + ss * M.A_bb;
  A(b, b) = ss * M.A_aa + both + cc * M.A_bb;
  A(a, b) = cs * (M.A_aa - M.A_bb) + (cc - ss) * M.A_ab;
  const Vec3<T> row_a = X_AB.rotate(M.B_a), row_b = X_AB.rotate(M.B_b);
  Mat3<T> B;
  B.row[a] = c * row_a - s * row_b;
  B.row[b] = s * row_a + c * row_b;
  return shifted(X_AB.p, A, B, X_AB.rotate(M.C));
}

}  // namespace articula::spatial
