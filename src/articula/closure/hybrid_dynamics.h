#pragma once

#include <cmath>

#include <articula/closure/postponed_joints.h>
#include <articula/dynamics/articulated_body.h>

namespace articula::closure {

/// Workspace of `hybrid_dynamics`.
template <class T>
struct HybridDynamics : ArticulatedBody<T> {
  explicit HybridDynamics(const Mechanism& mech)
      : ArticulatedBody<T>(mech),
        postponed(mech),
        F(postponed.dofs.size()),
        r(postponed.dofs.size()),
        D(static_cast<std::size_t>(postponed.slot_count) * static_cast<std::size_t>(postponed.slot_count)),
        alpha(postponed.meetings) {}

  PostponedJoints postponed;
  std::vector<Force<T>> F;  ///< columns M_A·H of postponed joints
  std::vector<T> r;      ///< the forces along these joints if no postponed joint accelerates, nor the body they are at
  std::vector<T> D;      ///< inertia between them, by slots
  std::vector<T> alpha;  ///< of each degree of freedom that gave way, the inertia between it and each column it met
};

/// The steps of `hybrid_dynamics` along one degree of freedom.
template <class T, class P>
struct HybridSteps {
  const Parameters<P>& par;
  std::span<const DofRole> roles;
  HybridDynamics<T>& s;
  T* tau;
  T* vdot;

  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  bool is_prescribed(std::size_t dof) const { return !roles.empty() && roles[dof] == DofRole::prescribed; }
  bool is_postponed(std::size_t dof) const { return s.postponed.column_of_dof[dof] >= 0; }
  std::size_t dof_of(int column) const { return at(s.postponed.dofs[at(column)]); }
  T& D(int k, int l) const {
    return s.D[at(s.postponed.slots[at(k)] * s.postponed.slot_count + s.postponed.slots[at(l)])];
  }

  /// Whether all of a joint gives way as it does in a tree of free joints without rotors.
  bool is_plain(const Body& body, bool untouched) const {
    if (!untouched || body.has_armature) return false;
    for (const int dof : body.v) {
      if (is_prescribed(at(dof))) return false;
    }
    return true;
  }

  /// The equations of motion of a body, of one degree of freedom, and of the columns that pass,
  ///
  ///     F   = M·A  + F_A  + U·vdot       + Σ F_k·vdot_k
  ///     tau = Uᵀ·A + bias + inertia·vdot + Σ α_k·vdot_k
  ///     tau_k = F_kᵀ·A + r_k + α_k·vdot + Σ D_kl·vdot_l
  ///
  /// without `vdot`, which is known, or follows from the second one.
  void eliminate(std::size_t dof, const Force<T>& U, const T& inertia, const T& bias, const T& force,
                 std::span<const int> columns, ArticulatedInertia<T>& M, Force<T>& F_A) const {
    const T* const alpha = s.alpha.data() + s.postponed.meeting[dof];
    s.U[dof] = U;
    if (is_prescribed(dof)) {
      s.d[dof] = T(0);
      s.u[dof] = bias + inertia * vdot[dof] - force;
      F_A += U * vdot[dof];
      for (std::size_t k = 0; k < columns.size(); ++k) s.r[at(columns[k])] += alpha[k] * vdot[dof];
      return;
    }
    const T d = T(1) / inertia, u = force - bias;
    s.d[dof] = d, s.u[dof] = u;
    F_A += U * (d * u);
    subtract_outer(M, U, d);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const T factor = d * alpha[k];
      s.F[at(columns[k])] -= U * factor;
      s.r[at(columns[k])] += factor * u;
      for (std::size_t l = 0; l < columns.size(); ++l) D(columns[k], columns[l]) -= factor * alpha[l];
    }
  }

  /// `vdot` from the second one of these equations; if it is prescribed, `tau`. @pre those of the columns are known
  void accelerate(std::size_t dof, std::span<const int> columns, const Motion<T>& A) const {
    const T* const alpha = s.alpha.data() + s.postponed.meeting[dof];
    T felt = dot(A, s.U[dof]);
    for (std::size_t k = 0; k < columns.size(); ++k) felt += alpha[k] * vdot[dof_of(columns[k])];
    if (is_prescribed(dof)) {
      tau[dof] = felt + s.u[dof];
    } else {
      vdot[dof] = s.d[dof] * (s.u[dof] - felt);
    }
  }

  /// One degree of freedom at its joint gives way, or is postponed.
  template <class Axis>
  void pass_joint(std::size_t dof, const Axis& axis, bool untouched, ArticulatedInertia<T>& M, Force<T>& F_A) const {
    const Force<T> U = M * axis;
    const T bias = dot(axis, F_A);
    const T inertia = dot(axis, U) + par.armature[dof];
    const std::span<const int> columns = untouched ? std::span<const int>() : s.postponed.met_by(dof);
    if (untouched || !is_postponed(dof)) {
      for (std::size_t k = 0; k < columns.size(); ++k)
        s.alpha[s.postponed.meeting[dof] + k] = dot(axis, s.F[at(columns[k])]);
      eliminate(dof, U, inertia, bias, is_prescribed(dof) ? T(0) : tau[dof], columns, M, F_A);
      return;
    }
    const int own = s.postponed.column_of_dof[dof], slots = s.postponed.slot_count;
    s.F[at(own)] = U;
    s.r[at(own)] = bias;
    for (int k = 0, slot = s.postponed.slots[at(own)]; k < slots; ++k) {  // nothing in common with other branches yet
      s.D[at(slot * slots + k)] = s.D[at(k * slots + slot)] = T(0);
    }
    D(own, own) = inertia;
    for (const int k : columns) D(own, k) = D(k, own) = dot(axis, s.F[at(k)]);
  }

  /// The columns of a cluster, in independent coordinates: F·G, Gᵀ·r and Gᵀ·D·G; then these give way.
  void release(const PostponedJoints::Release& cluster, ArticulatedInertia<T>& M, Force<T>& F_A) const {
    const std::span<const int> own = cluster.independent();
    const P* const G = par.closures[at(cluster.cluster)].G.data();
    const auto factor = [&](std::size_t i, std::size_t k) { return T(G[i * own.size() + k]); };
    for (std::size_t k = 0; k < own.size(); ++k) {
      for (std::size_t i = 0; i < cluster.dependent.size(); ++i) {
        const int from = cluster.dependent[i];
        s.F[at(own[k])] += s.F[at(from)] * factor(i, k);
        s.r[at(own[k])] += s.r[at(from)] * factor(i, k);
        for (const int row : own) D(row, own[k]) += D(row, from) * factor(i, k);
        for (const int row : cluster.dependent) D(row, own[k]) += D(row, from) * factor(i, k);
      }
    }
    for (std::size_t k = 0; k < own.size(); ++k) {
      for (std::size_t i = 0; i < cluster.dependent.size(); ++i) {
        const int from = cluster.dependent[i];
        for (const int column : cluster.columns) D(own[k], column) += factor(i, k) * D(from, column);
      }
      for (std::size_t e = 0; e < cluster.others; ++e) D(cluster.columns[e], own[k]) = D(own[k], cluster.columns[e]);
    }
    for (std::size_t k = own.size(); k-- > 0;) {
      const std::size_t dof = dof_of(own[k]);
      const std::span<const int> columns = cluster.met_by(k);
      for (std::size_t l = 0; l < columns.size(); ++l) s.alpha[s.postponed.meeting[dof] + l] = D(own[k], columns[l]);
      T force = is_prescribed(dof) ? T(0) : tau[dof];
      for (std::size_t i = 0; i < cluster.dependent.size(); ++i)
        force += factor(i, k) * tau[dof_of(cluster.dependent[i])];
      eliminate(dof, s.F[at(own[k])], D(own[k], own[k]), s.r[at(own[k])], force, columns, M, F_A);
    }
  }

  /// The accelerations of a cluster, whose root has A: vdot = G·ÿ.
  void close(const PostponedJoints::Release& cluster, const Motion<T>& A) const {
    const std::span<const int> own = cluster.independent();
    const P* G = par.closures[at(cluster.cluster)].G.data();
    for (std::size_t k = 0; k < own.size(); ++k) accelerate(dof_of(own[k]), cluster.met_by(k), A);
    for (const int column : cluster.dependent) {
      T sum(0);
      for (const int driver : own) sum += T(*G++) * vdot[dof_of(driver)];
      vdot[dof_of(column)] = sum;
    }
  }
};

/// Forward dynamics where degrees of freedom may be prescribed, and joints coupled.
///
/// In: `tau` along all joints, and `vdot` of prescribed degrees of freedom. Out: `vdot` of all others, and `tau` of the
/// prescribed ones, so that for all independent coordinates, vdot = G·ÿ,
///
///     Gᵀ·((M(q) + armature)·vdot + b(q, v) − Σ Jᵀ·F_applied − tau) = 0
///
/// Articulated-body recursion, O(n) outside of clusters. A prescribed joint does not give way, but passes on the inertia
/// beyond it and the force that its motion needs [Featherstone 2008, 9.2]. Coupled joints give way together, at the root
/// of their cluster (postponed_joints.h).
///
/// @param roles of all degrees of freedom; empty: all are free. Those that follow from others are free.
/// @pre the environment's gravity is uniform, G is constant, and every free coordinate moves some inertia
template <class T, class P>
void hybrid_dynamics(const Mechanism& mech, const Parameters<P>& par, const Velocities<T>& kin,
                     std::span<const DofRole> roles, std::span<const Force<T>> F_applied_B, HybridDynamics<T>& scratch,
                     std::span<T> tau, std::span<T> vdot) {
  const HybridSteps<T, P> step{par, roles, scratch, tau.data(), vdot.data()};
  const PostponedJoints& postponed = scratch.postponed;
  ArticulatedInertia<T>* const M_A = scratch.M_A.data();
  Force<T>* const F_A = scratch.F_A.data();
  Motion<T>* const A_B = scratch.A_B.data();
  const auto release = [&](std::size_t i) {
    for (const PostponedJoints::Release& cluster : postponed.at_root(i)) step.release(cluster, M_A[i], F_A[i]);
  };
  const auto close = [&](std::size_t i) {
    const std::span<const PostponedJoints::Release> clusters = postponed.at_root(i);
    for (std::size_t k = clusters.size(); k-- > 0;) step.close(clusters[k], A_B[i]);
  };

  single_bodies(mech, par, kin, F_applied_B, scratch);
  M_A[0] = ArticulatedInertia<T>::zero(), F_A[0] = Force<T>::zero();  // written where the root of a cluster is World

  // Inward: what is felt through each joint.
  for (std::size_t i = mech.bodies.size(); i-- > 1;) {
    const Body& body = mech.bodies[i];
    const bool untouched = postponed.is_untouched(i);
    release(i);
    const auto parent = static_cast<std::size_t>(body.parent), first = static_cast<std::size_t>(body.v.first);
    with_joint(mech, par, kin, static_cast<int>(i), [&](const auto& X_PB, const auto& H) {
      Force<T> F = F_A[i];
      const auto pass_on = [&](const auto& M) {
        if (parent == 0) return;  // World feels nothing
        F += M * kin.A_bias_B[i];
        M_A[parent] += X_PB * M;
        F_A[parent] += X_PB * F;
      };
      if (!step.is_plain(body, untouched)) {
        ArticulatedInertia<T> M = M_A[i];
        H.template each_backwards<T>([&](int a, const auto& axis) {
          step.pass_joint(first + static_cast<std::size_t>(a), axis, untouched, M, F);
        });
        pass_on(M);
      } else if (!floats(body)) {
        pass_on(give_way(H, M_A[i], F, tau.data() + first, &scratch.U[first], &scratch.d[first], &scratch.u[first]));
      }
      if (untouched) return;
      for (const int k : postponed.leaving(i)) {
        Force<T>& column = scratch.F[static_cast<std::size_t>(k)];
        scratch.r[static_cast<std::size_t>(k)] += dot(kin.A_bias_B[i], column);
        column = X_PB * column;
      }
    });
  }
  release(0);

  // Outward: accelerations of what is free, forces of what is prescribed.
  A_B[0] = {Vec3<T>::zero(), over<T>(-par.gravity_W)};
  close(0);
  for (std::size_t i = 1; i < mech.bodies.size(); ++i) {
    const Body& body = mech.bodies[i];
    const bool untouched = postponed.is_untouched(i);
    const auto first = static_cast<std::size_t>(body.v.first);
    with_joint(mech, par, kin, static_cast<int>(i), [&](const auto& X_PB, const auto& H) {
      if (floats(body) && step.is_plain(body, untouched)) {
        A_B[i] = float_freely(X_PB, M_A[i], F_A[i], A_B[0], kin.A_bias_B[i], tau.data() + first, vdot.data() + first);
        return;
      }
      Motion<T> A = X_PB.inverse() * A_B[static_cast<std::size_t>(body.parent)] + kin.A_bias_B[i];
      H.template each<T>([&](int a, const auto& axis) {
        const std::size_t dof = first + static_cast<std::size_t>(a);
        if (untouched) {
          step.accelerate(dof, {}, A);
        } else if (!step.is_postponed(dof)) {
          step.accelerate(dof, postponed.met_by(dof), A);
        }
        add_along(A, axis, vdot[dof]);
      });
      A_B[i] = A;
    });
    close(i);
  }
}

/// The degree of freedom that cannot be accelerated: the first one to give way whose d = 1/(Hᵀ·M_A·H) is not finite. It
/// is the cause of those after it.
inline std::size_t first_singular(const HybridDynamics<double>& s) {
  for (const int dof : s.postponed.order) {
    if (!std::isfinite(s.d[static_cast<std::size_t>(dof)])) return static_cast<std::size_t>(dof);
  }
  return s.d.size() - 1;
}

}  // namespace articula::closure
