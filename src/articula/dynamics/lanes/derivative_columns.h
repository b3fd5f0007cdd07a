#pragma once

#include <algorithm>
#include <span>

#include <articula/dynamics/lanes/side_by_side.h>
#include <articula/dynamics/motion_changes.h>
#include <articula/mechanism/mechanism.h>

/// The parts of the derivatives of inverse dynamics that are independent for each body or degree of freedom: for
/// doubles, several are computed at once (side_by_side.h). Everything in World axes.
namespace articula::dynamics::lanes {

/// The position of degrees of freedom in the tree.
struct DofTable {
  /// Has entries for `columns` degrees of freedom; those beyond nv are padding without descendants.
  ARTICULA_EXPORT DofTable(const Mechanism& mech, int columns);
  ARTICULA_EXPORT DofTable(const DofTable&);
  ARTICULA_EXPORT ~DofTable();

  std::vector<int> body, parent;    ///< its body, and the parent of that body
  std::vector<int> first, next;     ///< the first one of its joint, and the first one after its joint
  std::vector<int> carrier;         ///< its parent: the last one before it that moves its body; −1: none
  std::vector<int> several;         ///< bodies whose joints have several axes, or axes that change
  LineVector<double> place, reach;  ///< 0, 1, 2, …, and the first one after its subtree: as doubles, for lanes
  std::vector<int> beyond;          ///< `reach` as integers
};

/// Inputs, outputs and intermediate results as plain arrays.
template <class T>
struct DerivativeColumns {
  int bodies, nv;
  const Pose<T>* X_WB;
  const Motion<T>*V, *A;
  const Motion<T>* axes;
  const Inertia<T>* M_B;
  const Vec3<T>* internal_momentum;
  MovingComposite<T>* composite;
  const int *body, *parent, *next, *beyond;
  const double *place, *reach;
  SixRows<T> S, psi_dot, psi_ddot, phi_dot;
  SixRows<T> t1, t2, t3, t4;
  T* tau;
};

/// Quantities of each body alone, and changes of motion in the subtree of each joint.
template <class L, class T>
ARTICULA_FLAT void outward_lanes(const DerivativeColumns<T>& c) {
  constexpr int w = width<L, T>;
  for (int i = 1; i < c.bodies; i += w) {
    const auto at = [&](int l) { return std::min(i + l, c.bodies - 1); };
    scatter(moving_body(side_by_side<L, T>(c.X_WB, at), side_by_side<L, T>(c.V, at), side_by_side<L, T>(c.A, at),
                        side_by_side<L, T>(c.M_B, at), vectors_side_by_side<L, T>(c.internal_momentum, at)),
            c.composite, at);
  }
  for (int k = 0; k < c.nv; k += w) {
    const auto parent = [&](int l) { return c.parent[k + l]; };
    const auto& S = side_by_side<L, T>(c.axes, [&](int l) { return k + l; });
    const MotionChanges<L> changes(side_by_side<L, T>(c.V, parent), side_by_side<L, T>(c.A, parent), S);
    store(S, c.S, k);
    store(changes.psi_dot.w, c.psi_dot, k);
    store(changes.psi_ddot, c.psi_ddot, k);
    store(changes.phi_dot, c.phi_dot, k);
  }
}

/// The mass matrix, nv × nv, row-major, both triangles: entries S_mᵀ·t1_k of axis m and its descendants k.
///
/// @pre structural zeros of M, between joints on different branches, are zero
template <class L, class T>
ARTICULA_FLAT void mass_matrix_lanes(const DerivativeColumns<T>& c, T* M) {
  constexpr int w = width<L, T>;
  for (int m = 0; m < c.nv; ++m) {
    const auto S = over<L>(motions<T>(c.S, m));
    const int end = c.beyond[m];
    T* const row = M + m * c.nv;
    int k = m / w * w;
    for (; k + w <= end; k += w) store(dot(S, forces<L>(c.t1, k)), row + k);
    if (k < end) store_first(dot(S, forces<L>(c.t1, k)), end - k, row + k);
  }
  mirror<L>(c.nv, M, c.nv, M);
}

/// The changes of the force on the subtree of each joint; then row by row the entries of axis m and its ancestors k, or
/// its descendants k:
///
///     ∂tau_m/∂q_k = t1_m·ψ̈_k + t2_m·ψ̇_k   or   S_m·t3_k
///     ∂tau_m/∂v_k = t1_m·φ̇_k + t2_m·S_k   or   S_m·t4_k
///
/// Rows have the stride `stride`. Entries between branches are zero.
template <class L, class T>
ARTICULA_FLAT void inward_lanes(const DerivativeColumns<T>& c, T* dtau_dq, T* dtau_dv, std::ptrdiff_t stride) {
  constexpr int w = width<L, T>;
  for (int k = 0; k < c.nv; k += w) {
    const auto& composite = side_by_side<L, T>(c.composite, [&](int l) { return c.body[k + l]; });
    const auto S = motions<L>(c.S, k);
    store(dot(S, composite.F), c.tau + k);
    const ForceChanges<L> changes(composite, S, angular<L>(c.psi_dot, k), motions<L>(c.psi_ddot, k),
                                  motions<L>(c.phi_dot, k));
    store(changes.t1, c.t1, k);
    store(changes.t2, c.t2, k);
    store(changes.t3, c.t3, k);
    store(changes.t4, c.t4, k);
  }

  for (int m = 0; m < c.nv; ++m) {
    const auto S = over<L>(motions<T>(c.S, m));
    const auto t1 = over<L>(forces<T>(c.t1, m));
    const auto t2 = over<L>(angular<T>(c.t2, m));
    const int next = c.next[m], end = c.beyond[m];
    for (int k = 0; k < c.nv; k += w) {
      L dq(0.0), dv(0.0);
      if (const auto carriers = both(less<L, T>(c.place + k, next), greater<L, T>(c.reach + k, m)); any(carriers)) {
        dq = select(carriers, plus_dot(dot(motions<L>(c.psi_ddot, k), t1), angular<L>(c.psi_dot, k), t2), dq);
        dv = select(carriers, plus_dot(dot(motions<L>(c.phi_dot, k), t1), angular<L>(c.S, k), t2), dv);
      }
      if (k < end && k + w > next) {
        const auto carried = both(less<L, T>(c.place + k, end), greater<L, T>(c.place + k, next - 1));
        dq = select(carried, dot(S, forces<L>(c.t3, k)), dq);
        dv = select(carried, dot(S, forces<L>(c.t4, k)), dv);
      }
      // A store may extend into the next row, which is written later, but not beyond the last row.
      const int count = m * stride + k + w <= c.nv * stride ? w : std::min(w, c.nv - k);
      store_first(dq, count, dtau_dq + m * stride + k);
      store_first(dv, count, dtau_dv + m * stride + k);
    }
  }
}

}  // namespace articula::dynamics::lanes
