#pragma once

#include <articula/dynamics/inverse_dynamics_derivatives.h>
#include <articula/dynamics/inverse_mass_matrix.h>

namespace articula {

/// What the derivatives of forward dynamics need beside their inputs.
template <class T>
struct ForwardDynamicsDerivatives {
  explicit ForwardDynamicsDerivatives(const Mechanism& mech)
      : inverse_dynamics(mech), inverse_mass(mech), dtau_dq(size(mech)), dtau_dv(size(mech)),
        tau(static_cast<std::size_t>(mech.nv)) {}

  InverseDynamicsDerivatives<T> inverse_dynamics;
  InverseMassMatrix<T> inverse_mass;
  std::vector<T> dtau_dq, dtau_dv, tau;

 private:
  static std::size_t size(const Mechanism& mech) {
    return static_cast<std::size_t>(mech.nv) * static_cast<std::size_t>(mech.nv);
  }
};

/// The derivatives of forward dynamics along the tangent of q, along v, and along tau: nv × nv each, row by row.
///
///     ∂vdot/∂q = −M⁻¹·∂tau/∂q,   ∂vdot/∂v = −M⁻¹·∂tau/∂v,   ∂vdot/∂tau = M⁻¹
///
/// where ∂tau are the derivatives of inverse dynamics at the accelerations `vdot` that forward dynamics gave for the
/// same state, forces and loads. Rows of degrees of freedom that `roles` calls prescribed are zero.  [UNI (3.57); Carpentier, Mansard 2018]
///
/// @pre as for inverse_dynamics_derivatives and inverse_mass_matrix
template <class T, class P>
void forward_dynamics_derivatives(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                                  std::span<const T> q, std::span<const T> v, std::span<const T> vdot,
                                  std::span<const Force<T>> F_applied_B, ForwardDynamicsDerivatives<T>& s,
                                  std::span<T> dvdot_dq, std::span<T> dvdot_dv, std::span<T> dvdot_dtau,
                                  std::span<const DofRole> roles = {}) {
  inverse_dynamics_derivatives<T, P>(mech, par, kin, q, v, vdot, F_applied_B, s.inverse_dynamics, s.tau, s.dtau_dq,
                                     s.dtau_dv);
  std::swap(s.inverse_mass.world, s.inverse_dynamics.world);  // the same axes serve both
  inverse_mass_matrix_in_world(mech, par, s.inverse_mass, dvdot_dtau, roles);
  std::swap(s.inverse_mass.world, s.inverse_dynamics.world);

  const std::ptrdiff_t nv = mech.nv;
  for (std::ptrdiff_t i = 0; i < nv; ++i) {
    T *const row_q = dvdot_dq.data() + i * nv, *const row_v = dvdot_dv.data() + i * nv;
    std::fill(row_q, row_q + nv, T(0));
    std::fill(row_v, row_v + nv, T(0));
    for (std::ptrdiff_t m = 0; m < nv; ++m) {
      const T factor = dvdot_dtau[static_cast<std::size_t>(i * nv + m)];
      const T *const dq = s.dtau_dq.data() + m * nv, *const dv = s.dtau_dv.data() + m * nv;
      ARTICULA_INDEPENDENT
      for (std::ptrdiff_t k = 0; k < nv; ++k) {
        row_q[k] -= factor * dq[k];
        row_v[k] -= factor * dv[k];
      }
    }
  }
}

}  // namespace articula
