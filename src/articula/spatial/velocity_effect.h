#pragma once

#include <articula/spatial/inertia.h>

namespace articula::spatial {

/// How the force that a moving body needs changes when a motion ψ is added to its velocity V, beyond M·ψ̇:
///
///     B·ψ = M·(ψ × V) + ψ ×* (M·V + h) + V ×* (M·ψ)
///
/// Here h is an internal angular momentum. Only the angular part of ψ counts:  B·ψ = (L·w, w × 2p)  with the linear
/// momentum p. Like inertias, these add.  [Singh, Russo, Wensing 2022, eq. (36)]
template <class T>
struct VelocityEffect {
  Mat3<T> L = Mat3<T>::zero();
  Vec3<T> p2 = Vec3<T>::zero();  ///< twice the linear momentum

  ARTICULA_INLINE VelocityEffect& operator+=(const VelocityEffect& b) {
    L += b.L, p2 += b.p2;
    return *this;
  }
  ARTICULA_INLINE Force<T> operator*(const Vec3<T>& w) const { return {L * w, cross(w, p2)}; }
};

/// Of a body of inertia M that moves with V and has the momentum M·V + h.
///
///     L = K + Kᵀ − (c·vᵀ + v·cᵀ) + 2(c·v)·1 − ñ,    K = ω̃·I,  c the first moment, n the angular momentum
template <class T>
ARTICULA_INLINE VelocityEffect<T> velocity_effect(const Inertia<T>& M, const Motion<T>& V, const Force<T>& momentum) {
  const Mat3<T> K{
      {{V.w.y * M.I.xz - V.w.z * M.I.xy, V.w.y * M.I.yz - V.w.z * M.I.yy, V.w.y * M.I.zz - V.w.z * M.I.yz},
       {V.w.z * M.I.xx - V.w.x * M.I.xz, V.w.z * M.I.xy - V.w.x * M.I.yz, V.w.z * M.I.xz - V.w.x * M.I.zz},
       {V.w.x * M.I.xy - V.w.y * M.I.xx, V.w.x * M.I.yy - V.w.y * M.I.xy, V.w.x * M.I.yz - V.w.y * M.I.xz}}};
  const Vec3<T>&c = M.h, &v = V.v, &n = momentum.n;
  const T trace = T(2) * dot(c, v);
  const T xy = K(0, 1) + K(1, 0) - (c.x * v.y + c.y * v.x);
  const T xz = K(0, 2) + K(2, 0) - (c.x * v.z + c.z * v.x);
  const T yz = K(1, 2) + K(2, 1) - (c.y * v.z + c.z * v.y);
  return {{{{T(2) * (K(0, 0) - c.x * v.x) + trace, xy + n.z, xz - n.y},
            {xy - n.z, T(2) * (K(1, 1) - c.y * v.y) + trace, yz + n.x},
            {xz + n.y, yz - n.x, T(2) * (K(2, 2) - c.z * v.z) + trace}}},
          T(2) * momentum.f};
}

/// Bᵀ·S, of which only the angular part is not zero.
template <class T>
ARTICULA_INLINE Vec3<T> transpose_times(const VelocityEffect<T>& B, const Motion<T>& S) {
  return plus_cross(transpose_times(B.L, S.w), B.p2, S.v);
}

}  // namespace articula::spatial
