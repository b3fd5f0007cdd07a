#include <articula/simulate/internal/plant.h>

#include <cmath>

#include <articula/dynamics/energy.h>

namespace articula {

static bool all_finite(std::span<const double> x) {
  double sum = 0;
  for (const double each : x) sum += each - each;  // 0, or NaN
  return sum == 0;
}

Plant::Plant(std::shared_ptr<const ShownMechanism> shown)
    : shown_(std::move(shown)),
      identity_(shown_->map().is_identity()),
      with_masses_(mech().is_coupled() || shown_->has_reflected()),
      all_free_(shown_->all_free()),
      roles_(shown_->roles()),
      kin_(mech()),
      acting_(mech(), par()),
      articulated_(mech()),
      newton_euler_(mech()),
      q_(static_cast<std::size_t>(mech().nq)),
      v_(static_cast<std::size_t>(mech().nv)),
      vdot_(v_.size()),
      tau_(v_.size()),
      friction_(v_.size()),
      viscous_(v_.size()),
      slip_(v_.size()),
      slope_(v_.size()),
      zero_(v_.size()),
      tau_y_(mech().independent.v.size()),
      yddot_(tau_y_.size()) {
  if (v_.size() <= most_squared_at_once) make_masses(), make_derivatives();
  if (!shown_->passive()) return;
  joint_damping<double>(mech(), par(), viscous_);
  for (std::size_t k = 0; k < v_.size(); ++k) friction_[k] = par().friction[k];
  for (std::size_t r = 0; r < mech().rotors.size(); ++r) {
    if (mech().rotors[r].dof >= 0)
      friction_[static_cast<std::size_t>(mech().rotors[r].dof)] += par().rotors[r].friction;
  }
}

void Plant::make_masses() {
  if (!coupled_) coupled_.emplace(mech());
}

void Plant::make_derivatives() {
  if (derivatives_) return;
  const std::size_t n_y = tau_y_.size();
  derivatives_.emplace(mech());
  if (shown_->has_elements()) changes_.emplace(mech(), par());
  dq_.resize(v_.size() * v_.size()), dv_.resize(v_.size() * v_.size());
  for (auto* each : {&R_q_, &R_v_, &inverse_}) each->resize(n_y * n_y);
  M_G_.resize(v_.size() * n_y);
}

void Plant::prescribe(std::size_t shown, bool given) {
  roles_[static_cast<std::size_t>(shown_->map().place_of(shown))] = given ? DofRole::prescribed : DofRole::free;
  all_free_ = std::all_of(roles_.begin(), roles_.end(), [](DofRole role) { return role == DofRole::free; });
}

void Plant::place(std::span<const double> q, std::span<const double> v) {
  shown_->map().to_q(q, q_);
  shown_->map().to_tangent(v, v_);
  positions<double, double>(mech(), par(), q_, kin_);
  velocities<double, double>(mech(), par(), q_, v_, kin_);
  acting_forces<double, double>(mech(), par(), kin_, q_, v_, {{}, shown_->passive(), slip_}, acting_);
}

bool Plant::accelerate(std::span<const double> q, std::span<const double> v, std::span<double> tau,
                       std::span<double> vdot) {
  place(q, v);
  return (with_masses_ ? by_masses(tau, vdot) : by_recursion(tau, vdot)) && all_finite(vdot);
}

bool Plant::by_recursion(std::span<double> tau, std::span<double> vdot) {
  shown_->map().to_forces(tau, tau_);
  for (std::size_t k = 0; k < tau_.size(); ++k) tau_[k] += acting_.tau[k];
  if (all_free_) {
    forward_dynamics<double, double>(mech(), par(), kin_, tau_, acting_.F_applied(), articulated_, vdot_);
  } else {
    shown_->map().to_tangent(vdot, vdot_);  // what is not shown is held: zero
    hybrid_dynamics<double, double>(mech(), par(), kin_, roles_, acting_.F_applied(), articulated_, tau_, vdot_);
    for (std::size_t s = 0; s < nv(); ++s) {
      const auto dof = static_cast<std::size_t>(shown_->map().place_of(s));
      if (roles_[dof] == DofRole::prescribed) tau[s] = tau_[dof] - acting_.tau[dof];
    }
  }
  shown_->map().from_tangent(vdot_, vdot);
  return true;
}

bool Plant::by_masses(std::span<double> tau, std::span<double> vdot) {
  make_masses();
  for (std::size_t s = 0; s < nv(); ++s) tau_y_[y_place(s)] = tau[s], yddot_[y_place(s)] = vdot[s];
  coupled_forward_dynamics<double, double>(mech(), par(), kin_, q_, v_, tau_y_, acting_.tau, acting_.F_applied(),
                                           shown_->reflected(), roles_, *coupled_, yddot_);
  if (find_singular(mech(), *coupled_)) return false;
  for (std::size_t s = 0; s < nv(); ++s) {
    vdot[s] = yddot_[y_place(s)];
    if (is_prescribed(s)) tau[s] = coupled_force<double>(*coupled_, yddot_, y_place(s));
  }
  expand_rates(mech(), par(), yddot_.data(), vdot_.data());
  return true;
}

/// How what resists in a joint grows with its speed.
double Plant::damping_of(std::size_t dof) const { return viscous_[dof] + friction_[dof] * slope_[dof]; }

/// In R_q_ and R_v_. Where friction is smoothed, it changes with the speed.
void Plant::derivatives_of_torques() {
  inverse_dynamics_derivatives<double, double>(mech(), par(), kin_, q_, v_, vdot_, acting_.F_applied(),
                                               derivatives_->inverse_dynamics, tau_, dq_, dv_);
  if (changes_) {
    add_acting_force_changes<double, double>(mech(), par(), kin_, q_, v_, {{}, shown_->passive(), slip_}, *changes_,
                                             dq_, dv_);
    for (std::size_t k = 0; k < v_.size(); ++k) dv_[k * v_.size() + k] += friction_[k] * slope_[k];
  } else if (shown_->resists()) {
    for (std::size_t k = 0; k < v_.size(); ++k) dv_[k * v_.size() + k] += damping_of(k);
  }
  reduce_matrix(mech(), par(), mech().independent, dq_.data(), M_G_.data(), R_q_.data());
  reduce_matrix(mech(), par(), mech().independent, dv_.data(), M_G_.data(), R_v_.data());
}

bool Plant::derivatives(std::span<double> dq, std::span<double> dv, std::span<double> du) {
  const std::size_t n = nv();
  make_derivatives();
  if (identity_ && all_free_ && !with_masses_ && !shown_->has_elements()) {
    forward_dynamics_derivatives(mech(), par(), kin_, q_, v_, vdot_, acting_.F_applied(), *derivatives_, dq, dv, du);
    if (shown_->resists()) {
      for (std::size_t k = 0; k < n; ++k) {
        const double damping = damping_of(k);
        for (std::size_t i = 0; i < n; ++i) dv[i * n + k] -= du[i * n + k] * damping;
      }
    }
  } else {
    derivatives_of_torques();
    make_masses();
    factor_coupled_masses<double, double>(mech(), par(), kin_, shown_->reflected(), roles_, *coupled_);
    if (find_singular(mech(), *coupled_)) return false;
    changes_of_accelerations<double>(mech(), roles_, *coupled_, R_q_.data());
    changes_of_accelerations<double>(mech(), roles_, *coupled_, R_v_.data());
    inverse_of_coupled_masses<double>(mech(), roles_, *coupled_, inverse_.data());
    shown_->map().select_independent_square(R_q_, dq);
    shown_->map().select_independent_square(R_v_, dv);
    shown_->map().select_independent_square(inverse_, du);
  }
  return all_finite(dq) && all_finite(dv) && all_finite(du);
}

void Plant::hold(std::span<const double> q, std::span<const double> v, std::span<double> tau) {
  place(q, v);
  inverse_dynamics<double, double>(mech(), par(), kin_, q_, v_, zero_, acting_.F_applied(), newton_euler_, tau_);
  for (std::size_t k = 0; k < tau_.size(); ++k) tau_[k] -= acting_.tau[k];
  shown_->map().from_forces(tau_, tau);
}

double Plant::kinetic_energy() const {
  double energy = articula::kinetic_energy<double, double>(mech(), par(), kin_);
  for (std::size_t k = 0; k < v_.size(); ++k) energy += 0.5 * shown_->reflected()[k] * v_[k] * v_[k];
  return energy;
}

double Plant::length_of(const ForceElement& element) {
  if (element.kind == ForceElement::Kind::line) return norm(frame(element.frame_M).p - frame(element.frame_F).p);
  if (element.kind != ForceElement::Kind::shaft) return 0;
  const auto angle = [&](int dof) { return dof < 0 ? 0.0 : q_[static_cast<std::size_t>(position_of(mech(), dof))]; };
  return angle(element.dof_from) - angle(element.dof_to);
}

double Plant::potential_energy() {
  world_poses<double, double>(mech(), par(), kin_, acting_.poses);
  double energy = articula::potential_energy<double, double>(mech(), par(), acting_.poses);
  for (std::size_t k = 0; shown_->passive() && k < mech().forces.size(); ++k) {
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
      return frame_velocity(mech(), par(), acting_.poses, kin_, frame, JacobianFrame::local_world_aligned).v;
    };
    const Vec3<double> line = frame(element.frame_M).p - frame(element.frame_F).p;
    if (x > 0) rate = dot(line, velocity(element.frame_M) - velocity(element.frame_F)) / x;
  } else {
    const auto speed = [&](int dof) { return dof < 0 ? 0.0 : v_[static_cast<std::size_t>(dof)]; };
    rate = speed(element.dof_from) - speed(element.dof_to);
  }
  return {x, numbers.force - numbers.stiffness * (x - numbers.rest) - numbers.damping * rate};
}

void Plant::joint_forces(std::span<double> tau) {
  inverse_dynamics<double, double>(mech(), par(), kin_, q_, v_, vdot_, acting_.F_applied(), newton_euler_, tau);
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += shown_->reflected()[k] * vdot_[k] - acting_.tau[k];
}

Pose<double> Plant::frame(int place) { return frame_pose<double, double>(mech(), par(), acting_.poses, place); }

}  // namespace articula
