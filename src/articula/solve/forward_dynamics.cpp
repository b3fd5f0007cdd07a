#include <articula/solve/forward_dynamics.h>

#include <algorithm>
#include <cmath>

#include <articula/dynamics/representations.h>
#include <articula/solve/internal/core.h>
#include <articula/solve/internal/generated.h>

namespace articula::solve {

struct ForwardDynamics::Work : Scratch {
  explicit Work(Core& core)
      : generated(core, Algorithm::forward_dynamics),
        represented(core.mech()),
        vdot(core.v.size()),
        yddot(core.mech().independent.v.size()),
        shown(core.map().v_names().size()),
        shown_tau(shown.size()) {}

  Generated generated;
  Represented<double> represented;
  std::vector<double> vdot, yddot;
  std::vector<double> shown, shown_tau;

  bool by_network(Core& c);
  bool by_generated_code(Core& c);
  bool in_representation(Core& c);
  bool flat(Core& c);
};

ForwardDynamics::ForwardDynamics(const Model& model, const SolverOptions& options)
    : Solver("ForwardDynamics", Algorithm::forward_dynamics, model, options) {
  resize();
}
ForwardDynamics::Work& ForwardDynamics::work() const { return static_cast<Work&>(*scratch_); }
void ForwardDynamics::resize() { scratch_ = std::make_unique<Work>(*core_); }

/// Entity by entity. If a result is not finite, the recursion finds the joint that causes it.
bool ForwardDynamics::Work::by_network(Core& c) {
  expand_rates(c.mech(), c.par(), c.network->forward_dynamics(c.q, c.v, c.tau, c.vdot).data(), vdot.data());
  if (!all_finite(vdot)) {
    flat(c);
    return false;
  }
  if (!c.exposed.all_free()) {
    const std::vector<double>& bias = c.network->inverse_dynamics(c.q, c.v, vdot);
    std::copy(c.tau.begin(), c.tau.end(), c.dynamics.joint_forces.begin());
    for (std::size_t k = 0; k < bias.size(); ++k) {
      const auto dof = static_cast<std::size_t>(c.mech().independent.v[k]);
      if (c.exposed.roles()[dof] == DofRole::prescribed) c.dynamics.joint_forces[dof] = bias[k];
    }
  }
  return true;
}

/// False if a result is not finite: the recursion then finds the joint that causes it.
bool ForwardDynamics::Work::by_generated_code(Core& c) {
  if (!generated.applies(c)) return false;
  double* const yddot_or_vdot = c.mech().is_coupled() ? yddot.data() : vdot.data();
  generated({c.q.data(), c.v.data(), c.tau.data()}, {yddot_or_vdot});
  if (c.mech().is_coupled()) expand_rates(c.mech(), c.par(), yddot.data(), vdot.data());
  return all_finite(vdot);
}

/// The recursion in another representation, for free joints that are not coupled. False if a result is not finite.
bool ForwardDynamics::Work::in_representation(Core& c) {
  Dynamics<double>& d = c.dynamics;
  if (c.options.representation == Representation::body || c.mech().is_coupled() || !c.exposed.all_free()) return false;
  c.move();
  c.act();
  for (std::size_t k = 0; k < c.tau.size(); ++k) d.joint_forces[k] = c.tau[k] + d.acting.tau[k];
  forward_dynamics_in<double, double>(c.options.representation, c.mech(), c.par(), d.kin, c.q, c.v, d.joint_forces,
                                      d.acting.F_applied(), represented, *d.articulated, vdot);
  return all_finite(vdot);
}

bool ForwardDynamics::Work::flat(Core& c) {
  std::copy(c.vdot.begin(), c.vdot.end(), vdot.begin());
  return c.dynamics.accelerations(c.par(), c.q, c.v, c.exposed.roles_if_any(), c.acting(), c.tau, vdot);
}

VectorView ForwardDynamics::compute() noexcept {
  Core& c = *core_;
  Work& w = work();
  const bool regular = c.network ? w.by_network(c) : w.by_generated_code(c) || w.in_representation(c) || w.flat(c);
  if (regular) {
    c.report.status = Report::Status::done;
    c.map().from_tangent(w.vdot, w.shown);
    c.map().from_forces(c.exposed.all_free() ? c.tau : c.dynamics.joint_forces, w.shown_tau);
  } else {
    c.report.status = Report::Status::singular;
    c.report.joint = c.exposed.joint_of(c.dynamics.failed);
  }
  return w.shown;
}

VectorView ForwardDynamics::tau() const { return work().shown_tau; }

}  // namespace articula::solve
