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

/// What is left of a body's inertia and bias force when its joint gives way to the generalized forces `tau`:
///
///     U = M·H,  d = 1/(Hᵀ·U),  u = tau − Hᵀ·F,      M − U·d·Uᵀ  and  F + U·d·u
///
/// A joint with several degrees of freedom is a chain of joints with one each and no bodies between.
template <class Axes, class T>
ARTICULA_INLINE auto give_way(const Axes& H, const ArticulatedInertia<T>& M, Force<T>& F, const T* tau, Force<T>* U,
                              T* d, T* u) {
  if constexpr (requires { H.axis; }) {
    U[0] = M * H.axis;
    d[0] = T(1) / dot(H.axis, U[0]);
    u[0] = tau[0] - dot(H.axis, F);
    F += U[0] * (d[0] * u[0]);
    return release(M, H.axis, U[0], d[0]);
  } else {
    ArticulatedInertia<T> rest = M;
    H.template each_backwards<T>([&](int a, const auto& axis) {
      U[a] = rest * axis;
      d[a] = T(1) / dot(axis, U[a]);
      u[a] = tau[a] - dot(axis, F);
      F += U[a] * (d[a] * u[a]);
      subtract_outer(rest, U[a], d[a]);
    });
    return rest;
  }
}

/// Each body by itself: its inertia, and the force its motion needs beyond what is applied to it.
template <class T, class P>
void single_bodies(const Mechanism& mech, const Parameters<P>& par, const Velocities<T>& kin,
                   std::span<const Force<T>> F_applied_B, ArticulatedBody<T>& scratch) {
  for (std::size_t k = 1; k < mech.bodies.size(); ++k) {
    scratch.M_A[k] = ArticulatedInertia<T>::of(par.M_B[k]);
    Force<T> momentum = par.M_B[k] * kin.V_B[k];
    momentum.n += par.internal_momentum[k];
    scratch.F_A[k] = cross(kin.V_B[k], momentum);
  }
  for (std::size_t k = 1; k < F_applied_B.size(); ++k) scratch.F_A[k] -= F_applied_B[k];
}

/// The accelerations that the generalized forces `tau` cause.
///
///     vdot = M(q)⁻¹·(tau − b(q, v) + Σ Jᵀ·F_applied)
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
      if (floats(body)) {
        const T* const t = tau.data() + body.v.first;
        A_B[i] = solve(M_A[i], Force<T>{{t[3], t[4], t[5]}, {t[0], t[1], t[2]}} - F_A[i]);
        const Motion<T> A = A_B[i] - X_PB.inverse() * A_B[0] - kin.A_bias_B[static_cast<std::size_t>(i)];
        T* const rate = vdot.data() + body.v.first;
        rate[0] = A.v.x, rate[1] = A.v.y, rate[2] = A.v.z;
        rate[3] = A.w.x, rate[4] = A.w.y, rate[5] = A.w.z;
        return;
      }
      Motion<T> A = X_PB.inverse() * A_B[body.parent] + kin.A_bias_B[static_cast<std::size_t>(i)];
      H.template each<T>([&](int a, const auto& axis) {
        const int dof = body.v.first + a;
        const T rate = d[dof] * (u[dof] - dot(A, U[dof]));
        add_along(A, axis, rate);
        vdot[static_cast<std::size_t>(dof)] = rate;
      });
      A_B[i] = A;
    });
  }
}

}  // namespace articula
