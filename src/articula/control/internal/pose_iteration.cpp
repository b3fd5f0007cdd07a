#include <articula/control/internal/pose_iteration.h>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

#include <articula/base/index.h>
#include <articula/closure/limits.h>
#include <articula/dynamics/jacobian.h>
#include <articula/spatial/orientation.h>

namespace articula::control {

namespace {

/// The rotation vector of R.
Vec3<double> logarithm(const Rotation<double>& R) { return quaternion_log(quaternion_of(R)); }

/// φ changes by J_l⁻¹(φ)·δ if exp(φ̃) is rotated by δ from the left.
///
///     J_l⁻¹ = 1 − ½φ̃ + (1/θ² − cot(θ/2)/(2θ))·φ̃²
Mat3<double> left_jacobian_inverse(const Vec3<double>& phi) {
  const double angle = norm(phi);
  const double k =
      angle < 1e-3 ? 1.0 / 12 + angle * angle / 720 : 1 / (angle * angle) - 1 / (2 * angle * std::tan(0.5 * angle));
  const Mat3<double> t = tilde(phi), square = t * t;
  Mat3<double> J = Mat3<double>::identity();
  for (int i = 0; i < 3; ++i) J.row[i] += square.row[i] * k - t.row[i] * 0.5;
  return J;
}

}  // namespace

PoseIteration::PoseIteration(const Mechanism& mech, const Parameters<double>& par, int frame, std::vector<int> dofs,
                             const std::array<double, 6>& weight, double length)
    : mech_(mech),
      par_(par),
      frame_(frame),
      dofs_(std::move(dofs)),
      weight_(weight),
      length_(length),
      kin_(mech),
      poses_(mech),
      accelerations_(mech),
      J_all_(6 * at(mech.nv)),
      J_(6 * mech.independent.v.size()),
      q_new_(at(mech.nq)),
      step_all_(at(mech.nv)),
      zero_(at(mech.nv)),
      lower_(par.lower),
      upper_(par.upper),
      held_(dofs_.size()),
      factors_(static_cast<Eigen::Index>(dofs_.size())),
      inverse_(6, static_cast<Eigen::Index>(dofs_.size())) {
  for (const int dof : dofs_) {
    const int body = mech.body_of_dof[at(dof)];
    if (bodies_.empty() || bodies_.back() != body) bodies_.push_back(body);
  }
  narrow_limits(mech, par, lower_, upper_);
  const auto n = static_cast<Eigen::Index>(dofs_.size());
  E_.resize(6, n);
  normal_.resize(n, n);
  step_.resize(n);
  gradient_.resize(n);
}

Pose<double> PoseIteration::pose(std::span<const double> q) {
  positions<double, double>(mech_, par_, q, kin_);
  world_poses<double, double>(mech_, par_, kin_, poses_);
  return frame_pose(mech_, par_, poses_, frame_);
}

PoseError PoseIteration::error(const Pose<double>& X_WT, std::span<const double> q) {
  const Pose<double> X_WF = pose(q);
  const Vec3<double> phi = logarithm(X_WF.R.inverse() * X_WT.R), p = X_WT.R.rotate_back(X_WT.p - X_WF.p);
  const auto led = [&](const Vec3<double>& a, std::size_t first) {
    Vec3<double> part = a;
    for (int k = 0; k < 3; ++k) {
      if (weight_[first + at(k)] == 0) part[k] = 0;
    }
    return norm(part);
  };
  return {led(p, 3), led(phi, 0)};
}

/// The error e and its matrix E at q.
void PoseIteration::linearize(const Pose<double>& X_WT, std::span<const double> q) {
  const Pose<double> X_WF = pose(q);
  jacobian<double, double>(mech_, par_, kin_, poses_, frame_, JacobianFrame::local_world_aligned, J_all_);
  reduce_columns(mech_, par_, mech_.independent, 6, J_all_.data(), J_.data());
  const Vec3<double> phi = logarithm(X_WF.R.inverse() * X_WT.R), p = X_WT.R.rotate_back(X_WT.p - X_WF.p);
  const Mat3<double> turn = left_jacobian_inverse(phi);
  const std::size_t nv = mech_.independent.v.size();
  for (std::size_t c = 0; c < dofs_.size(); ++c) {
    const std::size_t k = at(mech_.independent.place[at(dofs_[c])]);
    const Vec3<double> w = turn * X_WF.R.rotate_back(Vec3<double>{J_[k], J_[nv + k], J_[2 * nv + k]});
    const Vec3<double> v = X_WT.R.rotate_back(Vec3<double>{J_[3 * nv + k], J_[4 * nv + k], J_[5 * nv + k]});
    for (int i = 0; i < 3; ++i) {
      E_(i, static_cast<Eigen::Index>(c)) = weight_[at(i)] * w[i];
      E_(3 + i, static_cast<Eigen::Index>(c)) = weight_[at(3 + i)] * v[i] / length_;
    }
  }
  for (int i = 0; i < 3; ++i) {
    e_[i] = weight_[at(i)] * phi[i];
    e_[3 + i] = weight_[at(3 + i)] * p[i] / length_;
  }
}

/// The damped step in step_; joints at a limit that would exceed it are locked. @return whether any joint may move
bool PoseIteration::find_step(std::span<const double> q, bool limits, double mu) {
  const auto n = static_cast<Eigen::Index>(dofs_.size());
  std::fill(held_.begin(), held_.end(), false);
  gradient_.noalias() = E_.transpose() * e_;
  for (std::size_t round = 0; round <= dofs_.size(); ++round) {
    normal_.noalias() = E_.transpose() * E_;
    const double scale = std::max(normal_.trace() / static_cast<double>(n), 1e-300);
    normal_.diagonal().array() += mu * scale;
    step_ = gradient_;
    for (Eigen::Index k = 0; k < n; ++k) {
      if (!held_[static_cast<std::size_t>(k)]) continue;
      normal_.row(k).setZero();
      normal_.col(k).setZero();
      normal_(k, k) = 1;
      step_[k] = 0;
    }
    factors_.compute(normal_);
    factors_.solveInPlace(step_);
    if (!limits) return true;
    bool more = false, free = false;
    for (std::size_t k = 0; k < dofs_.size(); ++k) {
      const std::size_t dof = at(dofs_[k]);
      const Body& body = mech_.bodies[at(mech_.body_of_dof[dof])];
      if (held_[k] || body.q.count != body.v.count) {
        free |= !held_[k];
        continue;
      }
      const double x = q[at(position_of(mech_, dofs_[k]))], d = step_[static_cast<Eigen::Index>(k)];
      if ((x <= lower_[dof] && d < 0) || (x >= upper_[dof] && d > 0)) {
        held_[k] = true;
        more = true;
      } else {
        free = true;
      }
    }
    if (!more) return free;
  }
  return false;
}

/// q ⊕ step_, within limits if the step was computed with limits.
void PoseIteration::advance(std::span<const double> q, std::span<double> moved) const {
  std::copy(q.begin(), q.end(), moved.begin());
  for (const int b : bodies_) {
    const Body& body = mech_.bodies[at(b)];
    visit_joint(body.joint, [&]<class J>(J) {
      J::advanced(q.data() + body.q.first, step_all_.data() + body.v.first, moved.data() + body.q.first);
    });
  }
  follow_positions(mech_, par_, moved.data());
}

int PoseIteration::improve(const Pose<double>& X_WT, std::span<double> q, bool limits, int most) {
  double mu = 1e-3, least = 0;
  int stalls = 0;
  linearize(X_WT, q);
  double error = e_.squaredNorm();
  for (int k = 0; k < most; ++k) {
    if (error == 0 || !find_step(q, limits, mu)) return k;
    for (std::size_t c = 0; c < dofs_.size(); ++c) step_all_[at(dofs_[c])] = step_[static_cast<Eigen::Index>(c)];
    advance(q, q_new_);
    for (std::size_t c = 0; limits && c < dofs_.size(); ++c) {
      const std::size_t dof = at(dofs_[c]);
      const Body& body = mech_.bodies[at(mech_.body_of_dof[dof])];
      if (body.q.count != body.v.count) continue;
      double& x = q_new_[at(position_of(mech_, dofs_[c]))];
      x = std::clamp(x, lower_[dof], std::max(lower_[dof], upper_[dof]));
    }
    follow_positions(mech_, par_, q_new_.data());
    linearize(X_WT, q_new_);
    least = e_.squaredNorm();
    if (least < error) {
      stalls = least > 0.999 * error ? stalls + 1 : 0;
      std::copy(q_new_.begin(), q_new_.end(), q.begin());
      error = least;
      mu = std::max(0.1 * mu, 1e-15);
      if (stalls > 20) return k + 1;
    } else {
      // An error of the size of rounding is not reduced by smaller steps.
      if (error < 1e-28 || mu > 1e6) return k + 1;
      mu *= 10;
      linearize(X_WT, q);
    }
  }
  return most;
}

double PoseIteration::conditioning(std::span<const double> q) {
  linearize(pose(q), q);
  const Eigen::VectorXd values = E_.jacobiSvd().singularValues();
  const auto led = std::count_if(weight_.begin(), weight_.end(), [](double w) { return w != 0; });
  const Eigen::Index rank = std::min<Eigen::Index>(led, E_.cols());
  return values[0] > 0 ? values[rank - 1] / values[0] : 0;
}

void PoseIteration::rates(std::span<const double> q, const Motion<double>& V, const Motion<double>& A, int order,
                          std::span<double> v, std::span<double> vdot) {
  constexpr auto in = JacobianFrame::local_world_aligned;
  const Pose<double> X_WF = pose(q);
  linearize(X_WF, q);  // without an error E is the Jacobian, in the frame's axes
  inverse_.compute(E_);
  const auto solved = [&](const Motion<double>& motion, std::span<double> rate) {
    const Vec3<double> w = X_WF.R.rotate_back(motion.w), linear = X_WF.R.rotate_back(motion.v);
    for (int i = 0; i < 3; ++i) {
      e_[i] = weight_[at(i)] * w[i];
      e_[3 + i] = weight_[at(3 + i)] * linear[i] / length_;
    }
    step_ = inverse_.solve(e_);
    std::fill(rate.begin(), rate.end(), 0.0);
    for (std::size_t c = 0; c < dofs_.size(); ++c) rate[at(dofs_[c])] = step_[static_cast<Eigen::Index>(c)];
    follow_rates(mech_, par_, rate.data());
  };
  solved(V, v);
  if (order < 2) return;
  velocities<double, double>(mech_, par_, q, v, kin_);
  accelerations<double, double>(mech_, par_, kin_, zero_, accelerations_);
  const Motion<double> bias = frame_acceleration(mech_, par_, poses_, kin_, accelerations_, frame_, in);
  solved(A - bias, vdot);
}

}  // namespace articula::control
