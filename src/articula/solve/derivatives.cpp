#include <articula/solve/derivatives.h>

#include <articula/closure/dynamics_changes.h>
#include <articula/solve/internal/core.h>
#include <articula/solve/internal/generated.h>

namespace articula::solve {

struct Derivatives::Work : Scratch {
  Work(Core& core, Of of)
      : generated(core, core.algorithm),
        generated_masses(of == Of::inverse_dynamics ? Generated(core, Algorithm::mass_matrix) : Generated()),
        changes(core.dynamics, core.par(), of == Of::forward_dynamics),
        n_shown(core.map().v_names().size()),
        vdot(core.v.size()),
        dy(core.v.size() * core.v.size()),
        dydot(dy.size()),
        du(dy.size()),
        shown_dq(n_shown * n_shown),
        shown_dv(n_shown * n_shown),
        shown_du(n_shown * n_shown) {
    take_views();
  }

  Generated generated, generated_masses;
  DynamicsChanges<double> changes;
  std::size_t n_shown;
  std::vector<double> vdot;
  std::vector<double> dy, dydot, du;  ///< of independent coordinates, those of torques by recursion of all joints
  std::vector<double> shown_dq, shown_dv, shown_du;
  StateDerivatives result;

  std::span<double> of_y(const Core& c, std::vector<double>& x) const {
    const std::size_t n_y = c.mech().independent.v.size();
    return std::span(x).first(n_y * n_y);
  }
  void take_views() {
    const auto side = static_cast<int>(n_shown);
    result = {{shown_dq.data(), side, side}, {shown_dv.data(), side, side}, {shown_du.data(), side, side}};
  }
  void show(const Core& c);
  void of_torques(Core& c);
  bool of_accelerations_by_code(Core& c);
  bool of_accelerations(Core& c);
};

Derivatives::Derivatives(const Model& model, Of of, const SolverOptions& options)
    : Solver("Derivatives",
             of == Of::inverse_dynamics ? Algorithm::inverse_dynamics_derivatives
                                        : Algorithm::forward_dynamics_derivatives,
             model, options),
      of_(of) {
  resize();
}
Derivatives::Work& Derivatives::work() const { return static_cast<Work&>(*scratch_); }
void Derivatives::resize() { scratch_ = std::make_unique<Work>(*core_, of_); }

/// What was computed in independent coordinates.
void Derivatives::Work::show(const Core& c) {
  c.map().show_independent_square(dy, shown_dq);
  c.map().show_independent_square(dydot, shown_dv);
  c.map().show_independent_square(du, shown_du);
  take_views();
}

void Derivatives::Work::of_torques(Core& c) {
  if (generated.applies(c)) {
    generated({c.q.data(), c.v.data(), c.vdot.data()}, {dy.data(), dydot.data()});
    generated_masses({c.q.data()}, {du.data()});
    show(c);
    return;
  }
  const ActingOptions<double> acting = c.acting();
  c.dynamics.place_and_act(c.par(), c.q, c.v, acting);
  changes.of_torques(c.dynamics, c.par(), c.q, c.v, c.vdot, acting, dy, dydot);
  changes.masses(c.dynamics, c.par(), du);
  c.map().show_square(dy, shown_dq);
  c.map().show_square(dydot, shown_dv);
  c.map().show_square(du, shown_du);
  take_views();
}

bool Derivatives::Work::of_accelerations_by_code(Core& c) {
  if (!generated.applies(c)) return false;
  generated({c.q.data(), c.v.data(), c.tau.data()}, {dy.data(), dydot.data(), du.data()});
  return all_finite(dy) && all_finite(dydot) && all_finite(du);
}

bool Derivatives::Work::of_accelerations(Core& c) {
  Dynamics<double>& d = c.dynamics;
  const ActingOptions<double> acting = c.acting();
  vdot = c.vdot;
  if (!d.accelerations(c.par(), c.q, c.v, c.exposed.roles_if_any(), acting, c.tau, vdot)) {
    changes.failed = d.failed;
    return false;
  }
  return changes.of_accelerations(d, c.par(), c.q, c.v, vdot, c.exposed.roles(), acting, of_y(c, dy), of_y(c, dydot),
                                  of_y(c, du));
}

const StateDerivatives& Derivatives::compute() noexcept {
  Core& c = *core_;
  Work& w = work();
  c.report.status = Report::Status::done;
  if (of_ == Of::inverse_dynamics) {
    w.of_torques(c);
  } else if (w.of_accelerations_by_code(c) || w.of_accelerations(c)) {
    w.show(c);
  } else {
    c.report.status = Report::Status::singular;
    c.report.joint = c.exposed.joint_of(w.changes.failed);
  }
  return w.result;
}

}  // namespace articula::solve
