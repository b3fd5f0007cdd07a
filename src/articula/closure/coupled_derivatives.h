#pragma once

#include <articula/closure/coupled_dynamics.h>
#include <articula/dynamics/inverse_dynamics_derivatives.h>

namespace articula {

/// What derivatives of the dynamics of coupled joints need beside their inputs. Where they are not used it takes no memory.
template <class T>
struct CoupledDerivatives {
  explicit CoupledDerivatives(const Mechanism& mech, bool used = true)
      : dynamics(mech, used),
        changes(mech),
        vdot(dynamics.n),
        tau(dynamics.n),
        dtau_dq(dynamics.n * dynamics.n),
        dtau_dv(dtau_dq.size()) {}

  CoupledDynamics<T> dynamics;
  InverseDynamicsDerivatives<T> changes;
  std::vector<T> vdot, tau, dtau_dq, dtau_dv;  ///< of all joints
};

/// Forward dynamics of coupled joints, and its derivatives along the tangent of y, along ẏ, and along tau_y; row by row.
///
///     ∂ÿ/∂y = −M_y⁻¹·Gᵀ·(∂tau/∂q)·G,   ∂ÿ/∂ẏ = −M_y⁻¹·Gᵀ·(∂tau/∂v)·G,   ∂ÿ/∂tau_y = M_y⁻¹
///
/// where ∂tau are the derivatives of inverse dynamics of all joints at vdot = G·ÿ. `add_changes(dtau_dq, dtau_dv)` adds to
/// them what comes of forces on bodies that change with the state.
///
/// @pre G is constant, and every joint moves some inertia
template <class T, class P, class AddChanges>
void coupled_forward_dynamics_with_derivatives(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                                               std::span<const T> q, std::span<const T> v, std::span<const T> tau_y,
                                               std::span<const Force<T>> F_applied_B, AddChanges&& add_changes,
                                               CoupledDerivatives<T>& s, std::span<T> yddot, std::span<T> dyddot_dy,
                                               std::span<T> dyddot_dydot, std::span<T> dyddot_dtau) {
  CoupledDynamics<T>& d = s.dynamics;
  coupled_forward_dynamics<T, P>(mech, par, kin, q, v, tau_y, {}, F_applied_B, {}, {}, d, yddot);
  expand_rates(mech, par, yddot.data(), s.vdot.data());
  inverse_dynamics_derivatives<T, P>(mech, par, kin, q, v, s.vdot, F_applied_B, s.changes, s.tau, s.dtau_dq, s.dtau_dv);
  add_changes(s.dtau_dq, s.dtau_dv);
  reduce_matrix(mech, par, mech.independent, s.dtau_dq.data(), d.M_G.data(), dyddot_dy.data());
  reduce_matrix(mech, par, mech.independent, s.dtau_dv.data(), d.M_G.data(), dyddot_dydot.data());
  changes_of_accelerations<T>(mech, {}, d, dyddot_dy.data());
  changes_of_accelerations<T>(mech, {}, d, dyddot_dydot.data());
  inverse_of_coupled_masses<T>(mech, {}, d, dyddot_dtau.data());
}

}  // namespace articula
