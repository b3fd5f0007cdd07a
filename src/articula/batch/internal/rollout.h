#pragma once

#include <articula/batch/rollout_options.h>
#include <articula/closure/steps.h>

namespace articula::batch {

/// Steps of q and v of all joints, with `s.tau`.
template <class T, class P>
void take_steps(const Parameters<P>& par, const RolloutOptions& options, T* q, T* v, Stepper<T, P>& s) {
  const Mechanism& mech = s.dynamics.mech;
  const T h(options.step);
  for (int k = 0; k < options.steps; ++k) {
    if (options.method == RolloutMethod::semi_implicit) {
      semi_implicit_step(par, h, q, v, s);
    } else {
      runge_kutta_step(par, h, q, v, s);
    }
    if (!mech.is_coupled()) continue;
    follow_positions(mech, par, q);  // to rounding they are there already
    follow_rates(mech, par, v);
  }
}

/// Workspace of `roll_out`.
template <class T, class P = T>
struct Rollout {
  Rollout(const Mechanism& mech, const Parameters<P>& par)
      : stepper(mech, par),
        q(mech.is_coupled() ? static_cast<std::size_t>(mech.nq) : 0),
        v(mech.is_coupled() ? static_cast<std::size_t>(mech.nv) : 0) {}

  Stepper<T, P> stepper;
  std::vector<T> q, v;  ///< of all joints, where some are coupled
};

/// q, v and tau are of independent coordinates.
template <class T, class P>
void roll_out(const Parameters<P>& par, const RolloutOptions& options, T* q, T* v, const T* tau, Rollout<T, P>& s) {
  const Mechanism& mech = s.stepper.dynamics.mech;
  for (const int k : mech.independent.v) s.stepper.tau[static_cast<std::size_t>(k)] = *tau++;  // zero on others
  if (!mech.is_coupled()) return take_steps(par, options, q, v, s.stepper);
  expand_positions(mech, par, q, s.q.data());
  expand_rates(mech, par, v, s.v.data());
  take_steps(par, options, s.q.data(), s.v.data(), s.stepper);
  for (const int k : mech.independent.q) *q++ = s.q[static_cast<std::size_t>(k)];
  for (const int k : mech.independent.v) *v++ = s.v[static_cast<std::size_t>(k)];
}

}  // namespace articula::batch
