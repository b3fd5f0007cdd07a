#pragma once

#include <algorithm>

#include <articula/dynamics/armature.h>
#include <articula/dynamics/axes_derivatives.h>
#include <articula/dynamics/lanes/column_kernels.h>
#include <articula/dynamics/lanes/derivative_columns.h>
#include <articula/dynamics/world_axes.h>

namespace articula::dynamics {

/// What the derivatives of inverse dynamics need beside their inputs. Everything in World's axes.
template <class T>
struct InverseDynamicsDerivatives {
  explicit InverseDynamicsDerivatives(const Mechanism& mech)
      : world(mech),
        V(mech.bodies.size() + 1),
        A(V.size()),
        composite(mech.bodies.size()),
        S(mech.nv),
        psi_dot(mech.nv),
        psi_ddot(mech.nv),
        phi_dot(mech.nv),
        t1(mech.nv),
        t2(mech.nv),
        t3(mech.nv),
        t4(mech.nv),
        tau(static_cast<std::size_t>(lanes::padded<T>(mech.nv))),
        at(mech, lanes::padded<T>(mech.nv)) {}

  WorldAxes<T> world;
  std::vector<Motion<T>> V, A;                            ///< of each body, lifted against gravity
  std::vector<MovingComposite<T>> composite;              ///< each body with all that hangs on it
  lanes::MotionColumns<T> S, psi_dot, psi_ddot, phi_dot;  ///< how the motion beyond changes with q, with q, with v
  lanes::ForceColumns<T> t1, t2, t3, t4;                  ///< M·S, Bᵀ·S, and the changes of force with q and v
  lanes::LineVector<T> tau;
  lanes::DofTable at;
  const lanes::ColumnKernels* kernels = &lanes::column_kernels();  ///< of doubles only
};

/// Outward: the motion of body i, and its axes S, which `put` takes and gives back.
///
///     V = V_P + S·v,    A = A_P + S·vdot + V_P × (S·v) + Ḣ·v
template <class T, class P, class Axes, class Put>
ARTICULA_INLINE void move_in_world(const Body& body, const Parameters<P>& par, int i, const Axes& H, const T* q,
                                   const T* v, const T* vdot, InverseDynamicsDerivatives<T>& s, Put&& put) {
  const Pose<T>& X_WB = s.world.X_WB[static_cast<std::size_t>(i)];
  const Motion<T>& V_P = s.V[static_cast<std::size_t>(body.parent)];
  Motion<T>& A = s.A[static_cast<std::size_t>(i)];
  Motion<T> J, dJ;
  H.template each<T>([&](int a, const auto& axis) {
    const Motion<T>& S = put(body.v.first + a, X_WB * axis);
    J += S * v[a];
    dJ += S * vdot[a];
  });
  s.V[static_cast<std::size_t>(i)] = V_P + J;
  A = plus_cross(s.A[static_cast<std::size_t>(body.parent)] + dJ, V_P, J);
  if constexpr (!Axes::constant) A += X_WB * general_bias(body, par, static_cast<std::size_t>(i), q, v);
}

/// What joints with several axes add to ψ̇, ψ̈ and φ̇ (MotionChanges), and joints whose axes change with q.
template <class T, class P>
[[gnu::noinline]] void add_changes_of_axes(const Body& body, const Parameters<P>& par, int i, const T* q, const T* v,
                                           const T* vdot, InverseDynamicsDerivatives<T>& s) {
  const Motion<T>&V_P = s.V[static_cast<std::size_t>(body.parent)], &V = s.V[static_cast<std::size_t>(i)];
  for (int k : body.v) s.phi_dot.set(k, s.phi_dot.at(k) + cross(V - V_P, s.S.at(k)));
  if (!has_changing_axes(body)) return;
  const Pose<T>& X_WB = s.world.X_WB[static_cast<std::size_t>(i)];
  const AxesDerivatives<T> along = axes_derivatives(body, par, i, q, v);
  for (int a = 0; a < body.v.count; ++a) {
    Motion<T> dH_v, dH_vdot, dc_dv;
    for (int m = 0; m < body.v.count; ++m) {
      dH_v += along.dH[a][m] * v[m];
      dH_vdot += along.dH[a][m] * vdot[m];
      dc_dv += (along.dH[a][m] + along.dH[m][a]) * v[m];
    }
    const int k = body.v.first + a;
    const Motion<T> eta = X_WB * dH_v;
    lanes::store(lanes::angular<T>(s.psi_dot.rows(), k) + eta.w, s.psi_dot.rows(), k);
    s.psi_ddot.set(k, s.psi_ddot.at(k) + cross(V_P, eta) + cross(V, eta) + X_WB * (dH_vdot + along.dc[a]));
    s.phi_dot.set(k, s.phi_dot.at(k) + X_WB * dc_dv);
  }
}

/// Column k of what axes that change with q add to ∂tau/∂q: ∂H_mᵀ·F_C, m in the same joint.
template <class T, class P>
[[gnu::noinline]] void add_changes_of_projection(const Body& body, const Parameters<P>& par, int i, int k, const T* q,
                                                 const T* v, const InverseDynamicsDerivatives<T>& s, T* column,
                                                 std::ptrdiff_t apart) {
  const AxesDerivatives<T> along = axes_derivatives(body, par, i, q + body.q.first, v + body.v.first);
  const Force<T> F_B = s.world.X_WB[static_cast<std::size_t>(i)].inverse() * s.composite[static_cast<std::size_t>(i)].F;
  for (int m = 0; m < body.v.count; ++m) column[(body.v.first + m) * apart] += dot(along.dH[k - body.v.first][m], F_B);
}

/// All of it but the matrices, body by body: outward motions and how they change, inward forces.
template <class T, class P>
ARTICULA_FLAT void changes_of_inverse_dynamics(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                                               const T* q, const T* v, const T* vdot,
                                               std::span<const Force<T>> F_applied_B,
                                               InverseDynamicsDerivatives<T>& s) {
  s.V[0] = Motion<T>::zero();
  s.A[0] = {Vec3<T>::zero(), over<T>(-par.gravity_W)};
  for (int i = 1; i < mech.size(); ++i) {
    const auto b = static_cast<std::size_t>(i);
    const Body& body = mech.bodies[b];
    const T *const q_i = q + body.q.first, *const v_i = v + body.v.first, *const vdot_i = vdot + body.v.first;
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      const auto p = static_cast<std::size_t>(body.parent);
      s.world.X_WB[b] = world_pose(body, s.world.X_WB[p], X_PB);
      move_in_world(body, par, i, H, q_i, v_i, vdot_i, s, [&](int k, const Motion<T>& S) {
        const MotionChanges<T> changes(s.V[p], s.A[p], S);
        s.S.set(k, S);
        lanes::store(changes.psi_dot.w, s.psi_dot.rows(), k);
        s.psi_ddot.set(k, changes.psi_ddot);
        s.phi_dot.set(k, changes.phi_dot);
        return S;
      });
    });
    if (body.axis == AxisForm::general) add_changes_of_axes(body, par, i, q_i, v_i, vdot_i, s);
    s.composite[b] = moving_body(s.world.X_WB[b], s.V[b], s.A[b], par.M_B[b], par.internal_momentum[b]);
    if (!F_applied_B.empty()) s.composite[b].F -= s.world.X_WB[b] * F_applied_B[b];
  }
  for (std::size_t b = mech.bodies.size() - 1; b > 0; --b) {
    const Body& body = mech.bodies[b];
    const MovingComposite<T>& C = s.composite[b];
    if (body.parent > 0) s.composite[static_cast<std::size_t>(body.parent)] += C;
    for (int k : body.v) {
      const Motion<T> S = s.S.at(k);
      const ForceChanges<T> changes(C, S, lanes::angular<T>(s.psi_dot.rows(), k), s.psi_ddot.at(k), s.phi_dot.at(k));
      s.t1.set(k, changes.t1);
      lanes::store(changes.t2, s.t2.rows(), k);
      s.t3.set(k, changes.t3);
      s.t4.set(k, changes.t4);
      s.tau[static_cast<std::size_t>(k)] = dot(S, C.F);
    }
  }
}

/// Column k of ∂tau/∂q and ∂tau/∂v, `apart` from one row to the next: only where k carries the row, or the other way round.
template <class T, class P>
ARTICULA_INLINE void derivative_column(const Mechanism& mech, const Parameters<P>& par, const T* q, const T* v,
                                       const InverseDynamicsDerivatives<T>& s, int k, T* dq, T* dv,
                                       std::ptrdiff_t apart) {
  const auto at = static_cast<std::size_t>(k);
  const int first = s.at.first[at];
  const Force<T> t3 = s.t3.at(k), t4 = s.t4.at(k);
  for (int m = s.at.carrier[static_cast<std::size_t>(first)]; m >= 0; m = s.at.carrier[static_cast<std::size_t>(m)]) {
    const Motion<T> S = s.S.at(m);
    dq[m * apart] = dot(S, t3);
    dv[m * apart] = dot(S, t4);
  }
  const Motion<T> psi_ddot = s.psi_ddot.at(k), phi_dot = s.phi_dot.at(k);
  const Vec3<T> psi_dot = lanes::angular<T>(s.psi_dot.rows(), k), S = lanes::angular<T>(s.S.rows(), k);
  for (int m = first; m < s.at.beyond[at]; ++m) {
    const Force<T> t1 = s.t1.at(m);
    const Vec3<T> t2 = lanes::angular<T>(s.t2.rows(), m);
    dq[m * apart] = plus_dot(dot(psi_ddot, t1), psi_dot, t2);
    dv[m * apart] = plus_dot(dot(phi_dot, t1), S, t2);
  }
  const int i = s.at.body[at];
  const Body& body = mech.bodies[static_cast<std::size_t>(i)];
  if (has_changing_axes(body)) add_changes_of_projection(body, par, i, k, q, v, s, dq, apart);
}

/// What is taken side by side, as plain arrays.
template <class P>
lanes::DerivativeColumns<double> columns_of(const Mechanism& mech, const Parameters<P>& par,
                                            InverseDynamicsDerivatives<double>& s) {
  return {.bodies = mech.size(),
          .nv = mech.nv,
          .X_WB = s.world.X_WB.data(),
          .V = s.V.data(),
          .A = s.A.data(),
          .axes = s.world.S.data(),
          .M_B = par.M_B.data(),
          .internal_momentum = par.internal_momentum.data(),
          .composite = s.composite.data(),
          .body = s.at.body.data(),
          .parent = s.at.parent.data(),
          .next = s.at.next.data(),
          .beyond = s.at.beyond.data(),
          .place = s.at.place.data(),
          .reach = s.at.reach.data(),
          .S = s.S.rows(),
          .psi_dot = s.psi_dot.rows(),
          .psi_ddot = s.psi_ddot.rows(),
          .phi_dot = s.phi_dot.rows(),
          .t1 = s.t1.rows(),
          .t2 = s.t2.rows(),
          .t3 = s.t3.rows(),
          .t4 = s.t4.rows(),
          .tau = s.tau.data()};
}

/// The same of doubles, side by side, in rows that begin `apart` numbers one after the other: the rest of each is zero.
template <class P>
ARTICULA_FLAT void inverse_dynamics_derivatives_rows(const Mechanism& mech, const Parameters<P>& par,
                                                     const Positions<double>& kin, const double* q, const double* v,
                                                     const double* vdot, std::span<const Force<double>> F_applied_B,
                                                     InverseDynamicsDerivatives<double>& s, double* dtau_dq,
                                                     double* dtau_dv, std::ptrdiff_t apart) {
  s.V[0] = Motion<double>::zero();
  s.A[0] = {Vec3<double>::zero(), -par.gravity_W};
  for (int i = 1; i < mech.size(); ++i) {
    const auto b = static_cast<std::size_t>(i);
    const Body& body = mech.bodies[b];
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      s.world.X_WB[b] = world_pose(body, s.world.X_WB[static_cast<std::size_t>(body.parent)], X_PB);
      move_in_world(body, par, i, H, q + body.q.first, v + body.v.first, vdot + body.v.first, s,
                    [&](int k, const Motion<double>& S) -> const Motion<double>& {
                      return s.world.S[static_cast<std::size_t>(k)] = S;
                    });
    });
  }

  const lanes::DerivativeColumns<double> columns = columns_of(mech, par, s);
  s.kernels->outward(columns);
  for (int i : s.at.several) {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    add_changes_of_axes(body, par, i, q + body.q.first, v + body.v.first, vdot + body.v.first, s);
  }
  for (std::size_t b = 1; b < F_applied_B.size(); ++b) s.composite[b].F -= s.world.X_WB[b] * F_applied_B[b];
  for (std::size_t b = mech.bodies.size() - 1; b > 0; --b) {
    if (mech.bodies[b].parent > 0) s.composite[static_cast<std::size_t>(mech.bodies[b].parent)] += s.composite[b];
  }
  s.kernels->inward(columns, dtau_dq, dtau_dv, apart);
  for (int i : s.at.several) {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    if (!has_changing_axes(body)) continue;
    for (int k : body.v) add_changes_of_projection(body, par, i, k, q, v, s, dtau_dq + k, apart);
  }
}

/// The mass matrix, nv × nv, row by row, both triangles, from the composite bodies that the derivatives were found with. For
/// doubles, side by side.
///
/// @pre `inverse_dynamics_derivatives` was called at the same q; M is zero between joints on different branches, where it
/// always is: those entries may stay unwritten
template <class P>
void mass_matrix_of_derivatives(const Mechanism& mech, const Parameters<P>& par, InverseDynamicsDerivatives<double>& s,
                                std::span<double> M) {
  s.kernels->mass_matrix(columns_of(mech, par, s), M.data());
  add_armature(mech, par, M.data());
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
/// @pre uniform gravity; both matrices are zero between joints on different branches, where they always are: those entries
/// may stay unwritten
template <class T, class P>
void inverse_dynamics_derivatives(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                                  std::span<const T> q, std::span<const T> v, std::span<const T> vdot,
                                  std::span<const Force<T>> F_applied_B, InverseDynamicsDerivatives<T>& s,
                                  std::span<T> tau, std::span<T> dtau_dq, std::span<T> dtau_dv) {
  if constexpr (std::is_same_v<T, double>) {
    inverse_dynamics_derivatives_rows(mech, par, kin, q.data(), v.data(), vdot.data(), F_applied_B, s, dtau_dq.data(),
                                      dtau_dv.data(), mech.nv);
  } else {
    changes_of_inverse_dynamics(mech, par, kin, q.data(), v.data(), vdot.data(), F_applied_B, s);
    for (int k = 0; k < mech.nv; ++k) {
      derivative_column(mech, par, q.data(), v.data(), s, k, dtau_dq.data() + k, dtau_dv.data() + k, mech.nv);
    }
  }
  std::copy_n(s.tau.begin(), mech.nv, tau.begin());
  if (mech.has_armature) add_armature_forces<T, P>(par, vdot, tau);
}

}  // namespace articula::dynamics
