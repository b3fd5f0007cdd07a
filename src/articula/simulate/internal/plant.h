#pragma once

#include <memory>
#include <span>
#include <vector>

#include <Eigen/Cholesky>

#include <articula/control/internal/inverse_model.h>
#include <articula/dynamics/forward_dynamics_derivatives.h>
#include <articula/dynamics/hybrid_dynamics.h>
#include <articula/dynamics/mass_matrix.h>

namespace articula {

/// The mechanism of a run in the variables that are shown: accelerations, their derivatives, energies. Without the
/// checks that solvers make of each state; allocates in its constructor only.
class Plant {
 public:
  explicit Plant(std::shared_ptr<const ShownMechanism> shown);

  const ShownMechanism& shown() const { return *shown_; }
  std::size_t nq() const { return shown_->nq(); }
  std::size_t nv() const { return shown_->nv(); }

  /// False, and nothing useful written, where some joint cannot be accelerated or a number is not finite.
  bool accelerate(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                  std::span<double> vdot);

  /// How the accelerations change along the tangent of q, with v, and with tau; nv × nv each, row by row.
  ///
  ///     ∂vdot/∂x = −M⁻¹·∂ID/∂x,   ∂vdot/∂tau = M⁻¹
  ///
  /// by the recursions of dynamics/; where springs, dampers or other elements act between bodies, ∂ID/∂x by dual
  /// numbers. @pre `accelerate` gave `vdot` at the same state just before
  bool derivatives(std::span<const double> q, std::span<const double> v, std::span<const double> vdot,
                   std::span<double> dq, std::span<double> dv, std::span<double> du);

  /// The generalized forces that keep it from accelerating.
  void hold(std::span<const double> q, std::span<const double> v, std::span<double> tau);

  // After `accelerate`, at its state.
  double kinetic_energy() const;
  double potential_energy();  ///< of gravity, and of springs where they act
  Pose<double> frame(int place);

 private:
  const Mechanism& mech() const { return shown_->mech(); }
  const Parameters<double>& par() const { return shown_->par(); }
  void place(std::span<const double> q, std::span<const double> v);
  void apply_forces();
  bool by_recursion(std::span<const double> tau, std::span<double> vdot);
  bool by_masses(std::span<const double> tau, std::span<double> vdot);
  bool factor_masses();
  void derivatives_by_duals(std::span<const double> q, std::span<const double> v, std::span<const double> vdot);
  void derivatives_by_recursion();

  std::shared_ptr<const ShownMechanism> shown_;
  bool identity_, with_masses_;
  Velocities<double> kin_;
  WorldPoses<double> poses_;
  ArticulatedBody<double> articulated_;
  NewtonEuler<double> newton_euler_;
  CompositeBody<double> composite_;
  ForwardDynamicsDerivatives derivatives_;
  InverseModel<Dual> dual_;
  std::vector<Force<double>> F_C_, F_F_, F_B_;
  std::span<const Force<double>> F_applied_;
  std::vector<double> q_, v_, vdot_, tau_, passive_;  ///< of all joints
  std::vector<double> zero_, M_, dq_, dv_, du_;       ///< of all joints, square
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M_shown_, R_q_, R_v_, inverse_;
  Eigen::VectorXd right_;
  Eigen::LDLT<Eigen::MatrixXd> factors_;
  std::vector<Dual> q_dual_, v_dual_, vdot_dual_, tau_dual_;
  std::vector<double> unit_, q_rate_;
};

}  // namespace articula
