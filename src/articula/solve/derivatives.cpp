#include <articula/solve/derivatives.h>

#include <articula/closure/coupled_dynamics.h>
#include <articula/dynamics/acting_force_changes.h>
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
        by_duals(!core.mech().uniform_gravity || (core.options.passive && !core.mech().forces.empty())),
        by_masses(of == Of::forward_dynamics && (core.mech().is_coupled() || core.options.passive || by_duals)),
        coupled(core.mech(), by_masses),
        n(core.v.size()),
        n_shown(core.exterior.v_names().size()),
        vdot(n),
        tau(n),
        dq(n * n),
        dv(n * n),
        du(n * n),
        M_G(coupled.M_G.size()),
        R_q(coupled.M_y.size()),
        R_v(coupled.M_y.size()),
        yddot(coupled.n_y),
        tau_y(coupled.n_y),
        shown_dq(n_shown * n_shown),
        shown_dv(n_shown * n_shown),
        shown_du(n_shown * n_shown),
        damping(n),
        J(n),
        dF(n) {
    if (by_duals) changes.emplace(core.mech(), core.par);
    const auto side = static_cast<int>(n_shown);
    result = {{shown_dq.data(), side, side}, {shown_dv.data(), side, side}, {shown_du.data(), side, side}};
  }

  Generated generated, generated_masses;
  ForwardDynamicsDerivatives scratch;
  ArticulatedBody<double> articulated;
  CompositeBody<double> composite;
  bool by_duals;   ///< what acts changes with the state, beside wrenches that turn and damping
  bool by_masses;  ///< accelerations, rather than by recursion
  CoupledDynamics<double> coupled;
  std::optional<ActingForceChanges<double>> changes;
  std::size_t n, n_shown;
  std::size_t failed = 0;  ///< the degree of freedom that could not be accelerated
  std::vector<double> vdot, tau, dq, dv, du;
  std::vector<double> M_G, R_q, R_v, yddot, tau_y;  ///< in independent coordinates
  std::vector<double> shown_dq, shown_dv, shown_du;
  std::vector<double> damping;
  std::vector<Motion<double>> J;  ///< of the frame a wrench acts at, and how the wrench turns against its body
  std::vector<Force<double>> dF;
  StateDerivatives result;

  template <class Add>
  void for_each_turning_wrench(Core& c, Add&& add);
  void of_joint_torques(Core& c, std::span<const double> accelerations);
  void of_torques(Core& c);
  void show_independent(const Core& c, std::span<const double> dq_y, std::span<const double> dv_y,
                        std::span<const double> du_y);
  bool of_accelerations_by_code(Core& c);
  bool of_accelerations_by_recursion(Core& c);
  bool of_accelerations_by_masses(Core& c);
  bool of_accelerations(Core& c);
};

Derivatives::Derivatives(const Model& model, Of of, const SolverOptions& options)
    : Solver(model, options,
             {.solver = "Derivatives", .regular = of == Of::forward_dynamics, .generated = true, .forces = true}),
      of_(of) {
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
    wrench_changes<double, double>(c.mech(), c.par, c.kin, c.acting.poses, frame, axes, wrench, J, dF);
    add();
  };
  for (std::size_t k = 0; k < c.mech().forces.size(); ++k) {
    const ForceElement& element = c.mech().forces[k];
    if (element.kind == ForceElement::Kind::wrench) one(element.frame_F, element.frame_M, c.par.forces[k].wrench);
  }
  for (const Load& load : c.loads) one(load.frame, load.axes, load.wrench);
}

/// ∂tau/∂q and ∂tau/∂v of all joints at `accelerations`, after positions and forces.
void Derivatives::Work::of_joint_torques(Core& c, std::span<const double> accelerations) {
  inverse_dynamics_derivatives<double, double>(c.mech(), c.par, c.kin, c.q, c.v, accelerations, c.acting.F_applied(),
                                               scratch.inverse_dynamics, tau, dq, dv);
  if (by_duals) {
    add_acting_force_changes<double, double>(c.mech(), c.par, c.kin, c.q, c.v, {c.loads, c.options.passive, c.slip},
                                             *changes, dq, dv);
    return;
  }
  if (c.options.passive) {
    joint_damping<double>(c.mech(), c.par, damping);
    for (std::size_t k = 0; k < n; ++k) dv[k * n + k] += damping[k];
  }
  for_each_turning_wrench(c, [&] {
    for (std::size_t m = 0; m < n; ++m) {
      for (std::size_t k = 0; k < n; ++k) dq[m * n + k] -= dot(J[m], dF[k]);
    }
  });
}

void Derivatives::Work::of_torques(Core& c) {
  if (generated.applies(c)) {
    generated({c.q.data(), c.v.data(), c.vdot.data()}, {dq.data(), dv.data()});
    generated_masses({c.q.data()}, {du.data()});
    show_independent(c, dq, dv, du);
    return;
  }
  c.move();
  c.apply_forces();
  of_joint_torques(c, c.vdot);
  mass_matrix<double, double>(c.mech(), c.par, c.kin, composite, du);
  for (std::size_t k = 0; k < n; ++k) du[k * n + k] += c.reflected[k];
  c.exterior.from_square(dq, shown_dq);
  c.exterior.from_square(dv, shown_dv);
  c.exterior.from_square(du, shown_du);
}

bool Derivatives::Work::of_accelerations_by_code(Core& c) {
  if (!generated.applies(c)) return false;
  generated({c.q.data(), c.v.data(), c.tau.data()}, {dq.data(), dv.data(), du.data()});
  if (!Generated::all_finite(dq) || !Generated::all_finite(dv) || !Generated::all_finite(du)) return false;
  show_independent(c, dq, dv, du);
  return true;
}

/// ∂ÿ/∂x = −M_y⁻¹·Gᵀ·(∂tau/∂x)·G, ∂ÿ/∂tau_y = M_y⁻¹: G is constant.
bool Derivatives::Work::of_accelerations_by_masses(Core& c) {
  const Mechanism& mech = c.mech();
  c.move();
  c.apply_forces();
  for (std::size_t k = 0; k < yddot.size(); ++k) {
    const auto dof = static_cast<std::size_t>(mech.independent.v[k]);
    yddot[k] = c.vdot[dof], tau_y[k] = c.tau[dof];
  }
  coupled_forward_dynamics<double, double>(mech, c.par, c.kin, c.q, c.v, tau_y, c.acting.tau, c.acting.F_applied(),
                                           c.reflected, c.roles, coupled, yddot);
  if (const auto singular = find_singular(mech, coupled)) {
    failed = *singular;
    return false;
  }
  expand_rates(mech, c.par, yddot.data(), vdot.data());
  of_joint_torques(c, vdot);
  reduce_matrix(mech, c.par, mech.independent, dq.data(), M_G.data(), R_q.data());
  reduce_matrix(mech, c.par, mech.independent, dv.data(), M_G.data(), R_v.data());
  changes_of_accelerations(mech, c.roles, coupled, R_q.data());
  changes_of_accelerations(mech, c.roles, coupled, R_v.data());
  inverse_of_coupled_masses<double>(mech, c.roles, coupled, du.data());
  show_independent(c, R_q, R_v, du);
  return true;
}

void Derivatives::Work::show_independent(const Core& c, std::span<const double> dq_y, std::span<const double> dv_y,
                                         std::span<const double> du_y) {
  c.exterior.select_independent_square(dq_y, shown_dq);
  c.exterior.select_independent_square(dv_y, shown_dv);
  c.exterior.select_independent_square(du_y, shown_du);
}

bool Derivatives::Work::of_accelerations_by_recursion(Core& c) {
  c.move();
  c.apply_forces();
  tau = c.tau;
  vdot = c.vdot;
  hybrid_dynamics<double, double>(c.mech(), c.par, c.kin, c.roles, c.acting.F_applied(), articulated, tau, vdot);
  forward_dynamics_derivatives(c.mech(), c.par, c.kin, c.q, c.v, vdot, c.acting.F_applied(), scratch, dq, dv, du,
                               c.roles);
  for_each_turning_wrench(c, [&] {
    for (std::size_t i = 0; i < n; ++i) {
      Motion<double> row;  // of M⁻¹·Jᵀ, zero where motion is prescribed
      for (std::size_t m = 0; m < n; ++m) row += J[m] * du[i * n + m];
      for (std::size_t k = 0; k < n; ++k) dq[i * n + k] += dot(row, dF[k]);
    }
  });
  if (!Generated::all_finite(dq) || !Generated::all_finite(dv) || !Generated::all_finite(du)) {
    failed = Core::first_singular(articulated.d);
    return false;
  }
  c.exterior.select_square(dq, shown_dq);
  c.exterior.select_square(dv, shown_dv);
  c.exterior.select_square(du, shown_du);
  return true;
}

bool Derivatives::Work::of_accelerations(Core& c) {
  if (of_accelerations_by_code(c)) return true;
  return by_masses ? of_accelerations_by_masses(c) : of_accelerations_by_recursion(c);
}

const StateDerivatives& Derivatives::compute() noexcept {
  Core& c = *core_;
  Work& w = work();
  c.report.status = Report::Status::done;
  if (of_ == Of::inverse_dynamics) {
    w.of_torques(c);
  } else if (!w.of_accelerations(c)) {
    c.report.status = Report::Status::singular;
    c.report.joint = c.joint_of(w.failed);
  }
  return w.result;
}

}  // namespace articula
