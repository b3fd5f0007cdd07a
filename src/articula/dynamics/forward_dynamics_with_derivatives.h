#pragma once

#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/inverse_dynamics_derivatives.h>
#include <articula/dynamics/inverse_mass_matrix.h>

namespace articula::dynamics {

/// What forward dynamics with its derivatives needs beside its inputs.
template <class T>
struct ForwardDynamicsWithDerivatives {
  explicit ForwardDynamicsWithDerivatives(const Mechanism& mech)
      : bias(mech), composite(mech), mass_matrix(mech), changes(mech), b(static_cast<std::size_t>(mech.nv)) {}

  NewtonEuler<T> bias;
  CompositeBody<T> composite;
  lanes::MassMatrixFactors<T> mass_matrix;
  InverseDynamicsDerivatives<T> changes;
  std::vector<T> b;
};

/// Forward dynamics, and its derivatives along the tangent of q, along v, and along tau: nv × nv each, row by row.
///
///     vdot = −M⁻¹·(b − tau),   ∂vdot/∂q = −M⁻¹·∂tau/∂q,   ∂vdot/∂v = −M⁻¹·∂tau/∂v,   ∂vdot/∂tau = M⁻¹
///
/// where b is what inverse dynamics gives without accelerations, ∂tau are its derivatives at vdot, and M⁻¹ = Z·D⁻¹·Zᵀ from
/// the factors of the mass matrix (solve_in_strips.h), which are needed for the derivatives anyway.
/// [UNI (3.57); Carpentier, Mansard 2018; Featherstone 2008, 6.5]
///
/// This is for packs and recorded numbers; forward_dynamics_derivatives.h for doubles.
///
/// @pre uniform gravity, and every joint moves some inertia
template <class T, class P>
void forward_dynamics_with_derivatives(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                                       std::span<const T> q, std::span<const T> v, std::span<const T> tau,
                                       ForwardDynamicsWithDerivatives<T>& s, std::span<T> vdot, std::span<T> dvdot_dq,
                                       std::span<T> dvdot_dv, std::span<T> dvdot_dtau) {
  const lanes::MassMatrixArrays<T> M(s.mass_matrix, {});
  mass_matrix_entries(mech, par, kin, s.composite, M, dvdot_dtau);
  lanes::eliminate<T>(M);
  lanes::invert_factors(M);

  std::fill(vdot.begin(), vdot.end(), T(0));
  inverse_dynamics<T, P>(mech, par, kin, q, v, vdot, {}, s.bias, s.b);
  for (std::size_t k = 0; k < s.b.size(); ++k) s.b[k] -= tau[k];
  lanes::solve_one(M, s.b.data(), vdot.data());

  changes_of_inverse_dynamics(mech, par, kin, q.data(), v.data(), vdot.data(), {}, s.changes);
  const auto column = [&](int k, T* dtau_dq, T* dtau_dv, std::ptrdiff_t apart) ARTICULA_INLINED {
    derivative_column(mech, par, q.data(), v.data(), s.changes, k, dtau_dq, dtau_dv, apart);
  };
  lanes::solve_in_strips(M, column, dvdot_dq.data(), dvdot_dv.data());
  lanes::inverse_in_strips(M, dvdot_dtau.data());
}

}  // namespace articula::dynamics
