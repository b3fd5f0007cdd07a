#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <articula/closure/dynamics_changes.h>
#include <articula/solve/internal/exposed_mechanism.h>

namespace articula::simulate {

/// Square matrices are allocated at once for up to so many degrees of freedom, so that no evaluation allocates; beyond,
/// when they are first used, since checking a study needs none of them.
inline constexpr std::size_t most_squared_at_once = 256;

/// The mechanism of a run in the variables that are exposed: accelerations, their derivatives, energies. Without the
/// checks that solvers make of each state; allocates in its constructor only, if it is not large.
class Plant {
 public:
  explicit Plant(std::shared_ptr<const ExposedMechanism> exposed);

  const ExposedMechanism& exposed() const { return *exposed_; }
  std::size_t nq() const { return exposed_->nq(); }
  std::size_t nv() const { return exposed_->nv(); }

  /// Whether an exposed degree of freedom accelerates as given rather than as forces make it: by a trajectory, or because
  /// it sticks.
  void prescribe(std::size_t dof, bool given);
  bool is_prescribed(std::size_t dof) const { return exposed_->map().is_prescribed(roles_, dof); }

  /// The direction in which a joint of the mechanism (not only of those exposed) slides, −1 … 1, for its friction, and how
  /// that changes with its speed.
  void set_slip(std::size_t dof, double direction, double slope = 0) { slip_[dof] = direction, slope_[dof] = slope; }
  /// Forces and moments from outside at frames.
  std::vector<Load>& loads() { return loads_; }
  /// Coulomb friction of a joint, with that of the drives on it.
  double friction(std::size_t dof) const { return friction_[dof]; }

  /// Hybrid dynamics: of prescribed degrees of freedom `vdot` is read and `tau` is written, the force that the motion
  /// needs beside what resists in the joint; of all others the other way round. False, and nothing useful written, where
  /// some joint cannot be accelerated or a number is not finite.
  bool accelerate(std::span<const double> q, std::span<const double> v, std::span<double> tau, std::span<double> vdot);

  /// How the accelerations change along the tangent of q, with v, and with tau; nv × nv each, row by row.
  /// @pre `accelerate` gave `vdot` at the same state just before
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
  const Mechanism& mech() const { return exposed_->mech(); }
  const Parameters<double>& par() const { return exposed_->par(); }
  const WorldPoses<double>& poses() const { return dynamics_.acting.poses; }
  ActingOptions<double> acting() const { return {loads_, exposed_->passive(), slip_, slope_}; }
  std::span<const DofRole> roles_if_any() const { return all_free_ ? std::span<const DofRole>{} : roles_; }
  void to_all(std::span<const double> q, std::span<const double> v);
  double length_of(const ForceElement& element);
  void make_derivatives();

  std::shared_ptr<const ExposedMechanism> exposed_;
  bool all_free_;
  std::vector<DofRole> roles_;  ///< of all joints
  Dynamics<double> dynamics_;
  std::optional<DynamicsChanges<double>> changes_;
  std::vector<Load> loads_;
  std::vector<double> q_, v_, vdot_, tau_;       ///< of all joints
  std::vector<double> friction_, slip_, slope_;  ///< of all joints
  std::vector<double> zero_;                     ///< of all joints
  std::vector<double> dy_, dydot_, dtau_;        ///< of independent coordinates
};

}  // namespace articula::simulate
