#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include <articula/dynamics/lanes/columns.h>
#include <articula/spatial/inertia.h>
#include <articula/spatial/velocity_effect.h>

/// How motions and forces change with the state, for the derivatives of inverse dynamics. Everything in World's axes.
namespace articula::dynamics {

/// A body with all that hangs on it, as if rigid.
template <class T>
struct MovingComposite {
  Inertia<T> M;
  VelocityEffect<T> B;
  Force<T> F;  ///< that it needs

  ARTICULA_INLINE MovingComposite& operator+=(const MovingComposite& b) {
    if constexpr (std::is_same_v<T, double>) {  // all numbers alike, so that the compiler takes several at once
      auto* const to = reinterpret_cast<std::byte*>(this);
      const auto* const from = reinterpret_cast<const std::byte*>(&b);
      ARTICULA_INDEPENDENT
      for (std::size_t k = 0; k < sizeof(MovingComposite); k += sizeof(double)) {
        double sum, more;
        std::memcpy(&sum, to + k, sizeof sum);
        std::memcpy(&more, from + k, sizeof more);
        sum += more;
        std::memcpy(to + k, &sum, sizeof sum);
      }
    } else {
      M += b.M, B += b.B, F += b.F;
    }
    return *this;
  }
};

/// What a body needs by itself, and how that changes, where it moves with V and A and has the inertia M_B and the internal
/// momentum h_B.
template <class T, class P>
ARTICULA_INLINE MovingComposite<T> moving_body(const Pose<T>& X_WB, const Motion<T>& V, const Motion<T>& A,
                                               const Inertia<P>& M_B, const Vec3<P>& h_B) {
  const Inertia<T> M = X_WB * M_B;
  Force<T> momentum = M * V;
  momentum.n += X_WB.R * h_B;
  return {M, velocity_effect(M, V, momentum), plus_cross(M * A, V, momentum)};
}

/// How all beyond a joint would move if q or v changed along an axis S of it, where its parent moves with V_P and A_P:
///
///     ∂V/∂q_k = S_k × V + ψ̇_k              ψ̇_k = V_P × S_k + ∂H·v
///     ∂A/∂q_k = S_k × A + ψ̇_k × V + ψ̈_k    ψ̈_k = A_P × S_k + V_P × ψ̇_k + V_B × (∂H·v) + ∂H·vdot + ∂(Ḣ·v)
///     ∂A/∂v_k = S_k × V + φ̇_k              φ̇_k = V_P × S_k + V_B × S_k + ∂(Ḣ·v)/∂v_k
///
/// where ∂ is along q_k in the body's frame. Here without ∂, and with V_P for V_B, which is the same for one axis.
template <class T>
struct MotionChanges {
  ARTICULA_INLINE MotionChanges(const Motion<T>& V_P, const Motion<T>& A_P, const Motion<T>& S)
      : psi_dot(cross(V_P, S)), psi_ddot(plus_cross(cross(A_P, S), V_P, psi_dot)), phi_dot(psi_dot + psi_dot) {}

  Motion<T> psi_dot, psi_ddot, phi_dot;
};

/// How the force on all beyond a joint changes along an axis S of it,
///
///     t1 = M_C·S,  t2 = B_Cᵀ·S,  t3 = M_C·ψ̈ + B_C·ψ̇ + S ×* F_C,  t4 = M_C·φ̇ + B_C·S
///
/// where t2 and ψ̇ matter by their angular parts only.
template <class T>
struct ForceChanges {
  ARTICULA_INLINE ForceChanges(const MovingComposite<T>& C, const Motion<T>& S, const Vec3<T>& psi_dot,
                               const Motion<T>& psi_ddot, const Motion<T>& phi_dot)
      : t1(C.M * S),
        t2(transpose_times(C.B, S)),
        t3(plus_cross(C.M * psi_ddot + C.B * psi_dot, S, C.F)),
        t4(C.M * phi_dot + C.B * S.w) {}

  Force<T> t1;
  Vec3<T> t2;
  Force<T> t3, t4;
};

}  // namespace articula::dynamics
