#pragma once

#include <optional>

#include <articula/closure/coordinates.h>
#include <articula/closure/hybrid_dynamics.h>
#include <articula/dynamics/acting_forces.h>
#include <articula/dynamics/forward_dynamics.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/scalar/finite.h>

namespace articula::closure {

/// What `Dynamics` computes with.
struct DynamicsOptions {
  bool passive = false;  ///< springs, dampers, and the friction of joints and drives act
  bool forward = true;   ///< forward dynamics is wanted
};

/// The dynamics of a mechanism under everything that acts on it, over any scalar:
///
///     M(q)·vdot + b(q, v) = tau + tau_acting(q, v) + Σ J_Bᵀ·F_B(q, v)
///
/// for all joints, including those that follow others through gears: q = γ(y), v = G·ẏ, and forces are mapped by Gᵀ
/// (closure/coordinates.h). Solvers, blocks, runs, lanes and recorded code all use it. Call `place` or `move`, then `act`,
/// then an algorithm; `torques` and `accelerations` do all three.
///
/// Allocates only in its constructor.
template <class T, class P = T>
class Dynamics {
 public:
  Dynamics(const Mechanism& m, const Parameters<P>& par, const DynamicsOptions& chosen = {})
      : mech(m),
        options(chosen),
        kin(m),
        acting(m, par),
        newton_euler(m),
        joint_forces(options.forward ? static_cast<std::size_t>(m.nv) : 0) {
    if (options.forward) articulated.emplace(m);
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
    dynamics::inverse_dynamics<T, P>(mech, par, kin, q, v, vdot, acting.F_applied(), newton_euler, tau);
    subtract_acting(tau);
  }
  /// Inverse dynamics of the bodies alone does not know the forces that act along joints.
  void subtract_acting(std::span<T> tau) const {
    if (!options.passive) return;
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] -= acting.tau[k];
  }

  /// The accelerations under the generalized forces `tau_given`. Empty roles: all degrees of freedom are free. Otherwise
  /// vdot of prescribed ones is input, and `joint_forces` returns the forces that their motion needs beyond those that act.
  /// False, with `failed`, if a joint cannot be accelerated; only `double` detects this.
  ///
  /// By articulated bodies, O(n); after `move`.
  bool forward_dynamics(const Parameters<P>& par, std::span<const DofRole> roles, std::span<const T> tau_given,
                        std::span<T> vdot) {
    const bool general = mech.is_coupled() || !roles.empty();
    if (options.passive || general) {
      for (std::size_t k = 0; k < joint_forces.size(); ++k) {
        joint_forces[k] = tau_given[k];
        if (options.passive) joint_forces[k] += acting.tau[k];
      }
    }
    if (general) {
      hybrid_dynamics<T, P>(mech, par, kin, roles, acting.F_applied(), *articulated, joint_forces, vdot);
      for (std::size_t k = 0; k < joint_forces.size(); ++k) {
        if (!is_prescribed(roles, k)) {
          joint_forces[k] = tau_given[k];
        } else if (options.passive) {
          joint_forces[k] -= acting.tau[k];
        }
      }
    } else {
      dynamics::forward_dynamics<T, P>(mech, par, kin, options.passive ? joint_forces : tau_given, acting.F_applied(),
                                       *articulated, vdot);
    }
    if constexpr (std::is_same_v<T, double>) {
      if (!all_finite(vdot)) {
        failed = first_singular(*articulated);
        return false;
      }
    }
    return true;
  }

  /// Positions, and forces; velocities of bodies only if springs, dampers and actuators read them.
  void place_and_act(const Parameters<P>& par, std::span<const T> q, std::span<const T> v,
                     const ActingOptions<T>& what) {
    if (options.passive && !mech.forces.empty()) {
      move(par, q, v);
    } else {
      place(par, q);
    }
    act(par, q, v, what);
  }

  /// Kinematics, forces, inverse dynamics: velocities of bodies are found where they are needed.
  void torques(const Parameters<P>& par, std::span<const T> q, std::span<const T> v, std::span<const T> vdot,
               const ActingOptions<T>& what, std::span<T> tau) {
    place_and_act(par, q, v, what);
    inverse_dynamics(par, q, v, vdot, tau);
  }
  /// Kinematics, forces, forward dynamics.
  bool accelerations(const Parameters<P>& par, std::span<const T> q, std::span<const T> v,
                     std::span<const DofRole> roles, const ActingOptions<T>& what, std::span<const T> tau_given,
                     std::span<T> vdot) {
    move(par, q, v);
    act(par, q, v, what);
    return forward_dynamics(par, roles, tau_given, vdot);
  }

  const Mechanism& mech;
  const DynamicsOptions options;
  Velocities<T> kin;
  ActingForces<T> acting;
  NewtonEuler<T> newton_euler;
  std::optional<HybridDynamics<T>> articulated;
  /// Of all joints, after forward dynamics with roles: as given, or what prescribed motion needs.
  std::vector<T> joint_forces;
  std::size_t failed = 0;  ///< the degree of freedom that could not be accelerated

 private:
  static bool is_prescribed(std::span<const DofRole> roles, std::size_t k) {
    return !roles.empty() && roles[k] == DofRole::prescribed;
  }
};

}  // namespace articula::closure
