#pragma once

#include <array>

#include <articula/dynamics/kinematics.h>
#include <articula/dynamics/lanes/columns.h>

/// The mass matrix of packs of states, by composite bodies. Packs fill SIMD lanes by themselves, so that forces need
/// not be neighbours in memory as in mass_matrix.h: each force travels to the root in registers.
namespace articula::dynamics::lanes {

/// The inertia of composite body i (body i and its subtree). For a leaf, it is the inertia of the body.
template <class T, class P>
ARTICULA_INLINE Inertia<T> composite(const Mechanism& mech, const Parameters<P>& par, const Inertia<T>* M_C, int i) {
  const auto k = static_cast<std::size_t>(i);
  return mech.bodies[k].beyond == i + 1 ? over<T>(par.M_B[k]) : M_C[i];
}

/// Adds M, the composite inertia of `body` in its parent's frame, to the parent's. The last child comes first and
/// initializes it.
template <class T, class P>
ARTICULA_INLINE void add_to_parent(const Mechanism& mech, const Parameters<P>& par, const Body& body,
                                   const Inertia<T>& M, Inertia<T>* M_C) {
  const auto p = static_cast<std::size_t>(body.parent);
  M_C[p] = (mech.bodies[p].beyond == body.beyond ? over<T>(par.M_B[p]) : M_C[p]) + M;
}

/// The destination of entries of the mass matrix, for the axes of a body (one `stride` from axis to axis) and degree of
/// freedom k: the upper triangle and diagonal, row-major.
template <class T>
struct UpperTriangle {
  T* M;
  std::ptrdiff_t nv;

  ARTICULA_INLINE T* at(const Body& body, int k) const { return M + body.v.first * nv + k; }
  ARTICULA_INLINE std::ptrdiff_t stride() const { return nv; }
};

/// Composite bodies for packs, which fill SIMD lanes by themselves: the force of a joint travels to the root in
/// registers, together with up to two others that start at neighbouring joints.
template <class T, class P, class Entries>
struct CompositeBodyWalk {
  const Mechanism& mech;
  const Parameters<P>& par;
  const Positions<T>& kin;
  Inertia<T>* M_C;
  Entries entries;

  template <std::size_t n>
  using Forces = std::array<Force<T>, n>;

  /// Carries the forces F, of degrees of freedom `first` + k, from body i to the root.
  template <std::size_t n>
  ARTICULA_INLINE void to_root(int i, Forces<n>& F, int first) const {
    while (i > 0) {
      const Body& body = mech.bodies[static_cast<std::size_t>(i)];
      with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) ARTICULA_INLINED {
        ARTICULA_UNROLLED
        for (std::size_t k = 0; k < n; ++k) {
          H.project(F[k], entries.at(body, first + static_cast<int>(k)), entries.stride());
          if (body.parent > 0) F[k] = X_PB * F[k];
        }
      });
      i = body.parent;
    }
  }

  /// Body i with a single axis, at which n forces arrive from its descendants. Continues with its parent, or carries
  /// the forces to the root. Returns the last body that was processed.
  template <std::size_t n>
  ARTICULA_INLINE int start(int i, const Forces<n>& passing) const {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    const int first = body.v.first;
    Forces<n + 1> F;
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) ARTICULA_INLINED {
      if constexpr (requires { H.axis; }) {
        ARTICULA_UNROLLED
        for (std::size_t k = 0; k < n; ++k) {
          H.project(passing[k], entries.at(body, first + 1 + static_cast<int>(k)), entries.stride());
          F[k + 1] = X_PB * passing[k];
        }
        const Inertia<T> M_i = composite(mech, par, M_C, i);
        const Force<T> starting = M_i * H.axis;
        H.project(starting, entries.at(body, first), entries.stride());
        F[0] = X_PB * starting;
        add_to_parent(mech, par, body, X_PB * M_i, M_C);
      }
    });
    if constexpr (n < 2) {
      const Body& parent = mech.bodies[static_cast<std::size_t>(body.parent)];
      if (parent.axis != AxisForm::general && parent.parent > 0 && body.parent == i - 1) return start<n + 1>(i - 1, F);
    }
    to_root<n + 1>(body.parent, F, first);
    return i;
  }

  /// Body i with several axes, or none: one axis at a time.
  ARTICULA_INLINE void start_each(int i) const {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    const Inertia<T> M_i = composite(mech, par, M_C, i);
    for (int a = 0; a < body.v.count; ++a) {
      Forces<1> F;
      with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) ARTICULA_INLINED {
        if constexpr (!requires { H.axis; }) {
          const Force<T> starting = M_i * H.template axis_at<T>(a);
          H.project(starting, entries.at(body, body.v.first + a), entries.stride());
          F[0] = X_PB * starting;
        }
      });
      to_root<1>(body.parent, F, body.v.first + a);
    }
    add_to_parent(mech, par, body, kin.X_PB[static_cast<std::size_t>(i)] * M_i, M_C);
  }

  /// Body i whose parent is World: the forces go no further.
  ARTICULA_INLINE void start_at_root(int i) const {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    with_joint(mech, par, kin, i, [&](const auto&, const auto& H) ARTICULA_INLINED {
      const Inertia<T> M_i = composite(mech, par, M_C, i);
      H.template each<T>([&](int a, const auto& axis) ARTICULA_INLINED {
        H.project(M_i * axis, entries.at(body, body.v.first + a), entries.stride());
      });
    });
  }

  ARTICULA_INLINE void all() const {
    for (int i = mech.size() - 1; i > 0; --i) {
      const Body& body = mech.bodies[static_cast<std::size_t>(i)];
      if (body.parent == 0) {
        start_at_root(i);
      } else if (body.axis != AxisForm::general) {
        i = start<0>(i, {});
      } else {
        start_each(i);
      }
    }
  }
};

}  // namespace articula::dynamics::lanes
