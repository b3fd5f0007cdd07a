#pragma once

#include <cstddef>
#include <span>

#include <articula/mechanism/parameters.h>

/// Armature is inertia along degrees of freedom in addition to that of the bodies (Parameters::armature): a diagonal matrix,
/// constant, which adds to the mass matrix and to nothing else. Rotors of drives have it.
namespace articula::dynamics {

/// tau += armature·vdot
template <class T, class P>
void add_armature_forces(const Parameters<P>& par, std::span<const T> vdot, std::span<T> tau) {
  for (std::size_t k = 0; k < par.armature.size(); ++k) tau[k] += par.armature[k] * vdot[k];
}

/// M += armature, of a matrix that is stored row by row.
template <class T, class P>
void add_armature(const Mechanism& mech, const Parameters<P>& par, T* M) {
  if (!mech.has_armature) return;
  const std::size_t next = par.armature.size() + 1;
  for (std::size_t k = 0; k < par.armature.size(); ++k) M[k * next] += par.armature[k];
}

/// The kinetic energy ½·Σ armature·v².
template <class T, class P>
T armature_energy(const Mechanism& mech, const Parameters<P>& par, std::span<const T> v) {
  T twice(0);
  for (std::size_t k = 0; mech.has_armature && k < v.size(); ++k) twice += par.armature[k] * v[k] * v[k];
  return T(0.5) * twice;
}

}  // namespace articula::dynamics
