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
      poses_(mech()),
      articulated_(mech()),
      newton_euler_(mech()),
      dual_(shown_),
      F_C_(par().X_BC.size()),
      F_F_(mech().frames.size()),
      F_B_(mech().bodies.size()),
      q_(static_cast<std::size_t>(mech().nq)),
      v_(static_cast<std::size_t>(mech().nv)),
      vdot_(v_.size()),
      tau_(v_.size()),
      passive_(v_.size()),
      friction_(v_.size()),
      viscous_(v_.size()),
      slip_(v_.size()),
      slope_(v_.size()),
      zero_(v_.size()),
      tau_y_(mech().independent.v.size()),
      yddot_(tau_y_.size()),
      q_dual_(nq()),
      v_dual_(nv()),
      vdot_dual_(nv()),
      tau_dual_(nv()),
      unit_(most_joint_dofs),
      q_rate_(nq()) {
  if (v_.size() <= most_squared_at_once) make_masses(), make_derivatives();
  if (!shown_->passive()) return;
  for (std::size_t k = 0; k < v_.size(); ++k) friction_[k] = par().friction[k], viscous_[k] = par().damping[k];
  for (std::size_t r = 0; r < mech().rotors.size(); ++r) {
    if (mech().rotors[r].dof < 0) continue;
    const auto dof = static_cast<std::size_t>(mech().rotors[r].dof);
    friction_[dof] += par().rotors[r].friction, viscous_[dof] += par().rotors[r].viscous_friction;
  }
}

void Plant::make_masses() {
  if (!coupled_) coupled_.emplace(mech());
}

void Plant::make_derivatives() {
  if (derivatives_) return;
  const std::size_t n_y = tau_y_.size();
  derivatives_.emplace(mech());
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
  apply_forces();
}

void Plant::apply_forces() {
  F_applied_ = {};
  if (!shown_->has_elements() && !shown_->resists()) return;
  std::fill(passive_.begin(), passive_.end(), 0.0);
  if (shown_->has_elements()) {
    world_poses<double, double>(mech(), par(), kin_, poses_);
    gravity_forces_on_constituents<double, double>(mech(), par(), poses_, F_C_);
    std::fill(F_F_.begin(), F_F_.end(), Force<double>::zero());
    add_external_forces<double, double>(mech(), par(), poses_, F_F_);
  }
  if (shown_->passive()) add_passive_forces<double, double>(mech(), par(), poses_, kin_, q_, v_, F_F_, passive_, slip_);
  if (!shown_->has_elements()) return;
  applied_forces<double, double>(mech(), par(), F_C_, F_F_, F_B_);
  F_applied_ = F_B_;
}

bool Plant::accelerate(std::span<const double> q, std::span<const double> v, std::span<double> tau,
                       std::span<double> vdot) {
  place(q, v);
  return (with_masses_ ? by_masses(tau, vdot) : by_recursion(tau, vdot)) && all_finite(vdot);
}

bool Plant::by_recursion(std::span<double> tau, std::span<double> vdot) {
  shown_->map().to_forces(tau, tau_);
  for (std::size_t k = 0; k < tau_.size(); ++k) tau_[k] += passive_[k];
  if (all_free_) {
    forward_dynamics<double, double>(mech(), par(), kin_, tau_, F_applied_, articulated_, vdot_);
  } else {
    shown_->map().to_tangent(vdot, vdot_);  // what is not shown is held: zero
    hybrid_dynamics<double, double>(mech(), par(), kin_, roles_, F_applied_, articulated_, tau_, vdot_);
    for (std::size_t s = 0; s < nv(); ++s) {
      const auto dof = static_cast<std::size_t>(shown_->map().place_of(s));
      if (roles_[dof] == DofRole::prescribed) tau[s] = tau_[dof] - passive_[dof];
    }
  }
  shown_->map().from_tangent(vdot_, vdot);
  return true;
}

bool Plant::by_masses(std::span<double> tau, std::span<double> vdot) {
  make_masses();
  for (std::size_t s = 0; s < nv(); ++s) tau_y_[y_place(s)] = tau[s], yddot_[y_place(s)] = vdot[s];
  coupled_forward_dynamics<double, double>(mech(), par(), kin_, q_, v_, tau_y_, passive_, F_applied_,
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

void Plant::derivatives_by_duals(std::span<const double> q, std::span<const double> v, std::span<const double> vdot) {
  for (std::size_t k = 0; k < nv(); ++k) v_dual_[k] = v[k], vdot_dual_[k] = vdot[k];
  for (std::size_t k = 0; k < nq(); ++k) q_dual_[k] = q[k];
  std::fill(R_q_.begin(), R_q_.end(), 0.0), std::fill(R_v_.begin(), R_v_.end(), 0.0);  // what is held has no column
  const auto column = [&](auto& R, int k) {
    dual_.torques(q_dual_, v_dual_, vdot_dual_, tau_dual_);
    for (std::size_t i = 0; i < nv(); ++i)
      R[y_place(i) * yddot_.size() + y_place(static_cast<std::size_t>(k))] = tau_dual_[i].dx;
  };
  for (const ShownMechanism::ShownJoint& joint : shown_->joints()) {
    for (int a = 0; a < joint.v.count; ++a) {
      std::fill(unit_.begin(), unit_.end(), 0.0);
      unit_[static_cast<std::size_t>(a)] = 1;
      const auto first = static_cast<std::size_t>(joint.q.first);
      visit_joint(joint.kind, [&]<class J>(J) { J::qdot(q.data() + first, unit_.data(), q_rate_.data() + first); });
      for (const int k : joint.q) q_dual_[static_cast<std::size_t>(k)].dx = q_rate_[static_cast<std::size_t>(k)];
      column(R_q_, joint.v.first + a);
      for (const int k : joint.q) q_dual_[static_cast<std::size_t>(k)].dx = 0;
      Dual& rate = v_dual_[static_cast<std::size_t>(joint.v.first + a)];
      rate.dx = 1;
      column(R_v_, joint.v.first + a);
      rate.dx = 0;
    }
  }
  // Friction has no derivative there; where it is smoothed, it changes with the speed all the same.
  if (std::all_of(slope_.begin(), slope_.end(), [](double slope) { return slope == 0; })) return;
  std::fill(dv_.begin(), dv_.end(), 0.0);
  for (std::size_t k = 0; k < v_.size(); ++k) dv_[k * v_.size() + k] = friction_[k] * slope_[k];
  reduce_matrix(mech(), par(), mech().independent, dv_.data(), M_G_.data(), inverse_.data());
  for (std::size_t k = 0; k < R_v_.size(); ++k) R_v_[k] += inverse_[k];
}

/// Damping of joints and rotors aside, only the rigid bodies change.
void Plant::derivatives_by_recursion() {
  inverse_dynamics_derivatives<double, double>(mech(), par(), kin_, q_, v_, vdot_, F_applied_,
                                               derivatives_->inverse_dynamics, tau_, dq_, dv_);
  if (shown_->resists()) {
    for (std::size_t k = 0; k < v_.size(); ++k) dv_[k * v_.size() + k] += damping_of(k);
  }
  reduce_matrix(mech(), par(), mech().independent, dq_.data(), M_G_.data(), R_q_.data());
  reduce_matrix(mech(), par(), mech().independent, dv_.data(), M_G_.data(), R_v_.data());
}

bool Plant::derivatives(std::span<const double> q, std::span<const double> v, std::span<const double> vdot,
                        std::span<double> dq, std::span<double> dv, std::span<double> du) {
  const std::size_t n = nv();
  make_derivatives();
  if (identity_ && all_free_ && !with_masses_ && !shown_->has_elements()) {
    forward_dynamics_derivatives(mech(), par(), kin_, q_, v_, vdot_, F_applied_, *derivatives_, dq, dv, du);
    if (shown_->resists()) {
      for (std::size_t k = 0; k < n; ++k) {
        const double damping = damping_of(k);
        for (std::size_t i = 0; i < n; ++i) dv[i * n + k] -= du[i * n + k] * damping;
      }
    }
  } else {
    if (shown_->has_elements()) {
      derivatives_by_duals(q, v, vdot);
    } else {
      derivatives_by_recursion();
    }
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
  inverse_dynamics<double, double>(mech(), par(), kin_, q_, v_, zero_, F_applied_, newton_euler_, tau_);
  for (std::size_t k = 0; k < tau_.size(); ++k) tau_[k] -= passive_[k];
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
  world_poses<double, double>(mech(), par(), kin_, poses_);
  double energy = articula::potential_energy<double, double>(mech(), par(), poses_);
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
      return frame_velocity(mech(), par(), poses_, kin_, frame, JacobianFrame::local_world_aligned).v;
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
  inverse_dynamics<double, double>(mech(), par(), kin_, q_, v_, vdot_, F_applied_, newton_euler_, tau);
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += shown_->reflected()[k] * vdot_[k] - passive_[k];
}

Pose<double> Plant::frame(int place) { return frame_pose<double, double>(mech(), par(), poses_, place); }

}  // namespace articula
