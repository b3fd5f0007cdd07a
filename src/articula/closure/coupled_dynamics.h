#pragma once

#include <optional>

#include <articula/closure/coordinates.h>
#include <articula/closure/dense_factors.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/mass_matrix.h>

namespace articula {

/// Workspace of the dynamics of coupled joints. Unless it is used, its square matrices are empty.
template <class T>
struct CoupledDynamics {
  explicit CoupledDynamics(const Mechanism& mech, bool used = true)
      : newton_euler(mech),
        composite(mech),
        n(static_cast<std::size_t>(used ? mech.nv : 0)),
        n_y(used ? mech.independent.v.size() : 0),
        M(n * n),
        M_G(n * n_y),
        M_y(n_y * n_y),
        M_free(n_y * n_y),
        b(n),
        rest(n, T(0)),
        acting(n_y),
        factors(n_y) {}

  NewtonEuler<T> newton_euler;
  CompositeBody<T> composite;
  std::size_t n, n_y;
  std::vector<T> M, M_G, M_y;  ///< M, M·G and Gᵀ·M·G
  std::vector<T> M_free;       ///< M_y, with the rows and columns of prescribed motion those of the identity
  std::vector<T> b, rest;      ///< forces of all joints without accelerations; no accelerations
  std::vector<T> acting;       ///< Gᵀ·(tau − b)
  DenseFactors<T> factors;     ///< of M_free
};

/// Whether degree of freedom k of ẏ is prescribed. @param roles of all degrees of freedom; empty: all are free
inline bool is_prescribed(const Mechanism& mech, std::span<const DofRole> roles, std::size_t k) {
  return !roles.empty() && roles[static_cast<std::size_t>(mech.independent.v[k])] == DofRole::prescribed;
}

/// The degree of freedom that cannot be accelerated by forces, after the masses were factored; none: all can.
inline std::optional<std::size_t> find_singular(const Mechanism& mech, const CoupledDynamics<double>& s) {
  const std::size_t k = s.factors.first_not_positive();
  if (k == s.n_y) return std::nullopt;
  return static_cast<std::size_t>(mech.independent.v[k]);
}

/// M_y = Gᵀ·(M + armature)·G, and its factors, with the rows and columns of prescribed motion those of the identity.
///
/// @param armature inertia of rotors along each degree of freedom; may be empty
template <class T, class P>
void factor_coupled_masses(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                           std::span<const P> armature, std::span<const DofRole> roles, CoupledDynamics<T>& s) {
  mass_matrix<T, P>(mech, par, kin, s.composite, s.M);
  for (std::size_t k = 0; k < armature.size(); ++k) s.M[k * s.n + k] += armature[k];
  reduce_matrix(mech, par, mech.independent, s.M.data(), s.M_G.data(), s.M_y.data());
  s.M_free = s.M_y;
  for (std::size_t p = 0; p < s.n_y; ++p) {
    if (!is_prescribed(mech, roles, p)) continue;
    for (std::size_t k = 0; k < s.n_y; ++k) s.M_free[p * s.n_y + k] = s.M_free[k * s.n_y + p] = T(k == p ? 1 : 0);
  }
  s.factors.factor(s.M_free.data());
}

/// M_y·x = right for the free entries of x; those of prescribed motion are read. After the masses were factored.
template <class T>
void solve_coupled(const Mechanism& mech, std::span<const DofRole> roles, const CoupledDynamics<T>& s,
                   std::span<const T> right, std::span<T> x) {
  for (std::size_t k = 0; k < s.n_y; ++k) {
    if (is_prescribed(mech, roles, k)) continue;
    T sum = right[k];
    for (std::size_t p = 0; p < s.n_y; ++p) {
      if (is_prescribed(mech, roles, p)) sum -= s.M_y[k * s.n_y + p] * x[p];
    }
    x[k] = sum;
  }
  s.factors.solve(x.data(), 1);
}

/// The accelerations of independent coordinates:
///
///     Gᵀ·(M + armature)·G·ÿ = Gᵀ·(tau − b),   b = ID(q, v, 0, F_applied)
///
/// By dense factors, O(n³); roles may prescribe some ÿ, which are read, and all others are written.
///
/// @param tau along all joints, zero where motion is prescribed
/// @pre G is constant
template <class T, class P>
void coupled_forward_dynamics(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                              std::span<const T> q, std::span<const T> v, std::span<const T> tau,
                              std::span<const Force<T>> F_applied_B, std::span<const P> armature,
                              std::span<const DofRole> roles, CoupledDynamics<T>& s, std::span<T> yddot) {
  factor_coupled_masses(mech, par, kin, armature, roles, s);
  inverse_dynamics<T, P>(mech, par, kin, q, v, s.rest, F_applied_B, s.newton_euler, s.b);
  for (std::size_t k = 0; k < s.n; ++k) s.b[k] = tau[k] - s.b[k];
  reduce_forces(mech, par, mech.independent, s.b.data(), s.acting.data());
  solve_coupled<T>(mech, roles, s, s.acting, yddot);
}

/// The force along coordinate k that its motion takes, after `coupled_forward_dynamics` gave all accelerations.
template <class T>
T coupled_force(const CoupledDynamics<T>& s, std::span<const T> yddot, std::size_t k) {
  T force = -s.acting[k];
  for (std::size_t i = 0; i < s.n_y; ++i) force += s.M_y[k * s.n_y + i] * yddot[i];
  return force;
}

/// R ← −M_free⁻¹·R: how accelerations change, from how the forces of inverse dynamics do; both in y, n_y × n_y. Of what is
/// prescribed nothing changes. After the masses were factored.
template <class T>
void changes_of_accelerations(const Mechanism& mech, std::span<const DofRole> roles, const CoupledDynamics<T>& s,
                              T* R) {
  for (std::size_t k = 0; k < s.n_y * s.n_y; ++k) R[k] = is_prescribed(mech, roles, k / s.n_y) ? T(0) : -R[k];
  s.factors.solve(R, s.n_y);
}

/// M_y⁻¹, n_y × n_y, of the coordinates that are free; zero where motion is prescribed. After the masses were factored.
template <class T>
void inverse_of_coupled_masses(const Mechanism& mech, std::span<const DofRole> roles, const CoupledDynamics<T>& s,
                               T* inverse) {
  for (std::size_t i = 0; i < s.n_y; ++i) {
    for (std::size_t k = 0; k < s.n_y; ++k) {
      inverse[i * s.n_y + k] = T(i == k && !is_prescribed(mech, roles, k) ? 1 : 0);
    }
  }
  s.factors.solve(inverse, s.n_y);
}

}  // namespace articula
