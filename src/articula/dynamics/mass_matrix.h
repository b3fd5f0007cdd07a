#pragma once

#include <algorithm>

#include <articula/dynamics/armature.h>
#include <articula/dynamics/lanes/columns.h>
#include <articula/dynamics/lanes/composite_body_walk.h>

namespace articula::dynamics {

/// What composite-body recursion needs beside its inputs.
template <class T>
struct CompositeBody {
  explicit CompositeBody(const Mechanism& mech) : M_C(mech.bodies.size()), F(mech.nv) {}

  std::vector<Inertia<T>> M_C;  ///< inertia of B with all that hangs on it, as if rigid
  lanes::ForceColumns<T> F;     ///< that moves all beyond a joint along one of its axes, by degree of freedom
};

/// The mass matrix M(q), armature included, nv × nv, row by row, on and above its diagonal.
///
/// Composite bodies, O(n·depth): the force that moves a composite body along one of its joint's axes, carried inward
/// to every joint it passes; Hᵀ·F there is an entry. Bodies stand depth first, so that the forces which pass a joint
/// are neighbours and are carried together.  [Featherstone 2008, table 6.2]
///
/// @pre M is zero where it always is, between joints on different branches: those entries are not written
template <class T, class P>
ARTICULA_FLAT void mass_matrix_upper(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                                     CompositeBody<T>& scratch, std::span<T> M) {
  Inertia<T>* const M_C = scratch.M_C.data();
  lanes::ForceColumns<T>& F = scratch.F;
  if constexpr (requires { T::lanes; }) {
    lanes::CompositeBodyWalk<T, P, lanes::UpperTriangle<T>>{mech, par, kin, M_C, {M.data(), mech.nv}}.all();
    return add_armature(mech, par, M.data());
  }

  for (std::size_t k = 1; k < mech.bodies.size(); ++k) M_C[k] = over<T>(par.M_B[k]);
  for (int i = mech.size() - 1; i > 0; --i) {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    const int first = body.v.first, next = first + body.v.count, end = body.v_beyond;
    T* const rows = M.data() + static_cast<std::ptrdiff_t>(first) * mech.nv;
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) ARTICULA_INLINED {
      const bool is_carried = body.parent > 0;
      H.template each<T>([&](int a, const auto& axis) ARTICULA_INLINED {
        const Force<T> starting = M_C[i] * axis;
        H.project(starting, rows + first + a, mech.nv);
        if (is_carried) F.set(first + a, X_PB * starting);
      });
      if (!is_carried) {
        ARTICULA_INDEPENDENT
        for (int k = next; k < end; ++k) H.project(F.at(k), rows + k, mech.nv);
        return;
      }
      M_C[body.parent] += X_PB * M_C[i];
      ARTICULA_INDEPENDENT
      for (int k = next; k < end; ++k) {
        const Force<T> passing = F.at(k);
        H.project(passing, rows + k, mech.nv);
        F.set(k, X_PB * passing);
      }
    });
  }
  add_armature(mech, par, M.data());
}

/// The lower triangle of a symmetric matrix from its upper one.
template <class T>
void copy_upper_to_lower(int n, std::span<T> M) {
  const auto size = static_cast<std::size_t>(n);
  for (std::size_t i = 1; i < size; ++i) {
    for (std::size_t j = 0; j < i; ++j) M[i * size + j] = M[j * size + i];
  }
}

/// The mass matrix M(q), nv × nv, both triangles.
template <class T, class P>
void mass_matrix(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin, CompositeBody<T>& scratch,
                 std::span<T> M) {
  std::fill(M.begin(), M.end(), T(0));
  mass_matrix_upper(mech, par, kin, scratch, M);
  copy_upper_to_lower(mech.nv, M);
}

}  // namespace articula::dynamics
