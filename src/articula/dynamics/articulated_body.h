#pragma once

#include <articula/dynamics/kinematics.h>
#include <articula/spatial/articulated_inertia.h>

namespace articula::dynamics {

/// Workspace of articulated-body recursion.
template <class T>
struct ArticulatedBody {
  explicit ArticulatedBody(const Mechanism& mech)
      : M_A(mech.bodies.size()),
        F_A(mech.bodies.size()),
        A_B(mech.bodies.size()),
        U(static_cast<std::size_t>(mech.nv)),
        d(static_cast<std::size_t>(mech.nv)),
        u(static_cast<std::size_t>(mech.nv)) {}

  std::vector<ArticulatedInertia<T>> M_A;  ///< apparent inertia of B and its subtree
  std::vector<Force<T>> F_A;               ///< the force it needs when it does not accelerate
  std::vector<Motion<T>> A_B;              ///< acceleration, lifted against gravity
  std::vector<Force<T>> U;                 ///< M_A·H, by degree of freedom
  std::vector<T> d;                        ///< 1/(Hᵀ·M_A·H + armature)
  std::vector<T> u;                        ///< tau − Hᵀ·F_A
};

/// What is left of a body's inertia and bias force when its joint gives way to the generalized forces `tau`:
///
///     U = M·H,  d = 1/(Hᵀ·U),  u = tau − Hᵀ·F,      M − U·d·Uᵀ  and  F + U·d·u
///
/// A joint with several degrees of freedom is a chain of joints with one each and no bodies between.
///
/// @pre no rotor adds to the inertia along it
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

/// The same with d = 1/(Hᵀ·U + armature).
template <class Axes, class T, class P>
ARTICULA_INLINE ArticulatedInertia<T> give_way_with_armature(const Axes& H, const P* armature,
                                                             const ArticulatedInertia<T>& M, Force<T>& F, const T* tau,
                                                             Force<T>* U, T* d, T* u) {
  ArticulatedInertia<T> rest = M;
  H.template each_backwards<T>([&](int a, const auto& axis) {
    U[a] = rest * axis;
    d[a] = T(1) / (dot(axis, U[a]) + armature[a]);
    u[a] = tau[a] - dot(axis, F);
    F += U[a] * (d[a] * u[a]);
    subtract_outer(rest, U[a], d[a]);
  });
  return rest;
}

/// The accelerations of a joint that gave way, where A is that of its body without them, and becomes that with them:
///
///     vdot = d·(u − Uᵀ·A),    A + H·vdot
template <class Axes, class T>
ARTICULA_INLINE void accelerate(const Axes& H, const Force<T>* U, const T* d, const T* u, Motion<T>& A, T* vdot) {
  H.template each<T>([&](int a, const auto& axis) {
    const T rate = d[a] * (u[a] - dot(A, U[a]));
    add_along(A, axis, rate);
    vdot[a] = rate;
  });
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

/// The acceleration of a body that floats in World, and of its joint: the solution of M_A·A = tau − F_A.
template <class X, class T>
ARTICULA_INLINE Motion<T> float_freely(const X& X_PB, const ArticulatedInertia<T>& M_A, const Force<T>& F_A,
                                       const Motion<T>& A_P, const Motion<T>& A_bias, const T* tau, T* vdot) {
  const Motion<T> A_B = inverse_times(M_A, Force<T>{{tau[3], tau[4], tau[5]}, {tau[0], tau[1], tau[2]}} - F_A);
  const Motion<T> A = A_B - X_PB.inverse() * A_P - A_bias;
  vdot[0] = A.v.x, vdot[1] = A.v.y, vdot[2] = A.v.z;
  vdot[3] = A.w.x, vdot[4] = A.w.y, vdot[5] = A.w.z;
  return A_B;
}

}  // namespace articula::dynamics
