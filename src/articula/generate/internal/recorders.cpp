#include <articula/generate/internal/recorders.h>

#include <articula/base/text.h>
#include <articula/closure/masses.h>
#include <articula/closure/steps.h>

namespace articula::generate {

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
    case Algorithm::elastic_inverse_dynamics: return elastic_inverse_dynamics(par);
    case Algorithm::equations_of_motion:
    case Algorithm::center_of_mass:
    case Algorithm::regressor: return;  // not generated, says the table of closure/computed.h
  }
}

Recorder::Traces Recorder::input(ArrayRole role, const std::string& name, const std::string& meaning,
                                 const std::vector<std::string>& entries) {
  const int array = static_cast<int>(function.inputs.size());
  function.inputs.push_back({role, name, meaning, entries, static_cast<int>(entries.size()), false});
  Traces x;
  for (int k = 0; k < static_cast<int>(entries.size()); ++k) x.push_back(recording.input(array, k));
  return x;
}

FunctionArray& Recorder::output(ArrayRole role, const std::string& name, const std::string& meaning,
                                const std::vector<std::string>& entries, std::span<const Trace> values) {
  std::vector<int>& places = function.results.emplace_back();
  for (const Trace& value : values) places.push_back(value.place());
  function.outputs.push_back({role, name, meaning, entries, static_cast<int>(values.size()), false});
  return function.outputs.back();
}

void Recorder::output_matrix(const std::string& name, const std::string& meaning, std::span<const Trace> values,
                             bool symmetric) {
  const std::string all =
      concat(meaning, ": ", mech.independent.nv(), " rows and columns in the order of v, row by row");
  output(ArrayRole::matrix, name, all, {}, values).symmetric = symmetric;
}

/// The forces for prescribed motion of all joints, in independent coordinates.
Recorder::Traces Recorder::torques(const Parameters<Trace>& par, const Traces& y, const Traces& ydot,
                                   const Traces& yddot) {
  All all(mech);
  Dynamics<Trace> dynamics(mech, par, {.forward = false});
  Traces tau(ydot.size());
  dynamics.torques(par, all.q(par, y), all.v(par, ydot), all.vdot(par, yddot), {}, all.tau(tau));
  all.reduce_tau(par, tau);
  return tau;
}

void Recorder::inverse_dynamics(const Parameters<Trace>& par) {
  function.meaning = "the generalized forces that make the mechanism accelerate with vdot";
  const Traces q = this->q(), v = this->v(), vdot = this->vdot();
  output(ArrayRole::force, "tau", "generalized forces", mech.independent.v_names, torques(par, q, v, vdot));
}

void Recorder::gravity(const Parameters<Trace>& par) {
  function.meaning = "the gravity torque: the generalized forces that hold the mechanism at rest";
  const Traces q = this->q(), rest(mech.independent.v.size(), Trace(0.0));
  output(ArrayRole::force, "g", "gravity torque", mech.independent.v_names, torques(par, q, rest, rest));
}

void Recorder::forward_dynamics(const Parameters<Trace>& par) {
  function.meaning = "the accelerations that the generalized forces tau cause";
  const Traces y = this->q(), ydot = this->v(), tau_y = this->tau();
  All all(mech);
  Dynamics<Trace> dynamics(mech, par);
  Traces yddot(tau_y.size());
  dynamics.accelerations(par, all.q(par, y), all.v(par, ydot), {}, {}, all.forces(tau_y), all.vdot(yddot));
  all.choose_vdot(yddot);
  output(ArrayRole::acceleration, "vdot", "accelerations", mech.independent.v_names, yddot);
}

/// All joints move; inputs and outputs are independent coordinates.
void Recorder::step(const Parameters<Trace>& par) {
  function.meaning = "the state a time h later (semi-implicit Euler); h is the last entry of tau_h";
  std::vector<std::string> forces = mech.independent.v_names;
  forces.emplace_back("h");
  const Traces y = this->q(), ydot = this->v();
  Traces tau = input(ArrayRole::force_and_step, "tau_h", "generalized forces, then the time step h", forces);
  const Trace h = tau.back();
  tau.pop_back();
  All all(mech);
  Stepper<Trace> stepper(mech, par);
  const std::span<const Trace> q = all.q(par, y), v = all.v(par, ydot), tau_all = all.forces(tau);
  std::copy(tau_all.begin(), tau_all.end(), stepper.tau.begin());
  Traces q_next(q.begin(), q.end()), v_next(v.begin(), v.end());
  semi_implicit_step(par, h, q_next.data(), v_next.data(), stepper);
  const auto chosen = [](const std::vector<int>& places, const Traces& of) {
    Traces result;
    for (const int k : places) result.push_back(of[static_cast<std::size_t>(k)]);
    return result;
  };
  output(ArrayRole::configuration, "q_next", "configuration", mech.independent.q_names,
         chosen(mech.independent.q, q_next));
  output(ArrayRole::velocity, "v_next", "velocities", mech.independent.v_names, chosen(mech.independent.v, v_next));
}

void Recorder::mass_matrix(const Parameters<Trace>& par) {
  function.meaning = "the mass matrix M, symmetric, row by row";
  const Traces q = this->q();
  All all(mech);
  Positions<Trace> kin(mech);
  Masses<Trace> masses(mech, false);
  Traces M(square());
  positions<Trace, Trace>(mech, par, all.q(par, q), kin);
  masses.matrix(par, kin, M);
  output_matrix("M", "mass matrix", M, true);
}

void Recorder::inverse_mass_matrix(const Parameters<Trace>& par) {
  function.meaning = "the inverse of the mass matrix, symmetric, row by row";
  const Traces q = this->q();
  All all(mech);
  Positions<Trace> kin(mech);
  Masses<Trace> masses(mech, true);
  Traces M_inverse(square());
  positions<Trace, Trace>(mech, par, all.q(par, q), kin);
  masses.inverse(par, kin, {}, M_inverse);
  output_matrix("M_inverse", "inverse mass matrix", M_inverse, true);
}

}  // namespace articula::generate
