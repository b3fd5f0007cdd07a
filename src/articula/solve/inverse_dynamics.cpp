#include <articula/solve/inverse_dynamics.h>

#include <articula/dynamics/cut_forces.h>
#include <articula/dynamics/representations.h>
#include <articula/solve/internal/core.h>
#include <articula/solve/internal/generated.h>

namespace articula::solve {

struct InverseDynamics::Work : Scratch {
  explicit Work(Core& core)
      : generated(core, Algorithm::inverse_dynamics),
        represented(core.mech()),
        cuts(core.mech()),
        tau(core.v.size()),
        internal(core.v.size()),
        shown(core.map().v_names().size()) {}

  Generated generated;
  Represented<double> represented;
  CutForces<double> cuts;
  std::vector<double> tau, internal, shown;
};

InverseDynamics::InverseDynamics(const Model& model, const SolverOptions& options)
    : Solver("InverseDynamics", Algorithm::inverse_dynamics, model, options) {
  resize();
}
InverseDynamics::Work& InverseDynamics::work() const { return static_cast<Work&>(*scratch_); }
void InverseDynamics::resize() { scratch_ = std::make_unique<Work>(*core_); }

VectorView InverseDynamics::compute() noexcept {
  Core& c = *core_;
  Work& w = work();
  c.report.status = Report::Status::done;
  if (c.network) {
    const std::vector<double>& tau = c.network->inverse_dynamics(c.q, c.v, c.vdot);
    c.map().select_independent(tau, w.shown);
    return w.shown;
  }
  if (w.generated.applies(c)) {
    w.generated({c.q.data(), c.v.data(), c.vdot.data()}, {w.tau.data()});
    if (c.map().is_identity()) return w.tau;
    c.map().select_independent(w.tau, w.shown);
    return w.shown;
  }
  Dynamics<double>& d = c.dynamics;
  if (c.options.representation == Representation::body) {
    d.torques(c.par(), c.q, c.v, c.vdot, c.acting(), w.tau);
  } else {
    c.move();
    c.act();
    inverse_dynamics_in<double, double>(c.options.representation, c.mech(), c.par(), d.kin, c.q, c.v, c.vdot,
                                        d.acting.F_applied(), w.represented, d.newton_euler, w.tau);
    d.subtract_acting(w.tau);
  }
  if (c.map().is_identity()) return w.tau;
  c.map().from_forces(w.tau, w.shown);
  return w.shown;
}

Force<double> InverseDynamics::cut_force(const PortRef& port) {
  Core& c = *core_;
  Work& w = work();
  const Cut cut = make_cut(c.mech(), frame(port));
  c.move();
  c.act();
  // Forces on bodies in their own frames, independent of the representation.
  inverse_dynamics<double, double>(c.mech(), c.par(), c.dynamics.kin, c.q, c.v, c.vdot, c.dynamics.acting.F_applied(),
                                   c.dynamics.newton_euler, w.internal);
  cut_forces<double, double>(c.mech(), c.par(), c.dynamics.kin, c.dynamics.newton_euler,
                             c.dynamics.acting.F_on_constituents(), c.dynamics.acting.F_at_frames(), w.cuts);
  return dynamics::cut_force<double, double>(c.par(), w.cuts, cut);
}

}  // namespace articula::solve
