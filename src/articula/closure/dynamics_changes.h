#pragma once

#include <articula/closure/coupled_masses.h>
#include <articula/closure/dynamics.h>
#include <articula/dynamics/acting_force_changes.h>
#include <articula/dynamics/forward_dynamics_derivatives.h>
#include <articula/dynamics/forward_dynamics_with_derivatives.h>
#include <articula/dynamics/wrench_derivatives.h>
#include <articula/scalar/finite.h>

namespace articula::closure {

/// How the torques and accelerations of `Dynamics` change with the state, over any scalar, everything that acts included.
///
///     ∂tau/∂x of all joints;    ∂ÿ/∂x = −M_y⁻¹·Gᵀ·(∂tau/∂x)·G,    ∂ÿ/∂tau_y = M_y⁻¹
///
/// x: along the tangent of q, and v. Matrices are stored row by row; those of accelerations are in independent coordinates,
/// and their rows are zero where motion is prescribed.
///
/// Allocates in its constructor only.
///
/// @pre G is constant
template <class T, class P = T>
class DynamicsChanges {
 public:
  /// @param accelerations whether their changes are wanted
  DynamicsChanges(const Dynamics<T, P>& d, const Parameters<P>& par, bool accelerations)
      : by_duals_(!d.mech.uniform_gravity || (d.options.passive && has_forces(d.mech, ForceElement::Kind::line))),
        by_masses_(d.mech.is_coupled() || by_duals_ ||
                   (!std::is_same_v<T, double> && acts_on_bodies(d.mech, d.options.passive))),
        n_(static_cast<std::size_t>(d.mech.nv)),
        resistance_(d.options.passive ? n_ : 0),
        J_(n_),
        dF_(n_) {
    if (by_duals_) forces_.emplace(d.mech, par);
    if (!accelerations || by_masses_) torques_.emplace(d.mech), joint_forces.resize(n_);
    if (!accelerations) return;
    if (by_masses_) {
      dtau_dq_.resize(n_ * n_), dtau_dv_.resize(n_ * n_), M_G_.resize(n_ * d.mech.independent.v.size());
      masses_.emplace(d.mech);
    } else {
      accelerations_.emplace(d.mech);
    }
  }

  /// ∂tau/∂q and ∂tau/∂v of all joints at accelerations vdot. After `place` or `move`, and `act` with the same `what`.
  void of_torques(const Dynamics<T, P>& d, const Parameters<P>& par, std::span<const T> q, std::span<const T> v,
                  std::span<const T> vdot, const ActingOptions<T>& what, std::span<T> dtau_dq, std::span<T> dtau_dv) {
    if (!std::is_same_v<T, double> &&
        d.acting.on_bodies) {  // what is added below may reach entries that are not written
      std::fill(dtau_dq.begin(), dtau_dq.end(), T(0));
      std::fill(dtau_dv.begin(), dtau_dv.end(), T(0));
    }
    inverse_dynamics_derivatives<T, P>(d.mech, par, d.kin, q, v, vdot, d.acting.F_applied(), *torques_, joint_forces,
                                       dtau_dq, dtau_dv);
    if (by_duals_) {
      add_acting_force_changes<T, P>(d.mech, par, d.kin, q, v, what, *forces_, dtau_dq, dtau_dv);
      return;
    }
    if (d.options.passive) {
      resistance_of_joints<T, P>(d.mech, par, what.slope, resistance_);
      for (std::size_t k = 0; k < n_; ++k) dtau_dv[k * n_ + k] += resistance_[k];
      add_shaft_stiffness<T, P>(d.mech, par, dtau_dq, dtau_dv);
    }
    for_each_turning_wrench(d, par, what, [&] {
      for (std::size_t m = 0; m < n_; ++m) {
        for (std::size_t k = 0; k < n_; ++k) dtau_dq[m * n_ + k] -= dot(J_[m], dF_[k]);
      }
    });
  }

  /// The mass matrix of all joints, armature included. After `of_torques`, which found the composite bodies.
  void masses(const Dynamics<T, P>& d, const Parameters<P>& par, std::span<T> M)
    requires std::is_same_v<T, double>
  {
    mass_matrix_of_derivatives(d.mech, par, *torques_, M);
  }

  /// After `Dynamics::forward_dynamics` gave vdot at the same state. False, with `failed`, where a joint cannot be
  /// accelerated.
  bool of_accelerations(const Dynamics<T, P>& d, const Parameters<P>& par, std::span<const T> q, std::span<const T> v,
                        std::span<const T> vdot, std::span<const DofRole> roles, const ActingOptions<T>& what,
                        std::span<T> dy, std::span<T> dydot, std::span<T> dtau_y)
    requires std::is_same_v<T, double>
  {
    if (by_masses_) return of_accelerations_by_masses(d, par, q, v, vdot, roles, what, dy, dydot, dtau_y);
    forward_dynamics_derivatives(d.mech, par, d.kin, q, v, vdot, d.acting.F_applied(), *accelerations_, dy, dydot,
                                 dtau_y, roles);
    if (d.options.passive) {
      resistance_of_joints<T, P>(d.mech, par, what.slope, resistance_);
      for (std::size_t k = 0; k < n_; ++k) {
        for (std::size_t i = 0; i < n_; ++i) dydot[i * n_ + k] -= dtau_y[i * n_ + k] * resistance_[k];
      }
      subtract_shaft_stiffness<T, P>(d.mech, par, dtau_y, dy, dydot);
    }
    for_each_turning_wrench(d, par, what, [&] {
      for (std::size_t i = 0; i < n_; ++i) {
        Motion<T> row;  // of M⁻¹·Jᵀ, zero where motion is prescribed
        for (std::size_t m = 0; m < n_; ++m) row += J_[m] * dtau_y[i * n_ + m];
        for (std::size_t k = 0; k < n_; ++k) dy[i * n_ + k] += dot(row, dF_[k]);
      }
    });
    if (all_finite(dy) && all_finite(dydot) && all_finite(dtau_y)) return true;
    failed = first_singular(*d.articulated);
    return false;
  }

  /// Forward dynamics and its changes at once, for packs and recorded numbers; all degrees of freedom are free.
  void of_accelerations(Dynamics<T, P>& d, const Parameters<P>& par, std::span<const T> q, std::span<const T> v,
                        std::span<const T> tau, const ActingOptions<T>& what, std::span<T> vdot, std::span<T> dy,
                        std::span<T> dydot, std::span<T> dtau_y)
    requires(!std::is_same_v<T, double>)
  {
    if (by_masses_) {
      d.accelerations(par, q, v, {}, what, tau, vdot);
      of_accelerations_by_masses(d, par, q, v, vdot, {}, what, dy, dydot, dtau_y);
    } else {
      d.place(par, q);
      forward_dynamics_with_derivatives<T, P>(d.mech, par, d.kin, q, v, tau, *accelerations_, vdot, dy, dydot, dtau_y);
    }
  }

  std::vector<T> joint_forces;  ///< after `of_torques`: the generalized forces, but for what acts along joints
  std::size_t failed = 0;       ///< the degree of freedom that could not be accelerated

 private:
  bool of_accelerations_by_masses(const Dynamics<T, P>& d, const Parameters<P>& par, std::span<const T> q,
                                  std::span<const T> v, std::span<const T> vdot, std::span<const DofRole> roles,
                                  const ActingOptions<T>& what, std::span<T> dy, std::span<T> dydot,
                                  std::span<T> dtau_y) {
    factor_coupled_masses<T, P>(d.mech, par, d.kin, roles, *masses_);
    if constexpr (std::is_same_v<T, double>) {
      if (const auto singular = find_singular(d.mech, *masses_)) {
        failed = *singular;
        return false;
      }
    }
    of_torques(d, par, q, v, vdot, what, dtau_dq_, dtau_dv_);
    reduce_matrix(d.mech, par, d.mech.independent, dtau_dq_.data(), M_G_.data(), dy.data());
    reduce_matrix(d.mech, par, d.mech.independent, dtau_dv_.data(), M_G_.data(), dydot.data());
    changes_of_accelerations<T>(d.mech, roles, *masses_, dy.data());
    changes_of_accelerations<T>(d.mech, roles, *masses_, dydot.data());
    inverse_of_coupled_masses<T>(d.mech, roles, *masses_, dtau_y.data());
    return true;
  }

  /// Calls `add` with J_ and dF_ of every force that does not keep its components in the frame of the body it acts on.
  template <class Add>
  void for_each_turning_wrench(const Dynamics<T, P>& d, const Parameters<P>& par, const ActingOptions<T>& what,
                               Add&& add) {
    const auto body = [&](int f) { return d.mech.frames[static_cast<std::size_t>(f)].body; };
    const auto one = [&](int frame, int axes, const Force<P>& wrench) {
      if (body(frame) == body(axes)) return;
      wrench_changes<T, P>(d.mech, par, d.kin, d.acting.poses, frame, axes, wrench, J_, dF_);
      add();
    };
    for (std::size_t k = 0; k < d.mech.forces.size(); ++k) {
      const ForceElement& element = d.mech.forces[k];
      if (element.kind == ForceElement::Kind::wrench) one(element.frame_F, element.frame_M, par.forces[k].wrench);
    }
    for (const Load& load : what.loads) one(load.frame, load.axes, over<P>(load.wrench));
  }

  using OfAccelerations =
      std::conditional_t<std::is_same_v<T, double>, ForwardDynamicsDerivatives, ForwardDynamicsWithDerivatives<T>>;

  bool by_duals_;   ///< what acts changes with the state, beside wrenches that turn, shafts, damping and friction
  bool by_masses_;  ///< by factors of the mass matrix of independent coordinates, rather than of that of the tree
  std::size_t n_;
  std::optional<InverseDynamicsDerivatives<T>> torques_;
  std::optional<OfAccelerations> accelerations_;
  std::optional<ActingForceChanges<T>> forces_;
  std::optional<CoupledMasses<T>> masses_;
  std::vector<T> dtau_dq_, dtau_dv_, M_G_;  ///< of all joints; M_G_: the product with G
  std::vector<T> resistance_;               ///< how what resists grows with the speed
  std::vector<Motion<T>> J_;                ///< of the frame that a wrench acts at
  std::vector<Force<T>> dF_;                ///< how the wrench turns against its body
};

}  // namespace articula::closure
