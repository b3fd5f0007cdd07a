#pragma once

#include <articula/dynamics/inverse_dynamics_derivatives.h>
#include <articula/dynamics/solve_in_strips.h>

namespace articula {

/// What the derivatives of forward dynamics need beside their inputs.
template <class T>
struct ForwardDynamicsDerivatives {
  explicit ForwardDynamicsDerivatives(const Mechanism& mech)
      : inverse_dynamics(mech),
        mass_matrix(mech),
        dtau_dq(padded<T>(mech.nv) == mech.nv
                    ? 0
                    : static_cast<std::size_t>(mech.nv) * static_cast<std::size_t>(padded<T>(mech.nv))),
        dtau_dv(dtau_dq),
        M_inverse(dtau_dq) {}

  InverseDynamicsDerivatives<T> inverse_dynamics;
  MassMatrixFactors<T> mass_matrix;
  LineVector<T> dtau_dq, dtau_dv, M_inverse;  ///< in padded rows, where that makes a difference
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
  const bool in_place = s.dtau_dq.empty();
  T* const X0 = in_place ? dvdot_dq.data() : s.dtau_dq.data();
  T* const X1 = in_place ? dvdot_dv.data() : s.dtau_dv.data();
  T* const Y = in_place ? dvdot_dtau.data() : s.M_inverse.data();
  inverse_dynamics_derivatives_rows(mech, par, kin, q, v, vdot, F_applied_B, s.inverse_dynamics, X0, X1,
                                    padded<T>(mech.nv));
  const MassMatrixArrays<T> M(s.mass_matrix, roles);
  const SixRows<T> S = s.inverse_dynamics.S.rows(), F = s.inverse_dynamics.t1.rows();
  if constexpr (std::is_same_v<T, double>) {
    s.inverse_dynamics.kernels->factor(M, S, F);
    s.inverse_dynamics.kernels->solve(M, X0, X1, Y, dvdot_dq.data(), dvdot_dv.data(), dvdot_dtau.data());
  } else {
    factor_mass_matrix<T>(M, S, F);
    solve_in_strips(M, X0, X1, Y);
  }
}

}  // namespace articula
