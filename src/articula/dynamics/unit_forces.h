#pragma once

#include <algorithm>

#include <articula/dynamics/mass_matrix.h>
#include <articula/dynamics/world_axes.h>
#include <articula/spatial/articulated_inertia.h>

namespace articula::dynamics {

/// What unit forces need beside their inputs.
template <class T>
struct UnitForces {
  explicit UnitForces(const Mechanism& mech)
      : world(mech),
        M_A(mech.bodies.size()),
        F(mech.nv),
        U(static_cast<std::size_t>(mech.nv)),
        d(static_cast<std::size_t>(mech.nv)),
        depth(mech.bodies.size()) {
    int deepest = 0;
    for (std::size_t i = 1; i < mech.bodies.size(); ++i) {
      depth[i] = depth[static_cast<std::size_t>(mech.bodies[i].parent)] + 1;
      deepest = std::max(deepest, depth[i]);
    }
    A.assign(static_cast<std::size_t>(deepest) + 1, lanes::MotionColumns<T>(mech.nv));
  }

  WorldAxes<T> world;
  std::vector<ArticulatedInertia<T>> M_A;  ///< in World, with all that hangs on the body
  lanes::ForceColumns<T> F;                ///< felt inward, for a unit force on each degree of freedom
  std::vector<Force<T>> U;                 ///< M_A·S
  std::vector<T> d;                        ///< 1/(Sᵀ·M_A·S + armature)
  std::vector<lanes::MotionColumns<T>> A;  ///< acceleration caused by each unit force, by depth in the tree
  std::vector<int> depth;
};

/// The inverse of the mass matrix, nv × nv, row by row, column by column: the accelerations that a unit force along each
/// degree of freedom causes.
///
///     M⁻¹ = (1 − K·Ψ·H)·D⁻¹·(1 − K·Ψ·H)ᵀ        [UNI (3.6) as read in the errata]
///
/// Articulated-body recursion for all unit forces at once, O(n²), in World's axes: nothing has to be turned between
/// neighbours.  [Carpentier, Analytical inverse of the joint space inertia matrix, 2018]
///
/// Of degrees of freedom that `roles` calls prescribed, rows and columns are zero, and the rest is the inverse of the
/// mass matrix of the free ones.
///
/// @pre every free joint moves some inertia
template <class T, class P>
void inverse_mass_matrix_by_unit_forces(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                                        UnitForces<T>& scratch, std::span<T> M_inverse,
                                        std::span<const DofRole> roles = {}) {
  world_axes(mech, par, kin, scratch.world);
  const auto told = [&](int k) { return !roles.empty() && roles[static_cast<std::size_t>(k)] == DofRole::prescribed; };
  auto& [world, M_A, F, U, d, A, depth] = scratch;
  const int nv = mech.nv;
  for (std::size_t i = 1; i < mech.bodies.size(); ++i) {
    M_A[i] = ArticulatedInertia<T>::of(world.X_WB[i] * par.M_B[i]);
  }
  for (int k = 0; k < nv; ++k) F.set(k, Force<T>::zero());

  // Inward: each degree of freedom gives way to the unit forces beyond it, and passes on what it does not.
  for (int i = mech.size() - 1; i > 0; --i) {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    ArticulatedInertia<T>& M = M_A[static_cast<std::size_t>(i)];
    for (int k = body.v.first + body.v.count - 1; k >= body.v.first; --k) {
      T* const row = M_inverse.data() + static_cast<std::ptrdiff_t>(k) * nv;
      if (told(k)) {
        std::fill(row + k, row + nv, T(0));
        continue;
      }
      const Motion<T> S = world.S[static_cast<std::size_t>(k)];
      const Force<T> U_k = M * S;
      T inertia = dot(S, U_k);
      if (body.has_armature) inertia += par.armature[static_cast<std::size_t>(k)];
      const T d_k = T(1) / inertia;
      U[static_cast<std::size_t>(k)] = U_k;
      d[static_cast<std::size_t>(k)] = d_k;
      row[k] = d_k;
      F.set(k, U_k * d_k);
      ARTICULA_INDEPENDENT
      for (int c = k + 1; c < body.v_beyond; ++c) {
        const Force<T> F_c = F.at(c);
        const T x = -d_k * dot(S, F_c);
        row[c] = x;
        F.set(c, F_c + U_k * x);
      }
      std::fill(row + body.v_beyond, row + nv, T(0));
      subtract_outer(M, U_k, d_k);
    }
    if (body.parent > 0) M_A[static_cast<std::size_t>(body.parent)] += M;
  }

  // Outward: what the motion of the parent adds, for all unit forces at once.
  for (int i = 1; i < mech.size(); ++i) {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    lanes::MotionColumns<T>& A_B = A[static_cast<std::size_t>(depth[static_cast<std::size_t>(i)])];
    const lanes::MotionColumns<T>* A_P = &A[static_cast<std::size_t>(depth[static_cast<std::size_t>(i)] - 1)];
    bool moved = body.parent > 0;
    for (int k : body.v) {
      const Motion<T> S = world.S[static_cast<std::size_t>(k)];
      const Force<T> U_k = U[static_cast<std::size_t>(k)];
      const T d_k = d[static_cast<std::size_t>(k)];
      T* const row = M_inverse.data() + static_cast<std::ptrdiff_t>(k) * nv;
      const lanes::MotionColumns<T>& before = *A_P;
      if (told(k)) {
        for (int c = k; c < nv; ++c) A_B.set(c, moved ? before.at(c) : Motion<T>::zero());
      } else if (moved) {
        ARTICULA_INDEPENDENT
        for (int c = k; c < nv; ++c) {
          const Motion<T> A_c = before.at(c);
          const T x = row[c] - d_k * dot(A_c, U_k);
          row[c] = x;
          A_B.set(c, A_c + S * x);
        }
      } else {
        ARTICULA_INDEPENDENT
        for (int c = k; c < nv; ++c) A_B.set(c, S * row[c]);
      }
      moved = true;
      A_P = &A_B;
    }
  }
  copy_upper_to_lower(nv, M_inverse);
}

}  // namespace articula::dynamics
