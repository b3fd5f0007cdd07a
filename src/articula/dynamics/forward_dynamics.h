#pragma once

#include <articula/dynamics/articulated_body.h>

namespace articula::dynamics {

/// The inward step of articulated-body recursion at a joint with armature. Kept out of the loop over joints without any.
template <class T, class P>
[[gnu::noinline]] void pass_joint_with_armature(const Mechanism& mech, const Parameters<P>& par,
                                                const Velocities<T>& kin, int i, std::span<const T> tau,
                                                ArticulatedBody<T>& s) {
  const auto k = static_cast<std::size_t>(i);
  const Body& body = mech.bodies[k];
  const auto parent = static_cast<std::size_t>(body.parent), first = static_cast<std::size_t>(body.v.first);
  with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
    Force<T> F = s.F_A[k];
    const ArticulatedInertia<T> M = give_way_with_armature(H, &par.armature[first], s.M_A[k], F, &tau[first],
                                                           &s.U[first], &s.d[first], &s.u[first]);
    if (parent == 0) return;  // World feels nothing
    F += M * kin.A_bias_B[k];
    s.M_A[parent] += X_PB * M;
    s.F_A[parent] += X_PB * F;
  });
}

/// The accelerations that the generalized forces `tau` cause.
///
///     vdot = (M(q) + armature)⁻¹·(tau − b(q, v) + Σ Jᵀ·F_applied)
///
/// Articulated-body recursion, O(n): inertias inward, accelerations outward. A body that floats in World is not
/// carried by anything: its acceleration is the solution of M_A·A = tau − F_A.  [Featherstone 2008, table 7.1; UNI 3.1.3]
///
/// @pre the environment's gravity is uniform, no degree of freedom is prescribed, and every joint moves some inertia
template <class T, class P>
ARTICULA_FLAT void forward_dynamics(const Mechanism& mech, const Parameters<P>& par, const Velocities<T>& kin,
                                    std::span<const T> tau, std::span<const Force<T>> F_applied_B,
                                    ArticulatedBody<T>& scratch, std::span<T> vdot) {
  ArticulatedInertia<T>* const M_A = scratch.M_A.data();
  Force<T>* const F_A = scratch.F_A.data();
  Motion<T>* const A_B = scratch.A_B.data();
  Force<T>* const U = scratch.U.data();
  T *const d = scratch.d.data(), *const u = scratch.u.data();

  single_bodies(mech, par, kin, F_applied_B, scratch);

  // Inward: what is felt through each joint.
  for (int i = mech.size() - 1; i > 0; --i) {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    if (body.has_armature) {
      pass_joint_with_armature(mech, par, kin, i, tau, scratch);
      continue;
    }
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      if (floats(body)) return;
      const int first = body.v.first;
      Force<T> F = F_A[i];
      const auto M = give_way(H, M_A[i], F, tau.data() + first, U + first, d + first, u + first);
      if (body.parent == 0) return;  // World feels nothing
      F += M * kin.A_bias_B[static_cast<std::size_t>(i)];
      M_A[body.parent] += X_PB * M;
      F_A[body.parent] += X_PB * F;
    });
  }

  // Outward: lifting World against a uniform gravity is the same as pulling every body down.
  A_B[0] = {Vec3<T>::zero(), over<T>(-par.gravity_W)};
  for (int i = 1; i < mech.size(); ++i) {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      if (floats(body) && !body.has_armature) {
        A_B[i] = float_freely(X_PB, M_A[i], F_A[i], A_B[0], kin.A_bias_B[static_cast<std::size_t>(i)],
                              tau.data() + body.v.first, vdot.data() + body.v.first);
        return;
      }
      Motion<T> A = X_PB.inverse() * A_B[body.parent] + kin.A_bias_B[static_cast<std::size_t>(i)];
      const int first = body.v.first;
      accelerate(H, U + first, d + first, u + first, A, vdot.data() + first);
      A_B[i] = A;
    });
  }
}

}  // namespace articula::dynamics
