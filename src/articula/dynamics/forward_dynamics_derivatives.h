#pragma once

#include <articula/dynamics/inverse_dynamics_derivatives.h>
#include <articula/dynamics/lanes/mass_matrix_factors.h>

namespace articula::dynamics {

/// What the derivatives of forward dynamics need beside their inputs.
struct ForwardDynamicsDerivatives {
  explicit ForwardDynamicsDerivatives(const Mechanism& mech)
      : inverse_dynamics(mech),
        mass_matrix(mech),
        dtau_dq(lanes::padded<double>(mech.nv) == mech.nv
                    ? 0
                    : static_cast<std::size_t>(mech.nv) * static_cast<std::size_t>(lanes::padded<double>(mech.nv))),
        dtau_dv(dtau_dq),
        M_inverse(dtau_dq) {}

  InverseDynamicsDerivatives<double> inverse_dynamics;
  lanes::MassMatrixFactors<double> mass_matrix;
  lanes::LineVector<double> dtau_dq, dtau_dv, M_inverse;  ///< in padded rows, where that makes a difference
};

/// The derivatives of forward dynamics along the tangent of q, along v, and along tau: nv × nv each, row by row.
///
///     ∂vdot/∂q = −M⁻¹·∂tau/∂q,   ∂vdot/∂v = −M⁻¹·∂tau/∂v,   ∂vdot/∂tau = M⁻¹
///
/// where ∂tau are the derivatives of inverse dynamics at the accelerations `vdot` that forward dynamics gave for the
/// same state, forces and loads. M is never inverted for the first two: its factors are sparse where the tree has
/// branches, and so are ∂tau. Rows of degrees of freedom that `roles` calls prescribed are zero.  [UNI (3.57); Carpentier, Mansard 2018]
///
/// Of doubles, side by side in lanes; forward_dynamics_with_derivatives.h is for packs and recorded numbers.
///
/// @pre uniform gravity, and every free joint moves some inertia
inline void forward_dynamics_derivatives(const Mechanism& mech, const Parameters<double>& par,
                                         const Positions<double>& kin, std::span<const double> q,
                                         std::span<const double> v, std::span<const double> vdot,
                                         std::span<const Force<double>> F_applied_B, ForwardDynamicsDerivatives& s,
                                         std::span<double> dvdot_dq, std::span<double> dvdot_dv,
                                         std::span<double> dvdot_dtau, std::span<const DofRole> roles = {}) {
  const bool in_place = s.dtau_dq.empty();
  double* const X0 = in_place ? dvdot_dq.data() : s.dtau_dq.data();
  double* const X1 = in_place ? dvdot_dv.data() : s.dtau_dv.data();
  double* const Y = in_place ? dvdot_dtau.data() : s.M_inverse.data();
  inverse_dynamics_derivatives_rows(mech, par, kin, q.data(), v.data(), vdot.data(), F_applied_B, s.inverse_dynamics,
                                    X0, X1, lanes::padded<double>(mech.nv));
  lanes::MassMatrixArrays<double> M(s.mass_matrix, roles);
  if (mech.has_armature) M.armature = par.armature.data();
  const lanes::ColumnKernels& kernels = *s.inverse_dynamics.kernels;
  kernels.factor(M, s.inverse_dynamics.S.rows(), s.inverse_dynamics.t1.rows());
  kernels.solve(M, X0, X1, Y, dvdot_dq.data(), dvdot_dv.data(), dvdot_dtau.data());
}

}  // namespace articula::dynamics
