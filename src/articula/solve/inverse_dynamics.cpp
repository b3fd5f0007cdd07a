#include <articula/solve/inverse_dynamics.h>

#include <articula/dynamics/cut_forces.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/representations.h>
#include <articula/solve/internal/core.h>
#include <articula/solve/internal/generated.h>

namespace articula {

struct InverseDynamics::Work : Scratch {
  explicit Work(Core& core)
      : generated(core, Algorithm::inverse_dynamics),
        newton_euler(core.mech()),
        represented(core.mech()),
        cuts(core.mech()),
        tau(core.v.size()),
        internal(core.v.size()),
        shown(core.exterior.v_names().size()) {}

  Generated generated;
  NewtonEuler<double> newton_euler;
  Represented<double> represented;
  CutForces<double> cuts;
  std::vector<double> tau, internal, shown;
};

InverseDynamics::InverseDynamics(const Model& model, const SolverOptions& options)
    : Solver(model, options, {.solver = "InverseDynamics", .network = true, .generated = true, .forces = true}) {
  resize();
}
InverseDynamics::Work& InverseDynamics::work() const { return static_cast<Work&>(*scratch_); }
void InverseDynamics::resize() { scratch_ = std::make_unique<Work>(*core_); }

VectorView InverseDynamics::compute() noexcept {
  Core& c = *core_;
  Work& w = work();
  c.report.status = Report::Status::done;
  if (c.network) {
    c.network->inverse_dynamics(c.q, c.v, c.vdot, w.tau);
    return w.tau;
  }
  if (w.generated.applies(c)) {
    w.generated({c.q.data(), c.v.data(), c.vdot.data()}, {w.tau.data()});
    if (c.exterior.is_identity()) return w.tau;
    c.exterior.select_independent(w.tau, w.shown);
    return w.shown;
  }
  if (c.options.passive) {
    c.move();
  } else {
    c.place();
  }
  c.apply_forces();
  if (c.options.representation == Representation::body) {
    inverse_dynamics<double, double>(c.mech(), c.par, c.kin, c.q, c.v, c.vdot, c.acting.F_applied(), w.newton_euler,
                                     w.tau);
  } else {
    inverse_dynamics_in<double, double>(c.options.representation, c.mech(), c.par, c.kin, c.q, c.v, c.vdot,
                                        c.acting.F_applied(), w.represented, w.newton_euler, w.tau);
  }
  if (c.options.passive) {
    for (std::size_t k = 0; k < w.tau.size(); ++k) w.tau[k] += c.reflected[k] * c.vdot[k] - c.acting.tau[k];
  }
  if (c.exterior.is_identity()) return w.tau;
  c.exterior.from_forces(w.tau, w.shown);
  return w.shown;
}

Force<double> InverseDynamics::cut_force(const PortRef& port) {
  Core& c = *core_;
  Work& w = work();
  const Cut cut = make_cut(c.mech(), frame(port));
  c.move();
  c.apply_forces();
  // Forces of bodies, in their own frames, whatever representation gave the torques.
  inverse_dynamics<double, double>(c.mech(), c.par, c.kin, c.q, c.v, c.vdot, c.acting.F_applied(), w.newton_euler,
                                   w.internal);
  cut_forces<double, double>(c.mech(), c.par, c.kin, w.newton_euler, c.acting.F_on_constituents(),
                             c.acting.F_at_frames(), w.cuts);
  return ::articula::cut_force<double, double>(c.par, w.cuts, cut);
}

}  // namespace articula
