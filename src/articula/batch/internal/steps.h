#pragma once

#include <articula/batch/rollout_options.h>
#include <articula/closure/coupled_dynamics.h>
#include <articula/dynamics/acting_forces.h>
#include <articula/dynamics/forward_dynamics.h>
#include <articula/dynamics/step_along.h>

/// The steps of a rollout, written once for one state (T = double) and for a group of lanes (T a pack).
namespace articula {

/// What a step needs beside the state.
template <class T>
struct Stepper {
  template <class P>
  Stepper(const Mechanism& mech, const Parameters<P>& par)
      : kin(mech),
        bodies(mech),
        acting(mech, par),
        coupled(mech, mech.is_coupled()),
        q(static_cast<std::size_t>(mech.nq)),
        v(static_cast<std::size_t>(mech.nv)),
        vdot(v),
        q_all(mech.is_coupled() ? q.size() : 0),
        v_all(mech.is_coupled() ? v.size() : 0),
        yddot(coupled.n_y) {
    for (int k = 0; k < 4; ++k) q_rate[k] = q, v_rate[k] = v;
  }

  Velocities<T> kin;
  ArticulatedBody<T> bodies;
  ActingForces<T> acting;
  CoupledDynamics<T> coupled;
  std::vector<T> q, v, vdot;
  std::vector<T> q_all, v_all, yddot;   ///< where joints are coupled: of all of them, and of independent ones
  std::vector<T> q_rate[4], v_rate[4];  ///< of the stages
};

/// Of all joints, after their positions; `tau` is of independent ones.
template <class T, class P>
void accelerations_at(const Mechanism& mech, const Parameters<P>& par, const T* q, const T* v, const T* tau,
                      Stepper<T>& s, T* vdot) {
  const auto nq = static_cast<std::size_t>(mech.nq), nv = static_cast<std::size_t>(mech.nv);
  const std::span<const Force<T>> F = s.acting.F_applied();
  if (mech.is_coupled()) {
    coupled_forward_dynamics<T, P>(mech, par, s.kin, {q, nq}, {v, nv}, {tau, s.yddot.size()}, {}, F, {}, {}, s.coupled,
                                   s.yddot);
    expand_rates(mech, par, s.yddot.data(), vdot);
    return;
  }
  velocities<T, P>(mech, par, {q, nq}, {v, nv}, s.kin);
  forward_dynamics<T, P>(mech, par, s.kin, {tau, nv}, F, s.bodies, {vdot, nv});
}

template <class T, class P>
void accelerations_of(const Mechanism& mech, const Parameters<P>& par, const T* q, const T* v, const T* tau,
                      Stepper<T>& s, T* vdot) {
  positions<T, P>(mech, par, {q, static_cast<std::size_t>(mech.nq)}, s.kin);
  if (has_force_elements(mech)) acting_forces<T, P>(mech, par, s.kin, {}, s.acting);
  accelerations_at<T, P>(mech, par, q, v, tau, s, vdot);
}

/// Quaternions back to unit length: rounding and the stages of a step leave it by a little.
template <class T>
void normalize(const Mechanism& mech, T* q) {
  using std::sqrt;
  for (const Body& body : mech.bodies) {
    if (body.joint != JointKind::spherical && body.joint != JointKind::free) continue;
    T* const a = q + body.q.first + (body.joint == JointKind::free ? 3 : 0);
    const T scale = T(1) / sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
    for (int k = 0; k < 4; ++k) a[k] *= scale;
  }
}

/// dq/dt of all joints.
template <class T>
void position_rates(const Mechanism& mech, const T* q, const T* v, T* rate) {
  for (const Body& body : mech.bodies) {
    visit_joint(body.joint, [&]<class J>(J) { J::qdot(q + body.q.first, v + body.v.first, rate + body.q.first); });
  }
}

/// v⁺ = v + h·vdot,  q⁺ = q ⊕ h·v⁺, in the axes before the step.
///
/// Where axes turn, forces that depend on v are taken at v + h/2·vdot, half way: taken at v, the gyroscopic torque of a
/// tumbling body would feed it energy, of order h²·ω² in a step instead of h⁴·ω⁴.
template <class T, class P>
void semi_implicit_step(const Mechanism& mech, const Parameters<P>& par, double step, T* q, T* v, const T* tau,
                        Stepper<T>& s) {
  const T h(step);
  accelerations_of<T, P>(mech, par, q, v, tau, s, s.vdot.data());
  if (has_turning_axes(mech)) {
    hold_axes(mech, v, s.vdot.data());
    const T half(0.5 * step);
    for (std::size_t k = 0; k < s.v.size(); ++k) s.v[k] = v[k] + half * s.vdot[k];
    accelerations_at<T, P>(mech, par, q, s.v.data(), tau, s, s.vdot.data());
    hold_axes(mech, s.v.data(), s.vdot.data());
  }
  for (std::size_t k = 0; k < s.v.size(); ++k) v[k] += h * s.vdot[k];
  step_along(mech, h, q, v);
}

/// On coordinates: q̇ = qdot(q, v) also for quaternions, which return to unit length after the step.
template <class T, class P>
void runge_kutta_step(const Mechanism& mech, const Parameters<P>& par, double step, T* q, T* v, const T* tau,
                      Stepper<T>& s) {
  constexpr double reach[] = {0, 0.5, 0.5, 1};
  for (int stage = 0; stage < 4; ++stage) {
    const T h(reach[stage] * step);
    for (std::size_t k = 0; k < s.q.size(); ++k) s.q[k] = stage == 0 ? q[k] : q[k] + h * s.q_rate[stage - 1][k];
    for (std::size_t k = 0; k < s.v.size(); ++k) s.v[k] = stage == 0 ? v[k] : v[k] + h * s.v_rate[stage - 1][k];
    position_rates(mech, s.q.data(), s.v.data(), s.q_rate[stage].data());
    accelerations_of<T, P>(mech, par, s.q.data(), s.v.data(), tau, s, s.v_rate[stage].data());
  }
  const T sixth(step / 6);
  const auto add = [&](std::vector<T>* rate, T* x) {
    for (std::size_t k = 0; k < rate[0].size(); ++k) {
      x[k] += sixth * (rate[0][k] + T(2) * (rate[1][k] + rate[2][k]) + rate[3][k]);
    }
  };
  add(s.q_rate, q);
  add(s.v_rate, v);
  normalize(mech, q);
}

/// Steps of all joints.
template <class T, class P>
void take_steps(const Mechanism& mech, const Parameters<P>& par, const RolloutOptions& options, T* q, T* v,
                const T* tau, Stepper<T>& s) {
  for (int k = 0; k < options.steps; ++k) {
    if (options.method == RolloutMethod::semi_implicit) {
      semi_implicit_step<T, P>(mech, par, options.step, q, v, tau, s);
    } else {
      runge_kutta_step<T, P>(mech, par, options.step, q, v, tau, s);
    }
    if (!mech.is_coupled()) continue;
    follow_positions(mech, par, q);  // to rounding they are there already
    follow_rates(mech, par, v);
  }
}

/// q, v and tau are of independent coordinates.
template <class T, class P>
void roll_out(const Mechanism& mech, const Parameters<P>& par, const RolloutOptions& options, T* q, T* v, const T* tau,
              Stepper<T>& s) {
  if (!mech.is_coupled()) return take_steps<T, P>(mech, par, options, q, v, tau, s);
  expand_positions(mech, par, q, s.q_all.data());
  expand_rates(mech, par, v, s.v_all.data());
  take_steps<T, P>(mech, par, options, s.q_all.data(), s.v_all.data(), tau, s);
  for (const int k : mech.independent.q) *q++ = s.q_all[static_cast<std::size_t>(k)];
  for (const int k : mech.independent.v) *v++ = s.v_all[static_cast<std::size_t>(k)];
}

}  // namespace articula
