#pragma once

#include <articula/closure/dynamics.h>
#include <articula/dynamics/step_along.h>

/// Fixed time steps of all joints, for one state, for a pack of states, and for recorded code.
namespace articula::closure {

/// The mechanism that steps, and workspace.
template <class T, class P = T>
struct Stepper {
  Stepper(const Mechanism& mech, const Parameters<P>& par)
      : dynamics(mech, par),
        q(static_cast<std::size_t>(mech.nq)),
        v(static_cast<std::size_t>(mech.nv)),
        vdot(v),
        tau(v) {
    for (int k = 0; k < 4; ++k) q_rate[k] = q, v_rate[k] = v;
  }

  Dynamics<T, P> dynamics;
  std::vector<T> q, v, vdot;            ///< between two steps
  std::vector<T> tau;                   ///< of all joints, constant over the steps
  std::vector<T> q_rate[4], v_rate[4];  ///< of the stages
};

/// vdot at q and v of all joints.
template <class T, class P>
void accelerations_of(const Parameters<P>& par, const T* q, const T* v, Stepper<T, P>& s, T* vdot) {
  s.dynamics.accelerations(par, {q, s.q.size()}, {v, s.v.size()}, {}, {}, s.tau, {vdot, s.v.size()});
}

/// Normalizes quaternions, whose length changes by rounding and by the stages of a step.
template <class T>
void normalize(const Mechanism& mech, T* q) {
  using std::sqrt;
  for (const Body& body : mech.bodies) {
    const int quaternion = quaternion_in(body.joint);
    if (quaternion < 0) continue;
    T* const a = q + body.q.first + quaternion;
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
/// For rotating axes, forces that depend on v are evaluated at v + h/2·vdot: at v, the gyroscopic torque of a tumbling
/// body would add energy of order h²·ω² per step instead of h⁴·ω⁴.
template <class T, class P>
void semi_implicit_step(const Parameters<P>& par, const T& h, T* q, T* v, Stepper<T, P>& s) {
  Dynamics<T, P>& d = s.dynamics;
  const Mechanism& mech = d.mech;
  accelerations_of(par, q, v, s, s.vdot.data());
  if (has_turning_axes(mech)) {
    hold_axes(mech, v, s.vdot.data());
    const T half = T(0.5) * h;
    for (std::size_t k = 0; k < s.v.size(); ++k) s.v[k] = v[k] + half * s.vdot[k];
    const std::span<const T> q_now(q, s.q.size());
    velocities<T, P>(mech, par, q_now, s.v, d.kin);
    d.forward_dynamics(par, {}, s.tau, s.vdot);
    hold_axes(mech, s.v.data(), s.vdot.data());
  }
  for (std::size_t k = 0; k < s.v.size(); ++k) v[k] += h * s.vdot[k];
  step_along(mech, h, q, v);
}

/// The classical method of order 4 on coordinates: q̇ = qdot(q, v) also for quaternions, which return to unit length after
/// the step.
template <class T, class P>
void runge_kutta_step(const Parameters<P>& par, const T& h, T* q, T* v, Stepper<T, P>& s) {
  const Mechanism& mech = s.dynamics.mech;
  constexpr double reach[] = {0, 0.5, 0.5, 1};
  for (int stage = 0; stage < 4; ++stage) {
    const T part = T(reach[stage]) * h;
    for (std::size_t k = 0; k < s.q.size(); ++k) s.q[k] = stage == 0 ? q[k] : q[k] + part * s.q_rate[stage - 1][k];
    for (std::size_t k = 0; k < s.v.size(); ++k) s.v[k] = stage == 0 ? v[k] : v[k] + part * s.v_rate[stage - 1][k];
    position_rates(mech, s.q.data(), s.v.data(), s.q_rate[stage].data());
    accelerations_of(par, s.q.data(), s.v.data(), s, s.v_rate[stage].data());
  }
  const T sixth = h * T(1.0 / 6);
  const auto add = [&](std::vector<T>* rate, T* x) {
    for (std::size_t k = 0; k < rate[0].size(); ++k) {
      x[k] += sixth * (rate[0][k] + T(2) * (rate[1][k] + rate[2][k]) + rate[3][k]);
    }
  };
  add(s.q_rate, q);
  add(s.v_rate, v);
  normalize(mech, q);
}

}  // namespace articula::closure
