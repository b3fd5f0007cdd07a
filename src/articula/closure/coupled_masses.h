#pragma once

#include <optional>

#include <articula/closure/coordinates.h>
#include <articula/closure/dense_factors.h>
#include <articula/dynamics/mass_matrix.h>

namespace articula::closure {

/// The mass matrix in independent coordinates, and its factors.
template <class T>
struct CoupledMasses {
  explicit CoupledMasses(const Mechanism& mech)
      : composite(mech),
        n(static_cast<std::size_t>(mech.nv)),
        n_y(mech.independent.v.size()),
        M(n * n),
        M_G(n * n_y),
        M_y(n_y * n_y),
        M_free(n_y * n_y),
        factors(n_y) {}

  CompositeBody<T> composite;
  std::size_t n, n_y;
  std::vector<T> M, M_G, M_y;  ///< M, M·G and Gᵀ·M·G
  std::vector<T> M_free;       ///< M_y, with the rows and columns of prescribed motion those of the identity
  DenseFactors<T> factors;     ///< of M_free
};

/// Whether degree of freedom k of ẏ is prescribed. @param roles of all degrees of freedom; empty: all are free
inline bool is_prescribed(const Mechanism& mech, std::span<const DofRole> roles, std::size_t k) {
  return !roles.empty() && roles[static_cast<std::size_t>(mech.independent.v[k])] == DofRole::prescribed;
}

/// The degree of freedom that forces cannot accelerate; nothing if there is none. After the masses were factored.
inline std::optional<std::size_t> find_singular(const Mechanism& mech, const CoupledMasses<double>& s) {
  const std::size_t k = s.factors.first_not_positive();
  if (k == s.n_y) return std::nullopt;
  return static_cast<std::size_t>(mech.independent.v[k]);
}

/// M_y = Gᵀ·M·G, and its factors, with the rows and columns of prescribed motion those of the identity.
template <class T, class P>
void factor_coupled_masses(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                           std::span<const DofRole> roles, CoupledMasses<T>& s) {
  mass_matrix<T, P>(mech, par, kin, s.composite, s.M);
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
void solve_coupled(const Mechanism& mech, std::span<const DofRole> roles, const CoupledMasses<T>& s,
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

/// R ← −M_free⁻¹·R: derivatives of accelerations from those of the forces of inverse dynamics, both in y, n_y × n_y.
/// Those of prescribed motion are zero. After the masses were factored.
template <class T>
void changes_of_accelerations(const Mechanism& mech, std::span<const DofRole> roles, const CoupledMasses<T>& s, T* R) {
  for (std::size_t k = 0; k < s.n_y * s.n_y; ++k) R[k] = is_prescribed(mech, roles, k / s.n_y) ? T(0) : -R[k];
  s.factors.solve(R, s.n_y);
}

/// M_y⁻¹, n_y × n_y, of the coordinates that are free; zero where motion is prescribed. After the masses were factored.
template <class T>
void inverse_of_coupled_masses(const Mechanism& mech, std::span<const DofRole> roles, const CoupledMasses<T>& s,
                               T* inverse) {
  for (std::size_t i = 0; i < s.n_y; ++i) {
    for (std::size_t k = 0; k < s.n_y; ++k) {
      inverse[i * s.n_y + k] = T(i == k && !is_prescribed(mech, roles, k) ? 1 : 0);
    }
  }
  s.factors.solve(inverse, s.n_y);
}

}  // namespace articula::closure
