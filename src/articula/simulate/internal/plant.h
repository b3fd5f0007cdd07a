#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <articula/closure/coupled_dynamics.h>
#include <articula/control/internal/inverse_model.h>
#include <articula/dynamics/acting_force_changes.h>
#include <articula/dynamics/forward_dynamics_derivatives.h>
#include <articula/dynamics/hybrid_dynamics.h>

namespace articula {

/// What is square in the degrees of freedom is made at once up to so many, so that no evaluation allocates; beyond when it
/// is first asked for, since checking a study needs none of it.
inline constexpr std::size_t most_squared_at_once = 256;

/// The mechanism of a run in the variables that are shown: accelerations, their derivatives, energies. Without the
/// checks that solvers make of each state; allocates in its constructor only, if it is not large.
class Plant {
 public:
  explicit Plant(std::shared_ptr<const ShownMechanism> shown);

  const ShownMechanism& shown() const { return *shown_; }
  std::size_t nq() const { return shown_->nq(); }
  std::size_t nv() const { return shown_->nv(); }

  /// Whether degree of freedom `shown` accelerates as given rather than as forces make it: by a trajectory, or because
  /// it sticks.
  void prescribe(std::size_t shown, bool given);
  bool is_prescribed(std::size_t shown) const { return shown_->map().is_prescribed(roles_, shown); }

  /// The direction in which a joint of the mechanism (not only of those shown) slides, −1 … 1, for its friction, and how
  /// that changes with its speed.
  void set_slip(std::size_t dof, double direction, double slope = 0) { slip_[dof] = direction, slope_[dof] = slope; }
  /// Coulomb friction of a joint, with that of the drives on it.
  double friction(std::size_t dof) const { return friction_[dof]; }

  /// Hybrid dynamics: of prescribed degrees of freedom `vdot` is read and `tau` is written, the force that the motion
  /// needs beside what resists in the joint; of all others the other way round. False, and nothing useful written, where
  /// some joint cannot be accelerated or a number is not finite.
  bool accelerate(std::span<const double> q, std::span<const double> v, std::span<double> tau, std::span<double> vdot);

  /// How the accelerations change along the tangent of q, with v, and with tau; nv × nv each, row by row.
  ///
  ///     ∂vdot/∂x = −M⁻¹·∂ID/∂x,   ∂vdot/∂tau = M⁻¹
  ///
  /// by the recursions of dynamics/; how springs, dampers and other elements change, by dual numbers of them alone. @pre `accelerate` gave `vdot` at the same state just before
  bool derivatives(std::span<double> dq, std::span<double> dv, std::span<double> du);

  /// The generalized forces that keep it from accelerating.
  void hold(std::span<const double> q, std::span<const double> v, std::span<double> tau);

  /// Where all joints are, those that follow others included, and how fast; after any of the above.
  std::span<const double> q_all() const { return q_; }
  std::span<const double> v_all() const { return v_; }
  std::span<const double> vdot_all() const { return vdot_; }

  // After `accelerate`, at its state.
  double kinetic_energy() const;
  double potential_energy();  ///< of gravity, and of springs where they act
  Pose<double> frame(int place);
  /// The forces along all joints that their motion takes, beside what resists in them: of joints that follow others, what
  /// the gear transmits and what acts on them directly.
  void joint_forces(std::span<double> tau);
  /// Length of a line, or angle between shafts, of a spring, damper or actuator, and its force: positive if it pushes the
  /// ends apart, or turns `from` forward.
  struct Stretch {
    double x = 0, force = 0;
  };
  Stretch stretch(int element);

 private:
  const Mechanism& mech() const { return shown_->mech(); }
  const Parameters<double>& par() const { return shown_->par(); }
  void place(std::span<const double> q, std::span<const double> v);
  double length_of(const ForceElement& element);
  bool by_recursion(std::span<double> tau, std::span<double> vdot);
  bool by_masses(std::span<double> tau, std::span<double> vdot);
  void make_masses();
  void make_derivatives();
  void derivatives_of_torques();
  double damping_of(std::size_t dof) const;
  /// The place of a shown degree of freedom among the independent ones.
  std::size_t y_place(std::size_t shown) const {
    return static_cast<std::size_t>(mech().independent.place[static_cast<std::size_t>(shown_->map().place_of(shown))]);
  }

  std::shared_ptr<const ShownMechanism> shown_;
  bool identity_, with_masses_, all_free_;
  std::vector<DofRole> roles_;  ///< of all joints
  Velocities<double> kin_;
  ActingForces<double> acting_;
  ArticulatedBody<double> articulated_;
  NewtonEuler<double> newton_euler_;
  std::optional<CoupledDynamics<double>> coupled_;
  std::optional<ForwardDynamicsDerivatives> derivatives_;
  std::optional<ActingForceChanges<double>> changes_;
  std::vector<double> q_, v_, vdot_, tau_;                 ///< of all joints
  std::vector<double> friction_, viscous_, slip_, slope_;  ///< of all joints
  std::vector<double> zero_, dq_, dv_;                     ///< of all joints, the last two square
  std::vector<double> tau_y_, yddot_;                      ///< of the independent coordinates
  std::vector<double> R_q_, R_v_, inverse_, M_G_;          ///< square in them, and M·G
};

}  // namespace articula
