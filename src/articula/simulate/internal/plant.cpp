#include <articula/simulate/internal/plant.h>

#include <algorithm>

#include <articula/dynamics/energy.h>
#include <articula/dynamics/force_elements.h>
#include <articula/scalar/finite.h>

namespace articula::simulate {

Plant::Plant(std::shared_ptr<const ExposedMechanism> exposed)
    : exposed_(std::move(exposed)),
      all_free_(exposed_->all_free()),
      roles_(exposed_->roles()),
      dynamics_(mech(), par(), {.passive = exposed_->passive()}),
      q_(static_cast<std::size_t>(mech().nq)),
      v_(static_cast<std::size_t>(mech().nv)),
      vdot_(v_.size()),
      tau_(v_.size()),
      friction_(v_.size()),
      slip_(v_.size()),
      slope_(v_.size()),
      zero_(v_.size()) {
  if (v_.size() <= most_squared_at_once) make_derivatives();
  if (exposed_->passive()) joint_friction<double>(mech(), par(), friction_);
}

void Plant::make_derivatives() {
  if (changes_) return;
  changes_.emplace(dynamics_, par(), true);
  const std::size_t n_y = mech().independent.v.size();
  for (auto* each : {&dy_, &dydot_, &dtau_}) each->resize(n_y * n_y);
}

void Plant::prescribe(std::size_t dof, bool given) {
  roles_[static_cast<std::size_t>(exposed_->map().place_of(dof))] = given ? DofRole::prescribed : DofRole::free;
  all_free_ = std::all_of(roles_.begin(), roles_.end(), [](DofRole role) { return role == DofRole::free; });
}

void Plant::to_all(std::span<const double> q, std::span<const double> v) {
  exposed_->map().to_q(q, q_);
  exposed_->map().to_tangent(v, v_);
}

bool Plant::accelerate(std::span<const double> q, std::span<const double> v, std::span<double> tau,
                       std::span<double> vdot) {
  to_all(q, v);
  exposed_->map().to_forces(tau, tau_);
  exposed_->map().to_tangent(vdot, vdot_);  // what is not exposed is locked: zero
  dynamics_.move(par(), q_, v_);            // also for what is asked after
  dynamics_.act(par(), q_, v_, acting());
  if (!dynamics_.forward_dynamics(par(), roles_if_any(), tau_, vdot_)) return false;
  exposed_->map().from_tangent(vdot_, vdot);
  for (std::size_t s = 0; !all_free_ && s < nv(); ++s) {
    if (is_prescribed(s)) tau[s] = dynamics_.joint_forces[static_cast<std::size_t>(exposed_->map().place_of(s))];
  }
  return all_finite(vdot);
}

bool Plant::derivatives(std::span<double> dq, std::span<double> dv, std::span<double> du) {
  make_derivatives();
  if (!changes_->of_accelerations(dynamics_, par(), q_, v_, vdot_, roles_, acting(), dy_, dydot_, dtau_)) return false;
  exposed_->map().select_independent_square(dy_, dq);
  exposed_->map().select_independent_square(dydot_, dv);
  exposed_->map().select_independent_square(dtau_, du);
  return all_finite(dq) && all_finite(dv) && all_finite(du);
}

void Plant::hold(std::span<const double> q, std::span<const double> v, std::span<double> tau) {
  to_all(q, v);
  dynamics_.torques(par(), q_, v_, zero_, acting(), tau_);
  exposed_->map().from_forces(tau_, tau);
}

double Plant::kinetic_energy() const {
  return dynamics::kinetic_energy<double, double>(mech(), par(), dynamics_.kin, v_);
}

double Plant::length_of(const ForceElement& element) {
  if (element.kind == ForceElement::Kind::line) return norm(frame(element.frame_M).p - frame(element.frame_F).p);
  if (element.kind != ForceElement::Kind::shaft) return 0;
  return shaft_angle<double, double>(mech(), element,
                                     par().forces[static_cast<std::size_t>(&element - mech().forces.data())], q_);
}

double Plant::potential_energy() {
  world_poses<double, double>(mech(), par(), dynamics_.kin, dynamics_.acting.poses);
  double energy = dynamics::potential_energy<double, double>(mech(), par(), poses());
  for (std::size_t k = 0; exposed_->passive() && k < mech().forces.size(); ++k) {
    const double stretch = length_of(mech().forces[k]) - par().forces[k].rest;
    energy += 0.5 * par().forces[k].stiffness * stretch * stretch;
  }
  return energy;
}

Plant::Stretch Plant::stretch(int place) {
  const ForceElement& element = mech().forces[static_cast<std::size_t>(place)];
  const ForceNumbers<double>& numbers = par().forces[static_cast<std::size_t>(place)];
  const double x = length_of(element);
  double rate = 0;
  if (element.kind == ForceElement::Kind::line) {
    const auto velocity = [&](int frame) {
      return frame_velocity(mech(), par(), poses(), dynamics_.kin, frame, JacobianFrame::local_world_aligned).v;
    };
    const Vec3<double> line = frame(element.frame_M).p - frame(element.frame_F).p;
    if (x > 0) rate = dot(line, velocity(element.frame_M) - velocity(element.frame_F)) / x;
  } else {
    rate = shaft_speed<double, double>(element, numbers, v_);
  }
  return {x, numbers.force - numbers.stiffness * (x - numbers.rest) - numbers.damping * rate};
}

void Plant::joint_forces(std::span<double> tau) { dynamics_.inverse_dynamics(par(), q_, v_, vdot_, tau); }

Pose<double> Plant::frame(int place) { return frame_pose<double, double>(mech(), par(), poses(), place); }

}  // namespace articula::simulate
