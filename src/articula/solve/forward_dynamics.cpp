#include <articula/solve/forward_dynamics.h>

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include <articula/dynamics/hybrid_dynamics.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/mass_matrix.h>
#include <articula/dynamics/representations.h>
#include <articula/solve/internal/core.h>
#include <articula/solve/internal/generated.h>

namespace articula {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct ForwardDynamics::Work : Scratch {
  explicit Work(Core& core)
      : generated(core, Algorithm::forward_dynamics),
        articulated(core.mech()),
        represented(core.mech()),
        newton_euler(core.mech()),
        composite(core.mech()),
        vdot(core.v.size()),
        tau(core.v.size()),
        bias(core.v.size()),
        shown(core.exterior.v_names().size()),
        shown_tau(shown.size()),
        with_masses(core.exterior.is_coupled() || (core.options.passive && !core.mech().rotors.empty())) {
    if (!with_masses) return;
    const auto n = static_cast<Eigen::Index>(shown.size());
    M.resize(core.v.size() * core.v.size());
    M_shown.resize(n, n);
    right.resize(n);
    factors = Eigen::LDLT<Eigen::MatrixXd>(n);
  }

  Generated generated;
  ArticulatedBody<double> articulated;
  Represented<double> represented;
  NewtonEuler<double> newton_euler;
  CompositeBody<double> composite;
  std::vector<double> vdot, tau, bias, shown, shown_tau;
  bool with_masses;        ///< rather than by recursion
  std::size_t failed = 0;  ///< the degree of freedom that could not be accelerated
  std::vector<double> M;
  RowMajor M_shown;
  Eigen::VectorXd right;
  Eigen::LDLT<Eigen::MatrixXd> factors;

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
  generated({c.q.data(), c.v.data(), c.tau.data()}, {vdot.data()});
  std::copy(c.tau.begin(), c.tau.end(), tau.begin());
  return Generated::all_finite(vdot);
}

/// Articulated bodies; some degrees of freedom may be prescribed.
bool ForwardDynamics::Work::by_recursion(Core& c) {
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] = c.tau[k] + c.tau_passive[k];
  if (!c.all_free) {
    std::copy(c.vdot.begin(), c.vdot.end(), vdot.begin());
    hybrid_dynamics<double, double>(c.mech(), c.par, c.kin, c.roles, c.F_applied(), articulated, tau, vdot);
  } else if (c.options.representation == Representation::body) {
    forward_dynamics<double, double>(c.mech(), c.par, c.kin, tau, c.F_applied(), articulated, vdot);
  } else {
    forward_dynamics_in<double, double>(c.options.representation, c.mech(), c.par, c.kin, c.q, c.v, tau, c.F_applied(),
                                        represented, articulated, vdot);
  }
  for (std::size_t k = 0; k < vdot.size(); ++k) {
    if (!std::isfinite(vdot[k])) {
      failed = Core::first_singular(articulated.d);
      return false;
    }
    tau[k] -= c.tau_passive[k];
  }
  return true;
}

/// Gᵀ·(M + rotors)·G·vdot = Gᵀ·(tau + passive − bias), with the rows of prescribed motion replaced by what is told.
bool ForwardDynamics::Work::by_masses(Core& c) {
  std::fill(vdot.begin(), vdot.end(), 0.0);
  inverse_dynamics<double, double>(c.mech(), c.par, c.kin, c.q, c.v, vdot, c.F_applied(), newton_euler, bias);
  mass_matrix<double, double>(c.mech(), c.par, c.kin, composite, M);
  for (std::size_t k = 0; k < c.v.size(); ++k) {
    M[k * c.v.size() + k] += c.reflected[k];
    tau[k] = c.tau[k] + c.tau_passive[k] - bias[k];
  }
  const std::size_t n = shown.size();
  c.exterior.from_square(M, {M_shown.data(), n * n});
  c.exterior.from_forces(tau, {right.data(), n});
  c.exterior.from_tangent(c.vdot, shown);
  for (std::size_t s = 0; s < n; ++s) {
    const auto row = static_cast<Eigen::Index>(s);
    if (!c.exterior.is_prescribed(c.roles, s)) continue;
    for (Eigen::Index i = 0; i < right.size(); ++i) {
      if (i != row) right[i] -= M_shown(i, row) * shown[s];
    }
    M_shown.row(row).setZero(), M_shown.col(row).setZero();
    M_shown(row, row) = 1;
    right[row] = shown[s];
  }
  factors.compute(M_shown);
  if (factors.info() != Eigen::Success || !(factors.vectorD().minCoeff() > 0)) {
    failed = c.v.size() - 1;
    return false;
  }
  factors.solveInPlace(right);
  c.exterior.to_tangent({right.data(), n}, vdot);
  inverse_dynamics<double, double>(c.mech(), c.par, c.kin, c.q, c.v, vdot, c.F_applied(), newton_euler, tau);
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += c.reflected[k] * vdot[k] - c.tau_passive[k];
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
