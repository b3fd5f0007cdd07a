#pragma once

#include <articula/dynamics/inverse_dynamics_derivatives.h>
#include <articula/dynamics/inverse_mass_matrix.h>

namespace articula {

/// What the derivatives of forward dynamics need beside their inputs.
template <class T>
struct ForwardDynamicsDerivatives {
  explicit ForwardDynamicsDerivatives(const Mechanism& mech)
      : inverse_dynamics(mech),
        inverse_mass(mech),
        dtau_dq(size(mech)),
        dtau_dv(size(mech)),
        tau(static_cast<std::size_t>(mech.nv)),
        filled(static_cast<std::size_t>(mech.nv)) {
    for (std::size_t m = 0; m < filled.size(); ++m) {
      filled[m] = mech.bodies[static_cast<std::size_t>(mech.body_of_dof[m])].v_beyond;
    }
  }

  InverseDynamicsDerivatives<T> inverse_dynamics;
  InverseMassMatrix<T> inverse_mass;
  std::vector<T> dtau_dq, dtau_dv, tau;
  std::vector<int> filled;  ///< how many columns of each row of dtau are not zero for sure

 private:
  static std::size_t size(const Mechanism& mech) {
    return static_cast<std::size_t>(mech.nv) * static_cast<std::size_t>(mech.nv);
  }
};

/// c = −a·B, a row of a product of matrices, where row m of B ends after `filled[m]` columns. Four rows of B are added
/// at a time, so that c is read and written less often.
template <class T>
void negative_row(std::span<const int> filled, const T* a, const T* B, T* c) {
  const auto n = static_cast<std::ptrdiff_t>(filled.size());
  std::fill(c, c + n, T(0));
  std::ptrdiff_t m = 0;
  for (; m + 4 <= n; m += 4) {
    const int* const f = filled.data() + m;
    const int end = std::max(std::max(f[0], f[1]), std::max(f[2], f[3]));
    const T *const b0 = B + m * n, *const b1 = b0 + n, *const b2 = b1 + n, *const b3 = b2 + n;
    const T a0 = a[m], a1 = a[m + 1], a2 = a[m + 2], a3 = a[m + 3];
    ARTICULA_INDEPENDENT
    for (int k = 0; k < end; ++k) c[k] -= (a0 * b0[k] + a1 * b1[k]) + (a2 * b2[k] + a3 * b3[k]);
  }
  for (; m < n; ++m) {
    const int end = filled[static_cast<std::size_t>(m)];
    const T a0 = a[m];
    const T* const b0 = B + m * n;
    ARTICULA_INDEPENDENT
    for (int k = 0; k < end; ++k) c[k] -= a0 * b0[k];
  }
}

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

  for (std::ptrdiff_t i = 0; i < mech.nv; ++i) {
    const T* const row = dvdot_dtau.data() + i * mech.nv;
    negative_row<T>(s.filled, row, s.dtau_dq.data(), dvdot_dq.data() + i * mech.nv);
    negative_row<T>(s.filled, row, s.dtau_dv.data(), dvdot_dv.data() + i * mech.nv);
  }
}

}  // namespace articula
