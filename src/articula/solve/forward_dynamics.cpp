#include <articula/solve/forward_dynamics.h>

#include <algorithm>
#include <cmath>

#include <articula/closure/coupled_dynamics.h>
#include <articula/dynamics/hybrid_dynamics.h>
#include <articula/dynamics/representations.h>
#include <articula/solve/internal/core.h>
#include <articula/solve/internal/generated.h>

namespace articula {

struct ForwardDynamics::Work : Scratch {
  explicit Work(Core& core)
      : generated(core, Algorithm::forward_dynamics),
        articulated(core.mech()),
        represented(core.mech()),
        coupled(core.mech(), core.mech().is_coupled() || (core.options.passive && !core.mech().rotors.empty())),
        vdot(core.v.size()),
        tau(core.v.size()),
        bias(core.v.size()),
        yddot(core.mech().independent.v.size()),
        tau_y(yddot.size()),
        shown(core.exterior.v_names().size()),
        shown_tau(shown.size()),
        with_masses(coupled.n > 0) {}

  Generated generated;
  ArticulatedBody<double> articulated;
  Represented<double> represented;
  CoupledDynamics<double> coupled;
  std::vector<double> vdot, tau, bias;
  std::vector<double> yddot, tau_y;  ///< of the independent coordinates
  std::vector<double> shown, shown_tau;
  bool with_masses;        ///< rather than by recursion
  std::size_t failed = 0;  ///< the degree of freedom that could not be accelerated

  bool by_network(Core& c);
  bool by_generated_code(Core& c);
  bool by_recursion(Core& c);
  bool by_masses(Core& c);
};

ForwardDynamics::ForwardDynamics(const Model& model, const SolverOptions& options)
    : Solver(model, options,
             {.solver = "ForwardDynamics", .regular = true, .network = true, .generated = true, .forces = true}) {
  resize();
}
ForwardDynamics::Work& ForwardDynamics::work() const { return static_cast<Work&>(*scratch_); }
void ForwardDynamics::resize() { scratch_ = std::make_unique<Work>(*core_); }

/// Entity by entity; where something is not finite, the recursion tells which joint.
bool ForwardDynamics::Work::by_network(Core& c) {
  std::copy(c.vdot.begin(), c.vdot.end(), vdot.begin());
  c.network->forward_dynamics(c.q, c.v, c.tau, vdot);
  if (!Generated::all_finite(vdot)) {
    failed = static_cast<std::size_t>(
        std::find_if(vdot.begin(), vdot.end(), [](double x) { return !std::isfinite(x); }) - vdot.begin());
    c.move();
    c.apply_forces();
    by_recursion(c);
    return false;
  }
  std::copy(c.tau.begin(), c.tau.end(), tau.begin());
  if (!c.all_free) {
    c.network->inverse_dynamics(c.q, c.v, vdot, bias);
    for (std::size_t k = 0; k < tau.size(); ++k) {
      if (c.roles[k] == DofRole::prescribed) tau[k] = bias[k];
    }
  }
  return true;
}

/// False where something is not finite: the recursion then tells which joint.
bool ForwardDynamics::Work::by_generated_code(Core& c) {
  if (!generated.applies(c)) return false;
  double* const yddot_or_vdot = c.mech().is_coupled() ? yddot.data() : vdot.data();
  generated({c.q.data(), c.v.data(), c.tau.data()}, {yddot_or_vdot});
  if (c.mech().is_coupled()) expand_rates(c.mech(), c.par, yddot.data(), vdot.data());
  std::copy(c.tau.begin(), c.tau.end(), tau.begin());
  return Generated::all_finite(vdot);
}

/// Articulated bodies; some degrees of freedom may be prescribed.
bool ForwardDynamics::Work::by_recursion(Core& c) {
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] = c.tau[k] + c.acting.tau[k];
  if (!c.all_free) {
    std::copy(c.vdot.begin(), c.vdot.end(), vdot.begin());
    hybrid_dynamics<double, double>(c.mech(), c.par, c.kin, c.roles, c.acting.F_applied(), articulated, tau, vdot);
  } else if (c.options.representation == Representation::body) {
    forward_dynamics<double, double>(c.mech(), c.par, c.kin, tau, c.acting.F_applied(), articulated, vdot);
  } else {
    forward_dynamics_in<double, double>(c.options.representation, c.mech(), c.par, c.kin, c.q, c.v, tau,
                                        c.acting.F_applied(), represented, articulated, vdot);
  }
  for (std::size_t k = 0; k < vdot.size(); ++k) {
    if (!std::isfinite(vdot[k])) {
      failed = Core::first_singular(articulated.d);
      return false;
    }
    tau[k] -= c.acting.tau[k];
  }
  return true;
}

/// Where joints are coupled or rotors add to the inertia.
bool ForwardDynamics::Work::by_masses(Core& c) {
  const std::vector<int>& independent = c.mech().independent.v;
  for (std::size_t k = 0; k < yddot.size(); ++k) {
    const auto dof = static_cast<std::size_t>(independent[k]);
    yddot[k] = c.vdot[dof], tau_y[k] = c.tau[dof];
  }
  coupled_forward_dynamics<double, double>(c.mech(), c.par, c.kin, c.q, c.v, tau_y, c.acting.tau, c.acting.F_applied(),
                                           c.reflected, c.roles, coupled, yddot);
  if (const auto singular = find_singular(c.mech(), coupled)) {
    failed = *singular;
    return false;
  }
  expand_rates(c.mech(), c.par, yddot.data(), vdot.data());
  std::copy(c.tau.begin(), c.tau.end(), tau.begin());
  for (std::size_t k = 0; k < yddot.size(); ++k) {
    const auto dof = static_cast<std::size_t>(independent[k]);
    if (c.roles[dof] == DofRole::prescribed) tau[dof] = coupled_force<double>(coupled, yddot, k);
  }
  return true;
}

VectorView ForwardDynamics::compute() noexcept {
  Core& c = *core_;
  Work& w = work();
  bool regular = c.network ? w.by_network(c) : w.by_generated_code(c);
  if (!regular && !c.network) {
    c.move();
    c.apply_forces();
    regular = w.with_masses ? w.by_masses(c) : w.by_recursion(c);
  }
  if (regular) {
    c.report.status = Report::Status::done;
    c.exterior.from_tangent(w.vdot, w.shown);
    c.exterior.from_forces(w.tau, w.shown_tau);
  } else {
    c.report.status = Report::Status::singular;
    c.report.joint = c.joint_of(w.failed);
  }
  return w.shown;
}

VectorView ForwardDynamics::tau() const { return work().shown_tau; }

}  // namespace articula
