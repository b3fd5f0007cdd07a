#pragma once

#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include <articula/control/internal/shown_mechanism.h>
#include <articula/dynamics/acting_forces.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/jacobian.h>

namespace articula {

/// What a mechanism needs to move as told, in the variables that are shown, over any scalar:
///
///     tau = Gᵀ·(M(q)·vdot + b(q, v) + rotors·vdot − passive(q, v) − Σ Jᵀ·F)
///
/// with q, v = G·v_shown of all joints. Also where points of it are. Allocates in its constructor only.
template <class T>
class InverseModel {
 public:
  explicit InverseModel(std::shared_ptr<const ShownMechanism> shown)
      : shown_(std::move(shown)),
        kin_(mech()),
        acting_(mech(), par()),
        newton_euler_(mech()),
        q_(static_cast<std::size_t>(mech().nq)),
        v_(static_cast<std::size_t>(mech().nv)),
        vdot_(v_.size()),
        tau_(v_.size()),
        slip_(v_.size()) {}

  const ShownMechanism& shown() const { return *shown_; }

  void torques(std::span<const T> q, std::span<const T> v, std::span<const T> vdot, std::span<T> tau) {
    place(q);
    to_tangent(v, v_);
    to_tangent(vdot, vdot_);
    if (shown_->passive() && shown_->has_elements()) velocities<T, double>(mech(), par(), q_, v_, kin_);
    slip_of<T>(v_, slip_);
    acting_forces<T, double>(mech(), par(), kin_, q_, v_, {{}, shown_->passive(), slip_}, acting_);
    inverse_dynamics<T, double>(mech(), par(), kin_, q_, v_, vdot_, acting_.F_applied(), newton_euler_, tau_);
    for (std::size_t k = 0; k < tau_.size(); ++k) tau_[k] += shown_->reflected()[k] * vdot_[k] - acting_.tau[k];
    from_forces(tau_, tau);
  }

  /// Where all bodies are.
  void place(std::span<const T> q) {
    to_q(q);
    positions<T, double>(mech(), par(), q_, kin_);
  }

  /// The distance between the origins of two frames, and how it changes with each degree of freedom that is shown.
  /// Where they coincide it does not, there being no direction. After `place`.
  T line(int frame_F, int frame_M, std::span<T> gradient) {
    using std::sqrt;
    world_poses<T, double>(mech(), par(), kin_, acting_.poses);
    const Pose<T> X_WF = frame_pose(mech(), par(), acting_.poses, frame_F),
                  X_WM = frame_pose(mech(), par(), acting_.poses, frame_M);
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
          mech(), par(), kin_, acting_.poses, mech().frames[static_cast<std::size_t>(frame)].body, view,
          [&](int dof, const Motion<T>& V) { tau_[static_cast<std::size_t>(dof)] += sign * dot(n_W, V.v); });
    };
    add(frame_M, X_WM, 1);
    add(frame_F, X_WF, -1);
    from_forces(tau_, gradient);
    return length;
  }

 private:
  const Mechanism& mech() const { return shown_->mech(); }
  const Parameters<double>& par() const { return shown_->par(); }

  void to_q(std::span<const T> shown) { shown_->map().template to_q<T>(shown, q_); }
  void to_tangent(std::span<const T> shown, std::span<T> x) { shown_->map().template to_tangent<T>(shown, x); }
  void from_forces(std::span<const T> tau, std::span<T> shown) { shown_->map().template from_forces<T>(tau, shown); }

  std::shared_ptr<const ShownMechanism> shown_;
  Velocities<T> kin_;
  ActingForces<T> acting_;
  NewtonEuler<T> newton_euler_;
  std::vector<T> q_, v_, vdot_, tau_, slip_;
};

/// The same model for numbers and for their derivatives, as a block needs it.
class BlockModel {
 public:
  explicit BlockModel(const std::shared_ptr<const ShownMechanism>& shown) : with_numbers_(shown), with_duals_(shown) {}

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

}  // namespace articula
