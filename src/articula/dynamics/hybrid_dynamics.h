#pragma once

#include <articula/dynamics/forward_dynamics.h>

namespace articula {

/// Forward dynamics where some degrees of freedom move as told: `roles` says which.
///
/// In: `tau` of the free ones, `vdot` of the prescribed ones. Out: the rest of both.
///
///     tau = M(q)·vdot + b(q, v) − Σ Jᵀ·F_applied
///
/// Articulated-body recursion in which a prescribed joint does not give way but passes on the inertia beyond it, and
/// the force its motion needs; O(n).  [Featherstone 2008, 9.2]
///
/// @pre the environment's gravity is uniform, and every free joint moves some inertia
template <class T, class P>
void hybrid_dynamics(const Mechanism& mech, const Parameters<P>& par, const Velocities<T>& kin,
                     std::span<const DofRole> roles, std::span<const Force<T>> F_applied_B, ArticulatedBody<T>& scratch,
                     std::span<T> tau, std::span<T> vdot) {
  auto& [M_A, F_A, A_B, U, d, u] = scratch;
  const auto told = [&](std::size_t dof) { return roles[dof] == DofRole::prescribed; };

  single_bodies(mech, par, kin, F_applied_B, scratch);

  // Inward: what is felt through each joint, one degree of freedom after another. A prescribed one remembers in U and
  // u what it will have to carry: tau = Uᵀ·A + u.
  for (int i = mech.size() - 1; i > 0; --i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = mech.bodies[k];
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      ArticulatedInertia<T> M = M_A[k];
      Force<T> F = F_A[k];
      H.template each_backwards<T>([&](int a, const auto& axis) {
        const auto dof = static_cast<std::size_t>(body.v.first + a);
        U[dof] = M * axis;
        if (told(dof)) {
          F += U[dof] * vdot[dof];
          u[dof] = dot(axis, F);
        } else {
          d[dof] = T(1) / dot(axis, U[dof]);
          u[dof] = tau[dof] - dot(axis, F);
          F += U[dof] * (d[dof] * u[dof]);
          subtract_outer(M, U[dof], d[dof]);
        }
      });
      if (body.parent == 0) return;
      F += M * kin.A_bias_B[k];
      M_A[static_cast<std::size_t>(body.parent)] += X_PB * M;
      F_A[static_cast<std::size_t>(body.parent)] += X_PB * F;
    });
  }

  // Outward: accelerations of the free, forces of the prescribed.
  A_B[0] = {Vec3<T>::zero(), over<T>(-par.gravity_W)};
  for (int i = 1; i < mech.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = mech.bodies[k];
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      Motion<T> A = X_PB.inverse() * A_B[static_cast<std::size_t>(body.parent)] + kin.A_bias_B[k];
      H.template each<T>([&](int a, const auto& axis) {
        const auto dof = static_cast<std::size_t>(body.v.first + a);
        if (told(dof)) {
          tau[dof] = dot(A, U[dof]) + u[dof];
        } else {
          vdot[dof] = d[dof] * (u[dof] - dot(A, U[dof]));
        }
        add_along(A, axis, vdot[dof]);
      });
      A_B[k] = A;
    });
  }
}

}  // namespace articula
