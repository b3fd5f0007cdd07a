#include <articula/solve/derivatives.h>

#include <articula/dynamics/forward_dynamics_derivatives.h>
#include <articula/dynamics/hybrid_dynamics.h>
#include <articula/dynamics/wrench_derivatives.h>
#include <articula/solve/internal/core.h>
#include <articula/solve/internal/generated.h>

namespace articula {

struct Derivatives::Work : Scratch {
  Work(Core& core, Of of)
      : generated(core, of == Of::inverse_dynamics ? Algorithm::inverse_dynamics_derivatives
                                                   : Algorithm::forward_dynamics_derivatives),
        generated_masses(of == Of::inverse_dynamics ? Generated(core, Algorithm::mass_matrix) : Generated()),
        scratch(core.mech()),
        articulated(core.mech()),
        composite(core.mech()),
        n(core.v.size()),
        n_shown(core.exterior.v_names().size()),
        vdot(n),
        tau(n),
        dq(n * n),
        dv(n * n),
        du(n * n),
        shown_dq(n_shown * n_shown),
        shown_dv(n_shown * n_shown),
        shown_du(n_shown * n_shown),
        J(n),
        dF(n) {
    const auto side = static_cast<int>(n_shown);
    result = {{shown_dq.data(), side, side}, {shown_dv.data(), side, side}, {shown_du.data(), side, side}};
  }

  Generated generated, generated_masses;
  ForwardDynamicsDerivatives scratch;
  ArticulatedBody<double> articulated;
  CompositeBody<double> composite;
  std::size_t n, n_shown;
  std::vector<double> vdot, tau, dq, dv, du, shown_dq, shown_dv, shown_du;
  std::vector<Motion<double>> J;  ///< of the frame a wrench acts at, and how the wrench turns against its body
  std::vector<Force<double>> dF;
  StateDerivatives result;

  template <class Add>
  void for_each_turning_wrench(Core& c, Add&& add);
  void of_torques(Core& c);
  bool of_accelerations_by_code(Core& c);
  bool of_accelerations_by_recursion(Core& c);
  bool of_accelerations(Core& c);
};

Derivatives::Derivatives(const Model& model, Of of, const SolverOptions& options)
    : Solver(model, options,
             {.solver = "Derivatives",
              .uniform_gravity = true,
              .regular = of == Of::forward_dynamics,
              .passive = false,
              .generated = true,
              .forces = true}),
      of_(of) {
  if (of == Of::forward_dynamics && core_->exterior.is_coupled()) {
    throw Error("coupled-not-available", {},
                "Derivatives of forward dynamics: joints are coupled by gears, for which they are not computed yet. "
                "Compute those of inverse dynamics, or make the joints independent.");
  }
  resize();
}
Derivatives::Work& Derivatives::work() const { return static_cast<Work&>(*scratch_); }
void Derivatives::resize() { scratch_ = std::make_unique<Work>(*core_, of_); }

/// Calls `add` with J and dF of every force that does not keep its components in the frame of the body it acts on.
template <class Add>
void Derivatives::Work::for_each_turning_wrench(Core& c, Add&& add) {
  const auto one = [&](int frame, int axes, const Force<double>& wrench) {
    const auto body = [&](int f) { return c.mech().frames[static_cast<std::size_t>(f)].body; };
    if (body(frame) == body(axes)) return;
    wrench_changes<double, double>(c.mech(), c.par, c.kin, c.poses, frame, axes, wrench, J, dF);
    add();
  };
  for (std::size_t k = 0; k < c.mech().forces.size(); ++k) {
    const ForceElement& element = c.mech().forces[k];
    if (element.kind == ForceElement::Kind::wrench) one(element.frame_F, element.frame_M, c.par.forces[k].wrench);
  }
  for (const Load& load : c.loads) one(load.frame, load.axes, load.wrench);
}

void Derivatives::Work::of_torques(Core& c) {
  if (generated.applies(c)) {
    generated({c.q.data(), c.v.data(), c.vdot.data()}, {dq.data(), dv.data()});
    generated_masses({c.q.data()}, {du.data()});
  } else {
    c.place();
    c.apply_forces();
    inverse_dynamics_derivatives<double, double>(c.mech(), c.par, c.kin, c.q, c.v, c.vdot, c.F_applied(),
                                                 scratch.inverse_dynamics, tau, dq, dv);
    for_each_turning_wrench(c, [&] {
      for (std::size_t m = 0; m < n; ++m) {
        for (std::size_t k = 0; k < n; ++k) dq[m * n + k] -= dot(J[m], dF[k]);
      }
    });
    mass_matrix<double, double>(c.mech(), c.par, c.kin, composite, du);
  }
  c.exterior.from_square(dq, shown_dq);
  c.exterior.from_square(dv, shown_dv);
  c.exterior.from_square(du, shown_du);
}

bool Derivatives::Work::of_accelerations_by_code(Core& c) {
  if (!generated.applies(c)) return false;
  generated({c.q.data(), c.v.data(), c.tau.data()}, {dq.data(), dv.data(), du.data()});
  return Generated::all_finite(dq) && Generated::all_finite(dv) && Generated::all_finite(du);
}

bool Derivatives::Work::of_accelerations_by_recursion(Core& c) {
  c.move();
  c.apply_forces();
  tau = c.tau;
  vdot = c.vdot;
  hybrid_dynamics<double, double>(c.mech(), c.par, c.kin, c.roles, c.F_applied(), articulated, tau, vdot);
  forward_dynamics_derivatives(c.mech(), c.par, c.kin, c.q, c.v, vdot, c.F_applied(), scratch, dq, dv, du, c.roles);
  for_each_turning_wrench(c, [&] {
    for (std::size_t i = 0; i < n; ++i) {
      Motion<double> row;  // of M⁻¹·Jᵀ, zero where motion is prescribed
      for (std::size_t m = 0; m < n; ++m) row += J[m] * du[i * n + m];
      for (std::size_t k = 0; k < n; ++k) dq[i * n + k] += dot(row, dF[k]);
    }
  });
  return Generated::all_finite(dq) && Generated::all_finite(dv) && Generated::all_finite(du);
}

bool Derivatives::Work::of_accelerations(Core& c) {
  if (!of_accelerations_by_code(c) && !of_accelerations_by_recursion(c)) return false;
  c.exterior.select_square(dq, shown_dq);
  c.exterior.select_square(dv, shown_dv);
  c.exterior.select_square(du, shown_du);
  return true;
}

const StateDerivatives& Derivatives::compute() noexcept {
  Core& c = *core_;
  Work& w = work();
  c.report.status = Report::Status::done;
  if (of_ == Of::inverse_dynamics) {
    w.of_torques(c);
  } else if (!w.of_accelerations(c)) {
    c.report.status = Report::Status::singular;
    c.report.joint = c.joint_of(Core::first_singular(w.articulated.d));
  }
  return w.result;
}

}  // namespace articula
