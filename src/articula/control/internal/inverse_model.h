#pragma once

#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include <articula/closure/dynamics.h>
#include <articula/dynamics/jacobian.h>
#include <articula/solve/internal/exposed_mechanism.h>

namespace articula::control {

/// Inverse dynamics of a mechanism in its exposed variables, and positions of its points, over any scalar. Allocates in
/// its constructor only.
template <class T>
class InverseModel {
 public:
  explicit InverseModel(std::shared_ptr<const ExposedMechanism> exposed)
      : exposed_(std::move(exposed)),
        dynamics_(mech(), par(), {.passive = exposed_->passive(), .forward = false}),
        q_(static_cast<std::size_t>(mech().nq)),
        v_(static_cast<std::size_t>(mech().nv)),
        vdot_(v_.size()),
        tau_(v_.size()),
        slip_(v_.size()) {}

  const ExposedMechanism& exposed() const { return *exposed_; }

  void torques(std::span<const T> q, std::span<const T> v, std::span<const T> vdot, std::span<T> tau) {
    to_q(q);
    to_tangent(v, v_);
    to_tangent(vdot, vdot_);
    slip_of<T>(v_, slip_);
    dynamics_.torques(par(), q_, v_, vdot_, {{}, exposed_->passive(), slip_, {}}, tau_);
    from_forces(tau_, tau);
  }

  /// Computes the poses of all bodies.
  void place(std::span<const T> q) {
    to_q(q);
    dynamics_.place(par(), q_);
  }

  /// The distance between the origins of two frames, and its derivative for each exposed degree of freedom: zero if
  /// they coincide, since there is no direction. After `place`.
  T line(int frame_F, int frame_M, std::span<T> gradient) {
    using std::sqrt;
    WorldPoses<T>& poses = dynamics_.acting.poses;
    world_poses<T, double>(mech(), par(), dynamics_.kin, poses);
    const Pose<T> X_WF = frame_pose(mech(), par(), poses, frame_F), X_WM = frame_pose(mech(), par(), poses, frame_M);
    const Vec3<T> line = X_WM.p - X_WF.p;
    const T square = dot(line, line);
    std::fill(tau_.begin(), tau_.end(), T(0));
    if (!(square > T(0))) {
      from_forces(tau_, gradient);
      return T(0);
    }
    const T length = sqrt(square);
    const Vec3<T> n_W = line * (T(1) / length);
    const auto add = [&](int frame, const Pose<T>& X_WP, double sign) {
      const Viewpoint<T> view(X_WP, JacobianFrame::local_world_aligned);
      for_each_column(
          mech(), par(), dynamics_.kin, poses, mech().frames[static_cast<std::size_t>(frame)].body, view,
          [&](int dof, const Motion<T>& V) { tau_[static_cast<std::size_t>(dof)] += sign * dot(n_W, V.v); });
    };
    add(frame_M, X_WM, 1);
    add(frame_F, X_WF, -1);
    from_forces(tau_, gradient);
    return length;
  }

 private:
  const Mechanism& mech() const { return exposed_->mech(); }
  const Parameters<double>& par() const { return exposed_->par(); }

  void to_q(std::span<const T> exposed) { exposed_->map().template to_q<T>(exposed, q_); }
  void to_tangent(std::span<const T> exposed, std::span<T> x) { exposed_->map().template to_tangent<T>(exposed, x); }
  void from_forces(std::span<const T> tau, std::span<T> exposed) {
    exposed_->map().template from_forces<T>(tau, exposed);
  }

  std::shared_ptr<const ExposedMechanism> exposed_;
  Dynamics<T, double> dynamics_;
  std::vector<T> q_, v_, vdot_, tau_, slip_;
};

/// The same model for values and for derivatives, as blocks need it.
class BlockModel {
 public:
  explicit BlockModel(const std::shared_ptr<const ExposedMechanism>& exposed)
      : with_numbers_(exposed), with_duals_(exposed) {}

  template <class T>
  InverseModel<T>& get() {
    if constexpr (std::is_same_v<T, double>) {
      return with_numbers_;
    } else {
      return with_duals_;
    }
  }

 private:
  InverseModel<double> with_numbers_;
  InverseModel<Dual> with_duals_;
};

}  // namespace articula::control
