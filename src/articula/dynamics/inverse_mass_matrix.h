#pragma once

#include <optional>
#include <span>
#include <vector>

#include <articula/dynamics/lanes/column_kernels.h>
#include <articula/dynamics/lanes/solve_in_strips.h>
#include <articula/dynamics/unit_forces.h>

namespace articula::dynamics {

/// Whether some degree of freedom is carried by so many that unit forces are faster than factors.
inline bool is_deep(const Mechanism& mech) {
  constexpr int many = 64;
  std::vector<int> depth(mech.bodies.size());
  for (std::size_t i = 1; i < depth.size(); ++i) {
    const Body& body = mech.bodies[i];
    depth[i] = depth[static_cast<std::size_t>(body.parent)] + body.v.count;
    if (depth[i] > many) return true;
  }
  return false;
}

/// What the inverse mass matrix needs beside its inputs: one way or the other.
template <class T>
struct InverseMassMatrix {
  explicit InverseMassMatrix(const Mechanism& mech) : composite(mech) {
    if (is_deep(mech)) {
      unit_forces.emplace(mech);
      return;
    }
    factors.emplace(mech);
    if (factors->at.columns != mech.nv) rows.resize(factors->at.size() * static_cast<std::size_t>(factors->at.columns));
  }

  /// 1/D of each degree of freedom: not finite where it moves no inertia.
  std::span<const T> d() const { return unit_forces ? std::span<const T>(unit_forces->d) : factors->d; }

  CompositeBody<T> composite;
  std::optional<lanes::MassMatrixFactors<T>> factors;
  std::optional<UnitForces<T>> unit_forces;  ///< of deep mechanisms
  lanes::LineVector<T> rows;                 ///< of the inverse, padded, where that makes a difference
  const lanes::ColumnKernels* kernels = &lanes::column_kernels();  ///< of doubles only
};

/// The entries of M(q) where `eliminate` takes them. There is room for nv × nv numbers.
template <class T, class P>
void mass_matrix_entries(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                         CompositeBody<T>& scratch, const lanes::MassMatrixArrays<T>& M, std::span<T> room) {
  if constexpr (requires { T::lanes; }) {
    lanes::CompositeBodyWalk<T, P, lanes::CarrierRows<T>>{mech, par, kin, scratch.M_C.data(), {M}}.all();
    for (int k = 0; mech.has_armature && k < M.nv; ++k) {
      M.L[M.row[k] + M.depth[k]] += par.armature[static_cast<std::size_t>(k)];
    }
  } else {
    mass_matrix_upper(mech, par, kin, scratch, room);
    const auto nv = static_cast<std::size_t>(M.nv);
    for (std::size_t k = 0; k < nv; ++k) {
      for (int i = M.row[k]; i <= M.row[k] + M.depth[k]; ++i) {
        M.L[i] = room[static_cast<std::size_t>(M.carriers[i]) * nv + k];
      }
    }
  }
}

/// The inverse of the mass matrix, nv × nv, row by row.
///
///     M = Lᵀ·D·L,    M⁻¹ = L⁻¹·D⁻¹·L⁻ᵀ        [Featherstone 2008, 6.5; UNI (3.5), (3.6)]
///
/// By composite bodies and the factors of their mass matrix, which are sparse where the tree has branches: O(n²·d) with
/// depth d, in SIMD lanes. Of deep mechanisms by unit forces, O(n²) (unit_forces.h).
///
/// Of degrees of freedom that `roles` calls prescribed, rows and columns are zero, and the rest is the inverse of the
/// mass matrix of the free ones.
///
/// @pre every free joint moves some inertia
template <class T, class P>
void inverse_mass_matrix(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                         InverseMassMatrix<T>& scratch, std::span<T> M_inverse, std::span<const DofRole> roles = {}) {
  if (scratch.unit_forces) {
    return inverse_mass_matrix_by_unit_forces(mech, par, kin, *scratch.unit_forces, M_inverse, roles);
  }
  const lanes::MassMatrixArrays<T> M(*scratch.factors, roles);
  mass_matrix_entries(mech, par, kin, scratch.composite, M, M_inverse);
  if constexpr (std::is_same_v<T, double>) {
    double* const Y = scratch.rows.empty() ? M_inverse.data() : scratch.rows.data();
    scratch.kernels->invert(M, Y, M_inverse.data());
  } else {
    lanes::eliminate<T>(M);
    lanes::invert_factors(M);
    lanes::inverse_in_strips(M, M_inverse.data());
  }
}

}  // namespace articula::dynamics
