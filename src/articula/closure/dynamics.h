#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include <articula/closure/coupled_dynamics.h>
#include <articula/dynamics/acting_forces.h>
#include <articula/dynamics/forward_dynamics.h>
#include <articula/dynamics/hybrid_dynamics.h>

namespace articula {

/// From the tips inward, the first degree of freedom whose d = 1/(Hᵀ·M_A·H) is not finite: the cause of those before it.
inline std::size_t first_singular(std::span<const double> d) {
  std::size_t dof = d.size();
  while (dof-- > 0) {
    if (!std::isfinite(d[dof])) return dof;
  }
  return d.size() - 1;
}

/// What `Dynamics` computes with.
struct DynamicsOptions {
  bool passive = false;  ///< springs, dampers, friction, and the friction and reflected inertia of drives act
  bool forward = true;   ///< forward dynamics is wanted
  bool squares = true;   ///< allocate square matrices at once; else when they are first used
};

/// The dynamics of a mechanism under everything that acts on it, over any scalar:
///
///     (M(q) + armature)·vdot + b(q, v) = tau + tau_acting(q, v) + Σ J_Bᵀ·F_B(q, v)
///
/// for all joints, including those that follow others through gears: q = γ(y), v = G·ẏ, and forces are mapped by Gᵀ
/// (closure/coordinates.h). Solvers, blocks, runs, lanes and recorded code all use it. Call `place` or `move`, then `act`,
/// then an algorithm; `torques` and `accelerations` do all three.
///
/// Allocates only in its constructor, unless `squares` is off.
template <class T, class P = T>
class Dynamics {
 public:
  Dynamics(const Mechanism& m, const Parameters<P>& par, const DynamicsOptions& chosen = {})
      : mech(m),
        options(chosen),
        by_masses(m.is_coupled() || (chosen.passive && !m.rotors.empty())),
        kin(m),
        acting(m, par),
        newton_euler(m),
        joint_forces(options.forward ? static_cast<std::size_t>(m.nv) : 0) {
    if (options.forward && !by_masses) articulated.emplace(m);
    if (options.forward && by_masses && options.squares) make_squares();
    take_numbers(par);
  }

  /// New numbers, same structure.
  void take_numbers(const Parameters<P>& par) {
    if (!options.passive) return;
    armature.resize(static_cast<std::size_t>(mech.nv));
    reflected_inertia<P>(mech, par, armature);
  }

  /// The masses, if forward dynamics needs them and `squares` was off.
  void make_squares() {
    if (!masses) masses.emplace(mech), yddot_.resize(masses->n_y);
  }

  void place(const Parameters<P>& par, std::span<const T> q) { positions<T, P>(mech, par, q, kin); }
  void move(const Parameters<P>& par, std::span<const T> q, std::span<const T> v) {
    place(par, q);
    velocities<T, P>(mech, par, q, v, kin);
  }

  /// Finds what acts. With `passive` and springs, dampers or actuators, after `move`; else `place` is enough.
  void act(const Parameters<P>& par, std::span<const T> q, std::span<const T> v, const ActingOptions<T>& what) {
    if (!options.passive && what.loads.empty() && !acts_on_bodies(mech, false)) {
      acting.on_bodies = false;
      return;
    }
    acting_forces<T, P>(mech, par, kin, options.passive ? &kin : nullptr, q, v, what, acting);
  }

  /// The generalized forces that give the accelerations vdot.
  void inverse_dynamics(const Parameters<P>& par, std::span<const T> q, std::span<const T> v, std::span<const T> vdot,
                        std::span<T> tau) {
    articula::inverse_dynamics<T, P>(mech, par, kin, q, v, vdot, acting.F_applied(), newton_euler, tau);
    add_along_joints(vdot, tau);
  }
  /// What inverse dynamics of the bodies alone lacks.
  void add_along_joints(std::span<const T> vdot, std::span<T> tau) const {
    if (!options.passive) return;
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += armature[k] * vdot[k] - acting.tau[k];
  }

  /// The accelerations under the generalized forces `tau_given`. Empty roles: all degrees of freedom are free. Otherwise
  /// vdot of prescribed ones is input, and `joint_forces` returns the forces that their motion needs beyond those that act.
  /// False, with `failed`, if a joint cannot be accelerated; only `double` detects this.
  bool forward_dynamics(const Parameters<P>& par, std::span<const T> q, std::span<const T> v,
                        std::span<const DofRole> roles, std::span<const T> tau_given, std::span<T> vdot) {
    return by_masses ? by_factors(par, q, v, roles, tau_given, vdot) : by_recursion(par, roles, tau_given, vdot);
  }

  /// Kinematics, forces, inverse dynamics: velocities of bodies are found where they are needed.
  void torques(const Parameters<P>& par, std::span<const T> q, std::span<const T> v, std::span<const T> vdot,
               const ActingOptions<T>& what, std::span<T> tau) {
    place_or_move(acting_reads_velocities(), par, q, v);
    act(par, q, v, what);
    inverse_dynamics(par, q, v, vdot, tau);
  }
  /// Kinematics, forces, forward dynamics.
  bool accelerations(const Parameters<P>& par, std::span<const T> q, std::span<const T> v,
                     std::span<const DofRole> roles, const ActingOptions<T>& what, std::span<const T> tau_given,
                     std::span<T> vdot) {
    place_or_move(!by_masses || acting_reads_velocities(), par, q, v);
    act(par, q, v, what);
    return forward_dynamics(par, q, v, roles, tau_given, vdot);
  }

  const Mechanism& mech;
  const DynamicsOptions options;
  const bool by_masses;  ///< forward dynamics by factors of the mass matrix, rather than by recursion
  Velocities<T> kin;
  ActingForces<T> acting;
  NewtonEuler<T> newton_euler;
  std::optional<ArticulatedBody<T>> articulated;
  std::optional<CoupledDynamics<T>> masses;
  std::vector<P> armature;  ///< of each degree of freedom, with `passive`
  /// Of all joints, after forward dynamics with roles: as given, or what prescribed motion needs.
  std::vector<T> joint_forces;
  std::size_t failed = 0;  ///< the degree of freedom that could not be accelerated

 private:
  /// Springs, dampers and actuators do.
  bool acting_reads_velocities() const { return options.passive && !mech.forces.empty(); }
  void place_or_move(bool moving, const Parameters<P>& par, std::span<const T> q, std::span<const T> v) {
    if (moving) {
      move(par, q, v);
    } else {
      place(par, q);
    }
  }
  static bool is_prescribed(std::span<const DofRole> roles, std::size_t k) {
    return !roles.empty() && roles[k] == DofRole::prescribed;
  }

  /// O(n), by articulated bodies.
  bool by_recursion(const Parameters<P>& par, std::span<const DofRole> roles, std::span<const T> tau_given,
                    std::span<T> vdot) {
    std::span<const T> total = tau_given;
    if (options.passive || !roles.empty()) {
      for (std::size_t k = 0; k < joint_forces.size(); ++k) {
        joint_forces[k] = tau_given[k];
        if (options.passive) joint_forces[k] += acting.tau[k];
      }
      total = joint_forces;
    }
    if (roles.empty()) {
      articula::forward_dynamics<T, P>(mech, par, kin, total, acting.F_applied(), *articulated, vdot);
    } else {
      hybrid_dynamics<T, P>(mech, par, kin, roles, acting.F_applied(), *articulated, joint_forces, vdot);
      for (std::size_t k = 0; options.passive && k < joint_forces.size(); ++k) joint_forces[k] -= acting.tau[k];
    }
    if constexpr (std::is_same_v<T, double>) {
      const auto finite = [](double x) { return std::isfinite(x); };
      if (!std::all_of(vdot.begin(), vdot.end(), finite)) {
        failed = first_singular(articulated->d);
        return false;
      }
    }
    return true;
  }

  /// O(n³), where joints are coupled or rotors add to the inertia.
  bool by_factors(const Parameters<P>& par, std::span<const T> q, std::span<const T> v, std::span<const DofRole> roles,
                  std::span<const T> tau_given, std::span<T> vdot) {
    make_squares();
    const std::vector<int>& independent = mech.independent.v;
    for (std::size_t k = 0; k < joint_forces.size(); ++k) {
      joint_forces[k] = is_prescribed(roles, k) ? T(0) : tau_given[k];
      if (options.passive) joint_forces[k] += acting.tau[k];
    }
    for (std::size_t k = 0; k < yddot_.size(); ++k) yddot_[k] = vdot[static_cast<std::size_t>(independent[k])];
    coupled_forward_dynamics<T, P>(mech, par, kin, q, v, joint_forces, acting.F_applied(), armature, roles, *masses,
                                   yddot_);
    if constexpr (std::is_same_v<T, double>) {
      if (const auto singular = find_singular(mech, *masses)) {
        failed = *singular;
        return false;
      }
    }
    expand_rates(mech, par, yddot_.data(), vdot.data());
    std::copy(tau_given.begin(), tau_given.end(), joint_forces.begin());
    for (std::size_t k = 0; k < yddot_.size(); ++k) {
      const auto dof = static_cast<std::size_t>(independent[k]);
      if (is_prescribed(roles, dof)) joint_forces[dof] = coupled_force<T>(*masses, yddot_, k);
    }
    return true;
  }

  std::vector<T> yddot_;  ///< of independent coordinates
};

}  // namespace articula
