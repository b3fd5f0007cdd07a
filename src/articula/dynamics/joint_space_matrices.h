#pragma once

#include <algorithm>

#include <articula/dynamics/armature.h>
#include <articula/dynamics/axes_rate.h>
#include <articula/spatial/coriolis.h>

namespace articula::dynamics {

/// The equations of motion in joint space, as matrices.
///
///     D(q)·vdot + C(q, v)·v + G(q) + Q = tau      [LWR (23)]
template <class T>
struct JointSpaceMatrices {
  explicit JointSpaceMatrices(const Mechanism& mech)
      : D(square(mech)), C(square(mech)), G(static_cast<std::size_t>(mech.nv)), Q(static_cast<std::size_t>(mech.nv)) {}

  std::vector<T> D;  ///< mass matrix, armature included, nv × nv, row by row, both triangles
  std::vector<T> C;  ///< Coriolis matrix, nv × nv, row by row
  std::vector<T> G;  ///< what carries the weights
  std::vector<T> Q;  ///< what holds against the applied forces

 private:
  static std::size_t square(const Mechanism& mech) {
    return static_cast<std::size_t>(mech.nv) * static_cast<std::size_t>(mech.nv);
  }
};

/// What the joint-space matrices need beside their inputs.
template <class T>
struct CompositeMotion {
  explicit CompositeMotion(const Mechanism& mech)
      : M_C(mech.bodies.size()),
        B_C(mech.bodies.size()),
        F_C(mech.bodies.size()),
        lift_B(mech.bodies.size()),
        Hdot_B(static_cast<std::size_t>(mech.nv)) {}

  std::vector<Inertia<T>> M_C;    ///< inertia of B with all that hangs on it
  std::vector<Coriolis<T>> B_C;   ///< and its Coriolis map
  std::vector<Force<T>> F_C;      ///< and what is applied to it
  std::vector<Vec3<T>> lift_B;    ///< −gravity, in B
  std::vector<Motion<T>> Hdot_B;  ///< rate of each axis in World, expressed in B
};

namespace detail {

/// Each body by itself.
template <class T, class P>
void start_composites(const Mechanism& mech, const Parameters<P>& par, const Velocities<T>& kin, std::span<const T> q,
                      std::span<const T> v, std::span<const Force<T>> F_applied_B, CompositeMotion<T>& scratch) {
  axes_rate<T, P>(mech, par, kin, q, v, scratch.Hdot_B);
  scratch.lift_B[0] = -over<T>(par.gravity_W);
  for (int i = 1; i < mech.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    scratch.M_C[k] = Inertia<T>::zero() + par.M_B[k];
    scratch.B_C[k] = coriolis_map(par.M_B[k], par.internal_momentum[k], kin.V_B[k]);
    scratch.F_C[k] = F_applied_B.empty() ? Force<T>::zero() : F_applied_B[k];
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto&) {
      scratch.lift_B[k] = X_PB.rotate_back(scratch.lift_B[static_cast<std::size_t>(mech.bodies[k].parent)]);
    });
  }
}

/// For one axis: the force it moves the composite body with, M·H; what its rate and the motion add, B·H + M·Ḣ; and
/// Bᵀ·H. Carried inward from joint to joint.
template <class T>
struct AxisForces {
  Force<T> MH, BH_MHdot, BtH;

  template <class X>
  ARTICULA_INLINE void move_to_parent(const X& X_PB) {
    MH = X_PB * MH, BH_MHdot = X_PB * BH_MHdot, BtH = X_PB * BtH;
  }
};

/// The rows and columns of D and C of one degree of freedom where it meets the joint with axes H and their rates.
template <class T, class Axes>
ARTICULA_INLINE void fill_entries(const AxisForces<T>& F, const Axes& H, const Motion<T>* Hdot, std::size_t dof,
                                  std::size_t first, std::size_t nv, T* D, T* C) {
  T along[6];
  H.project(F.BtH, C + dof * nv + first);
  for (int b = 0; b < H.count(); ++b) C[dof * nv + first + static_cast<std::size_t>(b)] += dot(Hdot[b], F.MH);
  H.project(F.BH_MHdot, along);
  for (int b = 0; b < H.count(); ++b) C[(first + static_cast<std::size_t>(b)) * nv + dof] = along[b];
  H.project(F.MH, along);
  for (int b = 0; b < H.count(); ++b) {
    D[dof * nv + first + static_cast<std::size_t>(b)] = along[b];
    D[(first + static_cast<std::size_t>(b)) * nv + dof] = along[b];
  }
}

}  // namespace detail

/// D, C, G and Q of a mechanism, with the Coriolis matrix for which Ḋ − 2·C is skew-symmetric:
///
///     D = Σ Jᵀ·M·J,    C = Σ Jᵀ·(M·J̇ + B·J),    G = −Σ Jᵀ·M·g,    Q = −Σ Jᵀ·F_applied
///
/// with the body Jacobians J and the Coriolis maps B (coriolis.h). Where v = q̇, C is the one of the Christoffel
/// symbols. All joints are allowed; the constant internal momentum of a gyrostat gives C a skew part.
/// Composite bodies, O(n·depth): three forces for each axis, carried inward to every joint they pass.
/// Every quantity of body B is expressed in B.  [LWR (24)-(27); Echeandia & Wensing 2021]
///
/// @pre `positions` and `velocities` have filled `kin` at the same q and v; the environment's gravity is uniform
template <class T, class P>
void joint_space_matrices(const Mechanism& mech, const Parameters<P>& par, const Velocities<T>& kin,
                          std::span<const T> q, std::span<const T> v, std::span<const Force<T>> F_applied_B,
                          CompositeMotion<T>& scratch, JointSpaceMatrices<T>& matrices) {
  Inertia<T>* const M_C = scratch.M_C.data();
  Coriolis<T>* const B_C = scratch.B_C.data();
  Force<T>* const F_C = scratch.F_C.data();
  const Vec3<T>* const lift_B = scratch.lift_B.data();
  const Motion<T>* const Hdot_B = scratch.Hdot_B.data();
  const auto nv = static_cast<std::size_t>(mech.nv);
  T* const D = matrices.D.data();
  T* const C = matrices.C.data();
  detail::AxisForces<T> F[6];
  std::fill(matrices.D.begin(), matrices.D.end(), T(0));
  std::fill(matrices.C.begin(), matrices.C.end(), T(0));
  detail::start_composites(mech, par, kin, q, v, F_applied_B, scratch);

  for (int i = mech.size() - 1; i > 0; --i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = mech.bodies[k];
    const auto first = static_cast<std::size_t>(body.v.first);
    const auto count = static_cast<std::size_t>(body.v.count);
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      for (std::size_t a = 0; a < count; ++a) {
        const Motion<T> axis = dense_axis<T>(H.template axis_at<T>(static_cast<int>(a)));
        F[a] = {M_C[k] * axis, B_C[k] * axis + M_C[k] * Hdot_B[first + a], transpose_times(B_C[k], axis)};
        detail::fill_entries(F[a], H, Hdot_B + first, first + a, first, nv, D, C);
        matrices.G[first + a] = dot(lift_B[k], F[a].MH.f);
        matrices.Q[first + a] = -dot(axis, F_C[k]);
        F[a].move_to_parent(X_PB);
      }
      if (body.parent == 0) return;
      const auto p = static_cast<std::size_t>(body.parent);
      M_C[p] += X_PB * M_C[k];
      B_C[p] += X_PB * B_C[k];
      F_C[p] += X_PB * F_C[k];
    });
    for (int j = body.parent; j > 0; j = mech.bodies[static_cast<std::size_t>(j)].parent) {
      const auto at = static_cast<std::size_t>(mech.bodies[static_cast<std::size_t>(j)].v.first);
      with_joint(mech, par, kin, j, [&](const auto& X_PB, const auto& H) {
        for (std::size_t a = 0; a < count; ++a) {
          detail::fill_entries(F[a], H, Hdot_B + at, first + a, at, nv, D, C);
          F[a].move_to_parent(X_PB);
        }
      });
    }
  }
  add_armature(mech, par, D);
}

}  // namespace articula::dynamics
