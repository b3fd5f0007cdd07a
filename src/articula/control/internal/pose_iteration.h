#pragma once

#include <array>
#include <span>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include <articula/dynamics/frames.h>

namespace articula::control {

/// The error of a frame's pose: magnitudes of its position and orientation errors.
struct PoseError {
  double position = 0, angle = 0;

  bool within(double tolerance) const { return position <= tolerance && angle <= tolerance; }
};

/// Levenberg-Marquardt's method for the pose of a frame, with joint limits.
///
/// The error is e = [φ, R_WTᵀ·(p_T − p_F)/L] with φ̃ = log(R_WFᵀ·R_WT), in the axes of the target T, each part times its
/// weight; L is the size of the mechanism. With E = −∂e/∂q, exact for large φ too, a step is
///
///     (Eᵀ·E + μ·1)·Δq = Eᵀ·e
///
/// Joints that would exceed their limits are locked there, and the step is recomputed for the others. Joints that
/// follow others through gears are included: E is that of J·G. Allocates in its constructor only.
class PoseIteration {
 public:
  /// @param dofs the independent degrees of freedom that move the frame
  PoseIteration(const Mechanism& mech, const Parameters<double>& par, int frame, std::vector<int> dofs,
                const std::array<double, 6>& weight, double length);

  const std::vector<int>& dofs() const { return dofs_; }
  /// The limits of a degree of freedom, including those of its followers.
  double lower(int dof) const { return lower_[static_cast<std::size_t>(dof)]; }
  double upper(int dof) const { return upper_[static_cast<std::size_t>(dof)]; }

  /// Minimizes the error, starting at q. @return the number of iterations
  int improve(const Pose<double>& X_WT, std::span<double> q, bool limits, int most);

  PoseError error(const Pose<double>& X_WT, std::span<const double> q);
  Pose<double> pose(std::span<const double> q);

  /// The rates v and accelerations vdot of the chain's joints that give the frame the motion V and A, at the frame's
  /// origin in World's axes: J·v = V, J·vdot = A − J̇·v, in the prescribed directions; by least squares if there are
  /// more of these than joints. v and vdot have the size of all degrees of freedom of the mechanism.
  void rates(std::span<const double> q, const Motion<double>& V, const Motion<double>& A, int order,
             std::span<double> v, std::span<double> vdot);

  /// The least singular value of the weighted Jacobian over the largest, at q.
  double conditioning(std::span<const double> q);

 private:
  void linearize(const Pose<double>& X_WT, std::span<const double> q);
  bool find_step(std::span<const double> q, bool limits, double mu);
  void advance(std::span<const double> q, std::span<double> moved) const;

  const Mechanism& mech_;
  const Parameters<double>& par_;
  int frame_;
  std::vector<int> dofs_, bodies_;
  std::array<double, 6> weight_;
  double length_;

  Velocities<double> kin_;
  WorldPoses<double> poses_;
  Accelerations<double> accelerations_;
  std::vector<double> J_all_, J_, q_new_, step_all_, zero_;
  std::vector<double> lower_, upper_;
  std::vector<bool> held_;
  Eigen::Matrix<double, 6, Eigen::Dynamic> E_;
  Eigen::Matrix<double, 6, 1> e_;
  Eigen::MatrixXd normal_;
  Eigen::VectorXd step_, gradient_;
  Eigen::LDLT<Eigen::MatrixXd> factors_;
  Eigen::ColPivHouseholderQR<Eigen::Matrix<double, 6, Eigen::Dynamic>> inverse_;
};

}  // namespace articula::control
