#pragma once

#include <articula/dynamics/kinematics.h>

namespace articula {

/// What composite-body recursion needs beside its inputs.
template <class T>
struct CompositeBody {
  explicit CompositeBody(const Mechanism& mech) : M_C(mech.bodies.size()) {}

  std::vector<Inertia<T>> M_C;  ///< inertia of B with all that hangs on it, as if rigid
};

/// The mass matrix M(q), nv × nv, row by row, both triangles.
///
/// Composite bodies, O(n·depth): the force that moves a composite body along one of its joint's axes, carried inward
/// to every joint it passes; Hᵀ·F there is an entry.  [Featherstone 2008, table 6.2]
template <class T, class P>
void mass_matrix(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin, CompositeBody<T>& scratch,
                 std::span<T> M) {
  Inertia<T>* const M_C = scratch.M_C.data();
  const auto nv = static_cast<std::size_t>(mech.nv);
  std::fill(M.begin(), M.end(), T(0));
  for (std::size_t k = 1; k < mech.bodies.size(); ++k) M_C[k] = Inertia<T>::zero() + par.M_B[k];

  for (int i = mech.size() - 1; i > 0; --i) {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    Force<T> F[6];  // seen from the parent, one for each axis
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      T* const block = M.data() + static_cast<std::size_t>(body.v.first) * (nv + 1);
      for (int a = 0; a < H.count(); ++a) {
        const Force<T> along = M_C[i] * H.template axis_at<T>(a);
        H.project(along, block + static_cast<std::size_t>(a) * nv);
        F[a] = X_PB * along;
      }
      if (body.parent > 0) M_C[body.parent] += X_PB * M_C[i];
    });
    for (int j = body.parent; j > 0; j = mech.bodies[static_cast<std::size_t>(j)].parent) {
      const Body& ancestor = mech.bodies[static_cast<std::size_t>(j)];
      with_joint(mech, par, kin, j, [&](const auto& X_PB, const auto& H) {
        for (int a = 0; a < body.v.count; ++a) {
          const auto row = static_cast<std::size_t>(body.v.first + a);
          H.project(F[a], M.data() + row * nv + ancestor.v.first);
          F[a] = X_PB * F[a];
        }
      });
    }
  }

  // What was written is on and below the diagonal.
  for (std::size_t i = 0; i < nv; ++i) {
    for (std::size_t j = 0; j < i; ++j) M[j * nv + i] = M[i * nv + j];
  }
}

}  // namespace articula
