#include <articula/generate/internal/recorders.h>

#include <articula/base/text.h>
#include <articula/closure/coupled_dynamics.h>
#include <articula/dynamics/acting_forces.h>
#include <articula/dynamics/forward_dynamics.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/mass_matrix.h>
#include <articula/dynamics/step_along.h>

namespace articula {

using Span = std::span<const Trace>;

void Recorder::run(Algorithm algorithm, const Parameters<Trace>& par) {
  switch (algorithm) {
    case Algorithm::inverse_dynamics: return inverse_dynamics(par);
    case Algorithm::forward_dynamics: return forward_dynamics(par);
    case Algorithm::mass_matrix: return mass_matrix(par);
    case Algorithm::inverse_mass_matrix: return inverse_mass_matrix(par);
    case Algorithm::kinematics: return kinematics(par);
    case Algorithm::frame_motions: return frame_motions(par);
    case Algorithm::jacobian: return jacobian(par);
    case Algorithm::inverse_dynamics_derivatives: return inverse_dynamics_derivatives(par);
    case Algorithm::forward_dynamics_derivatives: return forward_dynamics_derivatives(par);
    case Algorithm::step: return step(par);
    case Algorithm::gravity: return gravity(par);
  }
}

Recorder::Traces Recorder::input(const std::string& name, const std::string& meaning,
                                 const std::vector<std::string>& entries) {
  const int array = static_cast<int>(function.inputs.size());
  function.inputs.push_back({name, meaning, entries, static_cast<int>(entries.size()), false});
  Traces x;
  for (int k = 0; k < static_cast<int>(entries.size()); ++k) x.push_back(recording.input(array, k));
  return x;
}

void Recorder::output(const std::string& name, const std::string& meaning, const std::vector<std::string>& entries,
                      std::span<const Trace> values) {
  function.outputs.push_back({name, meaning, entries, static_cast<int>(values.size()), false});
  std::vector<int>& places = function.results.emplace_back();
  for (const Trace& value : values) places.push_back(value.place());
}

void Recorder::output_matrix(const std::string& name, const std::string& meaning, std::span<const Trace> values) {
  output(name, concat(meaning, ": ", mech.independent.nv(), " rows and columns in the order of v, row by row"), {},
         values);
  function.outputs.back().symmetric = name[0] == 'M' || name == "dvdot_dtau";
}

std::vector<Force<Trace>> Recorder::model_forces(const Parameters<Trace>& par, std::span<const Trace> q) {
  if (!has_force_elements(mech)) return {};
  Positions<Trace> kin(mech);
  ActingForces<Trace> acting(mech, par);
  positions<Trace, Trace>(mech, par, q, kin);
  acting_forces<Trace, Trace>(mech, par, kin, {}, acting);
  return acting.F_B;
}

/// What makes all joints move as told, in independent coordinates.
Recorder::Traces Recorder::torques(const Parameters<Trace>& par, const Traces& y, const Traces& ydot,
                                   const Traces& yddot) {
  All all(mech);
  const std::span<const Trace> q = all.q(par, y), v = all.v(par, ydot), vdot = all.vdot(par, yddot);
  const std::vector<Force<Trace>> applied = model_forces(par, q);
  Positions<Trace> kin(mech);
  NewtonEuler<Trace> scratch(mech);
  Traces tau(ydot.size());
  positions<Trace, Trace>(mech, par, q, kin);
  articula::inverse_dynamics<Trace, Trace>(mech, par, kin, q, v, vdot, applied, scratch, all.tau(tau));
  all.reduce_tau(par, tau);
  return tau;
}

void Recorder::inverse_dynamics(const Parameters<Trace>& par) {
  function.meaning = "the generalized forces that make the mechanism accelerate with vdot";
  const Traces q = this->q(), v = this->v(), vdot = this->vdot();
  output("tau", "generalized forces", mech.independent.v_names, torques(par, q, v, vdot));
}

void Recorder::gravity(const Parameters<Trace>& par) {
  function.meaning = "the gravity torque: the generalized forces that hold the mechanism at rest";
  const Traces q = this->q(), rest(mech.independent.v.size(), Trace(0.0));
  output("g", "gravity torque", mech.independent.v_names, torques(par, q, rest, rest));
}

Recorder::Traces Recorder::accelerations(const Parameters<Trace>& par, std::span<const Trace> q,
                                         std::span<const Trace> v, std::span<const Trace> tau) {
  const std::vector<Force<Trace>> applied = model_forces(par, q);
  Velocities<Trace> kin(mech);
  Traces result(tau.size());
  positions<Trace, Trace>(mech, par, q, kin);
  if (mech.is_coupled()) {
    CoupledDynamics<Trace> scratch(mech);
    coupled_forward_dynamics<Trace, Trace>(mech, par, kin, q, v, tau, {}, applied, {}, {}, scratch, result);
  } else {
    ArticulatedBody<Trace> scratch(mech);
    velocities<Trace, Trace>(mech, par, q, v, kin);
    articula::forward_dynamics<Trace, Trace>(mech, par, kin, tau, applied, scratch, result);
  }
  return result;
}

void Recorder::forward_dynamics(const Parameters<Trace>& par) {
  function.meaning = "the accelerations that the generalized forces tau cause";
  const Traces q = this->q(), v = this->v(), tau = this->tau();
  All all(mech);
  output("vdot", "accelerations", mech.independent.v_names, accelerations(par, all.q(par, q), all.v(par, v), tau));
}

/// v⁺ = v + h·vdot,  q⁺ = q ⊕ h·v⁺, in the axes before the step; where axes turn, vdot is that half way, as in
/// batch/internal/steps.h. All joints move; what is given and returned are the independent ones.
void Recorder::step(const Parameters<Trace>& par) {
  function.meaning = "the state a time h later (semi-implicit Euler); h is the last entry of tau_h";
  std::vector<std::string> forces = mech.independent.v_names;
  forces.emplace_back("h");
  const Traces y = this->q(), ydot = this->v();
  Traces tau = input("tau_h", "generalized forces, then the time step h", forces);
  const Trace h = tau.back();
  tau.pop_back();
  All all(mech);
  const std::span<const Trace> q = all.q(par, y), v = all.v(par, ydot);
  const auto accelerate = [&](std::span<const Trace> at_v) {
    const Traces yddot = accelerations(par, q, at_v, tau);
    const std::span<const Trace> all_of_them = all.vdot(par, yddot);
    Traces vdot(all_of_them.begin(), all_of_them.end());
    if (has_turning_axes(mech)) articula::hold_axes(mech, at_v.data(), vdot.data());
    return vdot;
  };
  Traces vdot = accelerate(v), q_next(q.begin(), q.end()), v_next(v.begin(), v.end());
  if (has_turning_axes(mech)) {
    const Trace half = Trace(0.5) * h;
    for (std::size_t k = 0; k < v.size(); ++k) v_next[k] = v[k] + half * vdot[k];
    vdot = accelerate(v_next);
  }
  for (std::size_t k = 0; k < v.size(); ++k) v_next[k] = v[k] + h * vdot[k];
  step_along(mech, h, q_next.data(), v_next.data());
  const auto chosen = [](const std::vector<int>& places, const Traces& of) {
    Traces result;
    for (const int k : places) result.push_back(of[static_cast<std::size_t>(k)]);
    return result;
  };
  output("q_next", "configuration", mech.independent.q_names, chosen(mech.independent.q, q_next));
  output("v_next", "velocities", mech.independent.v_names, chosen(mech.independent.v, v_next));
}

void Recorder::mass_matrix(const Parameters<Trace>& par) {
  function.meaning = "the mass matrix M, symmetric, row by row";
  const Traces q = this->q();
  All all(mech, 1);
  Positions<Trace> kin(mech);
  CompositeBody<Trace> scratch(mech);
  Traces M(square());
  positions<Trace, Trace>(mech, par, all.q(par, q), kin);
  articula::mass_matrix<Trace, Trace>(mech, par, kin, scratch, all.square(0, M));
  all.reduce_square(par, 0, M);
  output_matrix("M", "mass matrix", M);
}

}  // namespace articula
