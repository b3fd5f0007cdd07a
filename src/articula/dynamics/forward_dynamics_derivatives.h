#pragma once

#include <articula/dynamics/inverse_dynamics_derivatives.h>
#include <articula/dynamics/mass_matrix_factors.h>

namespace articula {

/// What the derivatives of forward dynamics need beside their inputs.
template <class T>
struct ForwardDynamicsDerivatives {
  explicit ForwardDynamicsDerivatives(const Mechanism& mech)
      : inverse_dynamics(mech), mass_matrix(mech), tau(static_cast<std::size_t>(mech.nv)) {}

  InverseDynamicsDerivatives<T> inverse_dynamics;
  MassMatrixFactors<T> mass_matrix;
  std::vector<T> tau;
};

/// The derivatives of forward dynamics along the tangent of q, along v, and along tau: nv × nv each, row by row.
///
///     ∂vdot/∂q = −M⁻¹·∂tau/∂q,   ∂vdot/∂v = −M⁻¹·∂tau/∂v,   ∂vdot/∂tau = M⁻¹
///
/// where ∂tau are the derivatives of inverse dynamics at the accelerations `vdot` that forward dynamics gave for the
/// same state, forces and loads. M is never inverted for the first two: its factors are sparse where the tree has
/// branches, and so are ∂tau. Rows of degrees of freedom that `roles` calls prescribed are zero.  [UNI (3.57); Carpentier, Mansard 2018]
///
/// @pre uniform gravity, and every free joint moves some inertia
template <class T, class P>
void forward_dynamics_derivatives(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                                  std::span<const T> q, std::span<const T> v, std::span<const T> vdot,
                                  std::span<const Force<T>> F_applied_B, ForwardDynamicsDerivatives<T>& s,
                                  std::span<T> dvdot_dq, std::span<T> dvdot_dv, std::span<T> dvdot_dtau,
                                  std::span<const DofRole> roles = {}) {
  inverse_dynamics_derivatives<T, P>(mech, par, kin, q, v, vdot, F_applied_B, s.inverse_dynamics, s.tau, dvdot_dq,
                                     dvdot_dv);
  factor_mass_matrix<T>(s.inverse_dynamics.world.S, s.inverse_dynamics.t1, roles, s.mass_matrix);
  std::fill(dvdot_dtau.begin(), dvdot_dtau.end(), T(0));
  for (std::size_t k = 0; k < s.tau.size(); ++k) dvdot_dtau[k * (s.tau.size() + 1)] = T(1);
  solve_with_factors(s.mass_matrix, dvdot_dq.data(), dvdot_dv.data(), dvdot_dtau.data());
  copy_upper_to_lower(mech.nv, dvdot_dtau);
}

}  // namespace articula
