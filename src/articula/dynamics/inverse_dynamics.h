#pragma once

#include <articula/dynamics/armature.h>
#include <articula/dynamics/kinematics.h>

namespace articula::dynamics {

/// What Newton-Euler recursion needs beside its inputs.
template <class T>
struct NewtonEuler {
  explicit NewtonEuler(const Mechanism& mech)
      : V_B(mech.bodies.size()), A_B(mech.bodies.size()), F_B(mech.bodies.size()) {}

  std::vector<Motion<T>> V_B;  ///< motion of B in World
  std::vector<Motion<T>> A_B;  ///< its rate, lifted against gravity
  std::vector<Force<T>> F_B;   ///< force that the joint of B passes on to it
};

/// The generalized forces that make the mechanism accelerate with `vdot`.
///
///     tau = (M(q) + armature)·vdot + b(q, v) − Σ Jᵀ·F_applied
///
/// Recursive Newton-Euler, O(n): motions outward, forces inward.
/// Every quantity of body B is expressed in B; P is its parent.  [Featherstone 2008, table 5.1; UNI 3.1.2]
///
/// @pre the environment's gravity is uniform (the builder checked it)
template <class T, class P>
ARTICULA_FLAT void inverse_dynamics(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                                    std::span<const T> q, std::span<const T> v, std::span<const T> vdot,
                                    std::span<const Force<T>> F_applied_B, NewtonEuler<T>& scratch, std::span<T> tau) {
  Motion<T>* const V_B = scratch.V_B.data();
  Motion<T>* const A_B = scratch.A_B.data();
  Force<T>* const F_B = scratch.F_B.data();

  // Lifting World against a uniform gravity is the same as pulling every body down.
  V_B[0] = Motion<T>::zero();
  A_B[0] = {Vec3<T>::zero(), over<T>(-par.gravity_W)};
  F_B[0] = Force<T>::zero();

  // Outward: the motion of each body, and the force it needs for it.
  for (int i = 1; i < mech.size(); ++i) {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      Motion<T> V, A;
      if (body.parent == 0) {
        A.v = X_PB.rotate_back(A_B[0].v);
      } else {
        V = X_PB.inverse() * V_B[body.parent];
        A = X_PB.inverse() * A_B[body.parent];
      }
      move_along(body, par, i, H, q.data(), v.data(), vdot.data(), V, A);
      V_B[i] = V;
      A_B[i] = A;
      const auto& M_B = par.M_B[static_cast<std::size_t>(i)];
      Force<T> momentum = M_B * V;
      momentum.n += par.internal_momentum[static_cast<std::size_t>(i)];
      F_B[i] = plus_cross(M_B * A, V, momentum);
    });
  }
  for (std::size_t k = 1; k < F_applied_B.size(); ++k) F_B[k] -= F_applied_B[k];

  // Inward: each joint carries its body and all that hangs on it.
  for (int i = mech.size() - 1; i > 0; --i) {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      const Force<T>& F = F_B[i];
      H.project(F, tau.data() + body.v.first);
      if (body.parent > 0) F_B[body.parent] += X_PB * F;
    });
  }
  if (mech.has_armature) add_armature_forces<T, P>(par, vdot, tau);
}

}  // namespace articula::dynamics
