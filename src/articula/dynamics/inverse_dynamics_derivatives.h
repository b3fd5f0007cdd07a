#pragma once

#include <algorithm>

#include <articula/dynamics/axes_derivatives.h>
#include <articula/dynamics/columns.h>
#include <articula/dynamics/world_axes.h>
#include <articula/spatial/velocity_effect.h>

namespace articula {

/// What the derivatives of inverse dynamics need beside their inputs. Everything in World's axes.
template <class T>
struct InverseDynamicsDerivatives {
  explicit InverseDynamicsDerivatives(const Mechanism& mech)
      : world(mech),
        V(mech.bodies.size()),
        A(mech.bodies.size()),
        F(mech.bodies.size()),
        M(mech.bodies.size()),
        B(mech.bodies.size()),
        psi_dot(static_cast<std::size_t>(mech.nv)),
        psi_ddot(psi_dot),
        phi_dot(psi_dot),
        t1(mech.nv),
        t2(mech.nv),
        t3(mech.nv),
        t4(mech.nv),
        column_q(static_cast<std::size_t>(mech.nv)),
        column_v(static_cast<std::size_t>(mech.nv)) {}

  WorldAxes<T> world;
  std::vector<Motion<T>> V, A;                        ///< of each body, lifted against gravity
  std::vector<Force<T>> F;                            ///< that it needs, with all that hangs on it
  std::vector<Inertia<T>> M;                          ///< likewise
  std::vector<VelocityEffect<T>> B;                   ///< likewise
  std::vector<Motion<T>> psi_dot, psi_ddot, phi_dot;  ///< how the motion beyond changes with q, with q, with v
  ForceColumns<T> t1, t2, t3, t4;                     ///< M·S, Bᵀ·S, and the changes of force with q and v
  std::vector<T> column_q, column_v;
};

/// Outward: the motion of body i, and how all beyond its joint would move if q or v changed along each axis S_k:
///
///     ∂V/∂q_k = S_k × V + ψ̇_k              ψ̇_k = V_P × S_k + ∂H·v
///     ∂A/∂q_k = S_k × A + ψ̇_k × V + ψ̈_k    ψ̈_k = A_P × S_k + V_P × ψ̇_k + V_B × (∂H·v) + ∂H·vdot + ∂(Ḣ·v)
///     ∂A/∂v_k = S_k × V + φ̇_k              φ̇_k = V_P × S_k + V_B × S_k + ∂(Ḣ·v)/∂v_k
///
/// where ∂ is along q_k in the body's frame: zero for joints whose axes do not change.
template <class T, class P, class Axes>
ARTICULA_INLINE void move_with_derivatives(const Body& body, const Parameters<P>& par, int i, const Axes& H, const T* q,
                                           const T* v, const T* vdot, InverseDynamicsDerivatives<T>& s) {
  const Pose<T>& X_WB = s.world.X_WB[static_cast<std::size_t>(i)];
  const Motion<T>& V_P = s.V[static_cast<std::size_t>(body.parent)];
  const Motion<T>& A_P = s.A[static_cast<std::size_t>(body.parent)];
  Motion<T>&V = s.V[static_cast<std::size_t>(i)], &A = s.A[static_cast<std::size_t>(i)];
  Motion<T> J, dJ;
  H.template each<T>([&](int a, const auto& axis) {
    Motion<T>& S = s.world.S[static_cast<std::size_t>(body.v.first + a)];
    S = X_WB * axis;
    J += S * v[a];
    dJ += S * vdot[a];
  });
  V = V_P + J;
  A = A_P + dJ + cross(V_P, J);
  H.template each<T>([&](int a, const auto&) {
    const auto k = static_cast<std::size_t>(body.v.first + a);
    const Motion<T>& S = s.world.S[k];
    s.psi_dot[k] = cross(V_P, S);
    s.psi_ddot[k] = cross(A_P, S) + cross(V_P, s.psi_dot[k]);
    s.phi_dot[k] = s.psi_dot[k] + (H.count() == 1 ? s.psi_dot[k] : cross(V, S));
  });
  if constexpr (!Axes::constant) {
    A += X_WB * general_bias(body, par, static_cast<std::size_t>(i), q, v);
    if (has_changing_axes(body)) {
      const AxesDerivatives<T> along = axes_derivatives(body, par, i, q, v);
      for (int a = 0; a < H.count(); ++a) {
        Motion<T> dH_v, dH_vdot, dc_dv;
        for (int m = 0; m < H.count(); ++m) {
          dH_v += along.dH[a][m] * v[m];
          dH_vdot += along.dH[a][m] * vdot[m];
          dc_dv += (along.dH[a][m] + along.dH[m][a]) * v[m];
        }
        const auto k = static_cast<std::size_t>(body.v.first + a);
        const Motion<T> eta = X_WB * dH_v;
        s.psi_dot[k] += eta;
        s.psi_ddot[k] += cross(V_P, eta) + cross(V, eta) + X_WB * (dH_vdot + along.dc[a]);
        s.phi_dot[k] += X_WB * dc_dv;
      }
    }
  }
}

/// The derivatives of inverse dynamics along the tangent of q, and along v: nv × nv each, row by row; and tau itself.
///
///     ∂tau_m/∂q_k = S_mᵀ·(M_C·ψ̈_k + B_C·ψ̇_k) + ∂H_mᵀ·F_C     where k is m's own joint or carries it
///                 = S_mᵀ·(M_C·ψ̈_k + B_C·ψ̇_k + S_k ×* F_C)      where m carries k; zero on different branches
///     ∂tau_m/∂v_k = S_mᵀ·(M_C·φ̇_k + B_C·S_k)                  M_C, B_C, F_C: of all beyond the outer joint
///
/// A recursion of its own in World's axes, O(n·depth). Forces applied to a body keep their components in its frame.
/// [Singh, Russo, Wensing, Efficient analytical derivatives of rigid-body dynamics using spatial vector algebra, 2022;
/// extended to joints whose axes change with q, and to gyrostats; UNI (3.49)–(3.57)]
///
/// @pre uniform gravity
template <class T, class P>
ARTICULA_FLAT void inverse_dynamics_derivatives(const Mechanism& mech, const Parameters<P>& par,
                                                const Positions<T>& kin, std::span<const T> q, std::span<const T> v,
                                                std::span<const T> vdot, std::span<const Force<T>> F_applied_B,
                                                InverseDynamicsDerivatives<T>& s, std::span<T> tau,
                                                std::span<T> dtau_dq, std::span<T> dtau_dv) {
  const std::ptrdiff_t nv = mech.nv;
  std::fill(dtau_dq.begin(), dtau_dq.end(), T(0));
  std::fill(dtau_dv.begin(), dtau_dv.end(), T(0));
  s.V[0] = Motion<T>::zero();
  s.A[0] = {Vec3<T>::zero(), over<T>(-par.gravity_W)};

  // Outward: motions, and what each body needs by itself.
  for (int i = 1; i < mech.size(); ++i) {
    const auto b = static_cast<std::size_t>(i);
    const Body& body = mech.bodies[b];
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      s.world.X_WB[b] = world_pose(body, s.world.X_WB[static_cast<std::size_t>(body.parent)], X_PB);
      move_with_derivatives(body, par, i, H, q.data() + body.q.first, v.data() + body.v.first,
                            vdot.data() + body.v.first, s);
    });
    const Pose<T>& X_WB = s.world.X_WB[b];
    const Motion<T>&V = s.V[b], &A = s.A[b];
    const Inertia<T> M = X_WB * par.M_B[b];
    Force<T> momentum = M * V;
    momentum.n += X_WB.R * par.internal_momentum[b];
    s.M[b] = M;
    s.B[b] = velocity_effect(M, V, momentum);
    s.F[b] = M * A + cross(V, momentum);
    if (!F_applied_B.empty()) s.F[b] -= X_WB * F_applied_B[b];
  }

  // Inward: how the force on all beyond a joint changes along its own axes.
  for (int i = mech.size() - 1; i > 0; --i) {
    const auto b = static_cast<std::size_t>(i);
    const Body& body = mech.bodies[b];
    const Inertia<T>& M = s.M[b];
    const VelocityEffect<T>& B = s.B[b];
    const Force<T>& F = s.F[b];
    for (int k : body.v) {
      const auto dof = static_cast<std::size_t>(k);
      const Motion<T>& S = s.world.S[dof];
      tau[dof] = dot(S, F);
      s.t1.set(k, M * S);
      s.t2.set(k, {transpose_times(B, S), Vec3<T>::zero()});
      s.t3.set(k, M * s.psi_ddot[dof] + B * s.psi_dot[dof] + cross(S, F));
      s.t4.set(k, M * s.phi_dot[dof] + B * S);
    }
    if (body.parent > 0) {
      const auto p = static_cast<std::size_t>(body.parent);
      s.M[p] += M;
      s.B[p] += B;
      s.F[p] += F;
    }
  }

  // Each axis against all that hang on its joint: a column below it, a row beside it.
  for (int i = 1; i < mech.size(); ++i) {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    const int first = body.v.first, next = first + body.v.count, end = body.v_beyond;
    for (int n = first; n < next; ++n) {
      const auto dof = static_cast<std::size_t>(n);
      const Motion<T> S = s.world.S[dof], psi_dot = s.psi_dot[dof], psi_ddot = s.psi_ddot[dof],
                      phi_dot = s.phi_dot[dof];
      T *const below_q = s.column_q.data(), *const below_v = s.column_v.data();
      ARTICULA_INDEPENDENT
      for (int k = first; k < end; ++k) {
        const Force<T> t1 = s.t1.at(k);
        const Vec3<T> t2 = s.t2.at(k).n;
        below_q[k] = dot(psi_ddot, t1) + dot(psi_dot.w, t2);
        below_v[k] = dot(phi_dot, t1) + dot(S.w, t2);
      }
      for (int k = first; k < end; ++k) {
        dtau_dq[static_cast<std::size_t>(k * nv + n)] = below_q[k];
        dtau_dv[static_cast<std::size_t>(k * nv + n)] = below_v[k];
      }
      T *const beside_q = dtau_dq.data() + n * nv, *const beside_v = dtau_dv.data() + n * nv;
      ARTICULA_INDEPENDENT
      for (int k = next; k < end; ++k) {
        beside_q[k] = dot(S, s.t3.at(k));
        beside_v[k] = dot(S, s.t4.at(k));
      }
    }
    if (has_changing_axes(body)) {
      const auto b = static_cast<std::size_t>(i);
      const AxesDerivatives<T> along = axes_derivatives(body, par, i, q.data() + body.q.first, v.data() + first);
      const Force<T> F_B = s.world.X_WB[b].inverse() * s.F[b];
      for (int k = 0; k < body.v.count; ++k) {
        for (int m = 0; m < body.v.count; ++m) {
          dtau_dq[static_cast<std::size_t>((first + m) * nv + first + k)] += dot(along.dH[k][m], F_B);
        }
      }
    }
  }
}

}  // namespace articula
