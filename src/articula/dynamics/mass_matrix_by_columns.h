#pragma once

#include <algorithm>

#include <articula/dynamics/armature.h>
#include <articula/dynamics/kinematics.h>

namespace articula::dynamics {

/// What the mass matrix by columns needs beside its inputs.
template <class T>
struct UnitAccelerations {
  explicit UnitAccelerations(const Mechanism& mech) : A_B(mech.bodies.size()), F_B(mech.bodies.size()) {}

  std::vector<Motion<T>> A_B;  ///< acceleration of B
  std::vector<Force<T>> F_B;   ///< force that the joint of B passes on to it
};

/// The mass matrix M(q), nv × nv, row by row: column k is the generalized forces that accelerate the resting
/// mechanism, without gravity, with a unit acceleration of degree of freedom k.
///
///     M·e_k = tau(q, v = 0, vdot = e_k)
///
/// Newton-Euler recursion for each column, O(n²). Slower than composite bodies (mass_matrix.h), with which it shares
/// no step: each checks the other, and the symmetry of this one is a result.
/// [Walker & Orin 1982, method 1; UNI (3.38)]
template <class T, class P>
void mass_matrix_by_columns(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                            UnitAccelerations<T>& scratch, std::span<T> M) {
  Motion<T>* const A_B = scratch.A_B.data();
  Force<T>* const F_B = scratch.F_B.data();
  const auto nv = static_cast<std::size_t>(mech.nv);
  T e[6], tau[6];
  A_B[0] = Motion<T>::zero();
  F_B[0] = Force<T>::zero();

  for (int column = 0; column < mech.nv; ++column) {
    // Outward: only what hangs on the joint moves.
    const int mover = mech.body_of_dof[static_cast<std::size_t>(column)];
    for (int i = 1; i < mech.size(); ++i) {
      const Body& body = mech.bodies[static_cast<std::size_t>(i)];
      with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
        A_B[i] = X_PB.inverse() * A_B[body.parent];
        if (i == mover) {
          std::fill(e, e + 6, T(0));
          e[column - body.v.first] = T(1);
          H.add(A_B[i], e);
        }
        F_B[i] = par.M_B[static_cast<std::size_t>(i)] * A_B[i];
      });
    }
    // Inward: the forces it needs.
    for (int i = mech.size() - 1; i > 0; --i) {
      const Body& body = mech.bodies[static_cast<std::size_t>(i)];
      with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
        H.project(F_B[i], tau);
        F_B[body.parent] += X_PB * F_B[i];
      });
      for (int k : body.v) {
        M[static_cast<std::size_t>(k) * nv + static_cast<std::size_t>(column)] = tau[k - body.v.first];
      }
    }
  }
  add_armature(mech, par, M.data());
}

}  // namespace articula::dynamics
