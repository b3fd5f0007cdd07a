#pragma once

#include <articula/dynamics/armature.h>
#include <articula/dynamics/frames.h>
#include <articula/dynamics/gravity.h>

namespace articula::dynamics {

/// The kinetic energy, Σ ½·V_Bᵀ·M_B·V_B + ½·Σ armature·v² = ½·vᵀ·M(q)·v. The constant energy of what spins inside
/// gyrostats is omitted.
///
/// @pre `positions` and `velocities` have filled `kin`, at this v
template <class T, class P>
T kinetic_energy(const Mechanism& mech, const Parameters<P>& par, const Velocities<T>& kin, std::span<const T> v) {
  T twice(0);
  for (std::size_t k = 1; k < mech.bodies.size(); ++k) twice += dot(kin.V_B[k], par.M_B[k] * kin.V_B[k]);
  return T(0.5) * twice + armature_energy<T, P>(mech, par, v);
}

/// The potential energy of gravity, of all that is not fixed to World.
///
///     uniform:  −Σ m·g·c        zero with the centre of mass at World's origin
///     a field:   Σ m·φ(c)       over constituents; of a central one φ = −mu/|c − center|, zero far away
template <class T, class P>
T potential_energy(const Mechanism& mech, const Parameters<P>& par, const WorldPoses<T>& poses) {
  T energy(0);
  if (mech.uniform_gravity) {
    for (std::size_t k = 1; k < mech.bodies.size(); ++k) {
      const Inertia<P>& M_B = par.M_B[k];
      energy -= dot(par.gravity_W, poses.X_WB[k].R * M_B.h + poses.X_WB[k].p * M_B.m);
    }
    return energy;
  }
  with_gravity_field(par, [&](const auto& field) {
    for (std::size_t c = 0; c < par.M_C.size(); ++c) {
      const auto body = static_cast<std::size_t>(mech.provenance.constituents[c].body);
      if (body == 0) continue;
      energy += field.potential(Vec3<T>(poses.X_WB[body] * (par.X_BC[c] * center_of(par.M_C[c])))) * par.M_C[c].m;
    }
  });
  return energy;
}

/// The power that generalized forces and forces on bodies put in: d(kinetic + potential)/dt when these are all but
/// gravity.
///
///     P = tauᵀ·v + Σ F_applied_Bᵀ·V_B
template <class T>
T power(const Velocities<T>& kin, std::span<const T> v, std::span<const T> tau, std::span<const Force<T>> F_applied_B) {
  T sum(0);
  for (std::size_t k = 0; k < v.size(); ++k) sum += tau[k] * v[k];
  for (std::size_t k = 1; k < F_applied_B.size(); ++k) sum += dot(kin.V_B[k], F_applied_B[k]);
  return sum;
}

}  // namespace articula::dynamics
