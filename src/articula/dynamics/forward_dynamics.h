#pragma once

#include <articula/dynamics/kinematics.h>
#include <articula/spatial/articulated_inertia.h>

namespace articula {

/// What articulated-body recursion needs beside its inputs.
template <class T>
struct ArticulatedBody {
  explicit ArticulatedBody(const Mechanism& mech)
      : M_A(mech.bodies.size()),
        F_A(mech.bodies.size()),
        A_B(mech.bodies.size()),
        U(static_cast<std::size_t>(mech.nv)),
        d(static_cast<std::size_t>(mech.nv)),
        u(static_cast<std::size_t>(mech.nv)) {}

  std::vector<ArticulatedInertia<T>> M_A;  ///< apparent inertia of B with all that hangs on it
  std::vector<Force<T>> F_A;               ///< the force it needs when it does not accelerate
  std::vector<Motion<T>> A_B;              ///< acceleration, lifted against gravity
  std::vector<Force<T>> U;                 ///< M_A·H, by degree of freedom
  std::vector<T> d;                        ///< 1/(Hᵀ·M_A·H)
  std::vector<T> u;                        ///< tau − Hᵀ·F_A
};

/// The accelerations that the generalized forces `tau` cause.
///
///     vdot = M(q)⁻¹·(tau − b(q, v) + Σ Jᵀ·F_applied)
///
/// Articulated-body recursion, O(n): inertias inward, accelerations outward. A joint with several degrees of
/// freedom is a chain of joints with one each and no bodies between: each takes its share U·Uᵀ·d of the inertia
/// away in turn.  [Featherstone 2008, table 7.1; UNI 3.1.3]
///
/// @pre the environment's gravity is uniform, no degree of freedom is prescribed, and every joint moves some inertia
template <class T, class P>
void forward_dynamics(const Mechanism& mech, const Parameters<P>& par, const Velocities<T>& kin, std::span<const T> tau,
                      std::span<const Force<T>> F_applied_B, ArticulatedBody<T>& scratch, std::span<T> vdot) {
  auto& [M_A, F_A, A_B, U, d, u] = scratch;

  // Each body by itself: its inertia, and the force its motion needs.
  for (std::size_t k = 1; k < mech.bodies.size(); ++k) {
    M_A[k] = ArticulatedInertia<T>::of(par.M_B[k]);
    Force<T> momentum = par.M_B[k] * kin.V_B[k];
    momentum.n += par.internal_momentum[k];
    F_A[k] = cross(kin.V_B[k], momentum);
  }
  for (std::size_t k = 1; k < F_applied_B.size(); ++k) F_A[k] -= F_applied_B[k];

  // Inward: what is felt through each joint.
  for (int i = mech.size() - 1; i > 0; --i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = mech.bodies[k];
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      ArticulatedInertia<T>& M = M_A[k];
      Force<T>& F = F_A[k];
      for (int a = H.count() - 1; a >= 0; --a) {
        const auto dof = static_cast<std::size_t>(body.v.first + a);
        const auto axis = H.template axis_at<T>(a);
        U[dof] = M * axis;
        d[dof] = T(1) / dot(axis, U[dof]);
        u[dof] = tau[dof] - dot(axis, F);
        if (a == 0 && body.parent == 0) return;  // World feels nothing
        subtract_outer(M, U[dof], d[dof]);
        F += U[dof] * (d[dof] * u[dof]);
      }
      F += M * kin.A_bias_B[k];
      M_A[static_cast<std::size_t>(body.parent)] += X_PB * M;
      F_A[static_cast<std::size_t>(body.parent)] += X_PB * F;
    });
  }

  // Outward: lifting World against a uniform gravity is the same as pulling every body down.
  A_B[0] = {Vec3<T>::zero(), {T(-par.gravity_W.x), T(-par.gravity_W.y), T(-par.gravity_W.z)}};
  for (int i = 1; i < mech.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = mech.bodies[k];
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      Motion<T> A = X_PB.inverse() * A_B[static_cast<std::size_t>(body.parent)] + kin.A_bias_B[k];
      for (int a = 0; a < H.count(); ++a) {
        const auto dof = static_cast<std::size_t>(body.v.first + a);
        vdot[dof] = d[dof] * (u[dof] - dot(A, U[dof]));
        add_along(A, H.template axis_at<T>(a), vdot[dof]);
      }
      A_B[k] = A;
    });
  }
}

}  // namespace articula
