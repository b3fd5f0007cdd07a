#include <articula/simulate/system.h>

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>
#include <articula/joints/step_along.h>
#include <articula/mechanism/state.h>
#include <articula/simulate/internal/system_core.h>

namespace articula::simulate {

/// A start that differs from prescribed motion by less, in m, rad, m/s or rad/s, is the same.
static constexpr double same_start = 1e-9;

System::System(const BlockSite& site, std::vector<NamedTrajectory> trajectories,
               std::vector<std::unique_ptr<Block>> blocks)
    : core_(std::make_unique<Core>(site, std::move(trajectories), std::move(blocks))) {}

System::System(const Model& model, std::vector<NamedTrajectory> trajectories,
               std::vector<std::unique_ptr<Block>> blocks, const SystemOptions& options)
    : System(BlockSite(model, options), std::move(trajectories), std::move(blocks)) {}

System::~System() = default;

std::span<const std::string> System::q_names() const { return core_->plant.exposed().map().q_names(); }
std::span<const std::string> System::v_names() const { return core_->plant.exposed().map().v_names(); }
std::span<const std::string> System::z_names() const { return core_->network.z_names(); }
std::span<const Signal> System::signals() const { return core_->signals; }
std::vector<std::string> System::wiring() const { return core_->network.wiring(); }
int System::size() const { return static_cast<int>(core_->n); }

static void normalize_quaternion(double* p) {
  const double scale = 1 / std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  for (int k = 0; k < 4; ++k) p[k] *= scale;
}

System::Core::Parts System::Core::at(double t, std::span<const double> y) {
  if (with_quaternions.empty() && prescribed.empty()) return {y.first(nq), y.subspan(nq, nv), z_of(y)};
  std::copy_n(y.begin(), nq, q_now.begin());
  std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(nq), nv, v_now.begin());
  for (const ExposedJoint& joint : with_quaternions) normalize_quaternion(q_now.data() + joint.quaternion());
  prescribed.evaluate(network.seen(t), q_now, v_now, vdot);
  for (std::size_t k = 0; at_rest && k < nv; ++k) {
    if (prescribed.moves_v(k)) v_now[k] = vdot[k] = 0;
  }
  return {q_now, v_now, z_of(y)};
}

System::Core::Parts System::Core::drive(double t, std::span<const double> y, bool all) {
  const Parts p = at(t, y);
  network.evaluate(t, p.q, p.v, p.z, all);
  return p;
}

bool System::Core::evaluate(double t, std::span<const double> y, bool all) {
  const Parts p = drive(t, y, all);
  friction.set_speeds(p.v, plant);
  std::copy(network.tau().begin(), network.tau().end(), tau.begin());
  for (std::size_t k = 0; k < friction.size(); ++k) {
    if (friction.modes()[k] == 0) vdot[friction.dof(k)] = 0;
  }
  const bool good = plant.accelerate(p.q, p.v, tau, vdot);
  for (std::size_t k = 0; k < friction.size(); ++k) {
    const std::size_t dof = friction.dof(k);
    reaction[k] = friction.modes()[k] == 0 ? tau[dof] - network.tau()[dof] : 0;
    tau[dof] = network.tau()[dof];
  }
  return good;
}

void System::Core::position_rates(std::span<const double> q, std::span<const double> v, std::span<double> qdot) const {
  if (with_quaternions.empty()) {
    std::copy(v.begin(), v.end(), qdot.begin());
    return;
  }
  for (const ExposedJoint& joint : plant.exposed().joints()) {
    visit_joint(joint.kind, [&]<class J>(J) {
      J::qdot(q.data() + joint.q.first, v.data() + joint.v.first, qdot.data() + joint.q.first);
    });
  }
}

void System::position_rates(std::span<const double> y, std::span<double> qdot) const {
  core_->position_rates(y.first(core_->nq), y.subspan(core_->nq, core_->nv), qdot);
}

bool System::rate(double t, std::span<const double> y, std::span<double> ydot) {
  Core& c = *core_;
  if (!c.evaluate(t, y)) return false;
  const std::span<const double> v = c.prescribed.empty() ? y.subspan(c.nq, c.nv) : std::span<const double>(c.v_now);
  c.position_rates(y.first(c.nq), v, ydot.first(c.nq));
  std::copy(c.vdot.begin(), c.vdot.end(), ydot.begin() + static_cast<std::ptrdiff_t>(c.nq));
  const std::span<const double> zdot = c.network.zdot();
  double sum = 0;
  for (std::size_t k = 0; k < zdot.size(); ++k) {
    ydot[c.nq + c.nv + k] = zdot[k];
    sum += zdot[k] - zdot[k];  // 0, or NaN
  }
  return sum == 0;
}

/// ∂(N(q)·v)/∂[q, v].
void System::Core::add_position_rows(std::span<const double> y, std::span<double> J) const {
  for (const ExposedJoint& joint : plant.exposed().joints()) {
    const auto q0 = static_cast<std::size_t>(joint.q.first), v0 = static_cast<std::size_t>(joint.v.first);
    if (!joint.has_quaternion()) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(joint.v.count); ++k) J[(q0 + k) * n + nq + v0 + k] = 1;
      continue;
    }
    std::array<Dual, most_joint_dofs + 1> q, rate;
    std::array<Dual, most_joint_dofs> v;
    const auto count_q = static_cast<std::size_t>(joint.q.count), count_v = static_cast<std::size_t>(joint.v.count);
    for (std::size_t k = 0; k < count_q; ++k) q[k] = y[q0 + k];
    for (std::size_t k = 0; k < count_v; ++k) v[k] = y[nq + v0 + k];
    const auto column = [&](Dual& seed, std::size_t place) {
      seed.dx = 1;
      visit_joint(joint.kind, [&]<class K>(K) { K::qdot(q.data(), v.data(), rate.data()); });
      seed.dx = 0;
      for (std::size_t i = 0; i < count_q; ++i) J[(q0 + i) * n + place] = rate[i].dx;
    };
    for (std::size_t k = 0; k < count_q; ++k) column(q[k], q0 + k);
    for (std::size_t k = 0; k < count_v; ++k) column(v[k], nq + v0 + k);
  }
}

/// From derivatives with respect to unit quaternions to those with respect to any, which count as their direction does:
/// ∂(p/|p|)/∂p = (1 − p̂·p̂ᵀ)/|p|.
void System::Core::to_ambient(std::span<const double> q, std::span<double> row) const {
  for (const ExposedJoint& joint : with_quaternions) {
    const double* const p = q.data() + joint.quaternion();
    double* const d = row.data() + joint.quaternion();
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    double along = 0;
    for (int k = 0; k < 4; ++k) along += d[k] * p[k] / length;
    for (int k = 0; k < 4; ++k) d[k] = (d[k] - along * p[k] / length) / length;
  }
}

/// Adds derivatives along the tangent, one row of nv, as derivatives with respect to q: with the inverse of q̇ = N(q)·v on
/// the sphere.
///
///     quaternion:  ω = 2·Im(p̄ ⊗ ṗ)        position of a free body:  v = Rᵀ·ẋ
static void add_tangent_row(const std::vector<ExposedJoint>& joints, std::span<const double> q,
                            std::span<const double> along, std::span<double> row) {
  for (const ExposedJoint& joint : joints) {
    const auto q0 = static_cast<std::size_t>(joint.q.first), v0 = static_cast<std::size_t>(joint.v.first);
    if (!joint.has_quaternion()) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(joint.v.count); ++k) row[q0 + k] += along[v0 + k];
      continue;
    }
    const auto at = static_cast<std::size_t>(joint.quaternion());
    const double *const p = q.data() + at, *const w = along.data() + v0 + static_cast<std::size_t>(joint.v.count - 3);
    double* const d = row.data() + at;
    d[0] += 2 * (p[3] * w[0] - p[2] * w[1] + p[1] * w[2]);
    d[1] += 2 * (p[2] * w[0] + p[3] * w[1] - p[0] * w[2]);
    d[2] += 2 * (-p[1] * w[0] + p[0] * w[1] + p[3] * w[2]);
    d[3] += 2 * (-p[0] * w[0] - p[1] * w[1] - p[2] * w[2]);
    if (joint.v.count == 6) {
      const Vec3<double> x = rotation_of(Quaternion<double>{p[0], p[1], p[2], p[3]}) *
                             Vec3<double>{along[v0], along[v0 + 1], along[v0 + 2]};
      row[q0] += x.x, row[q0 + 1] += x.y, row[q0 + 2] += x.z;
    }
  }
}

bool System::jacobian(double t, std::span<const double> y, std::span<double> J) {
  Core& c = *core_;
  if (!c.evaluate(t, y)) return false;
  const bool copied = !c.with_quaternions.empty() || !c.prescribed.empty();
  const std::span<const double> q = copied ? std::span<const double>(c.q_now) : y.first(c.nq);
  c.make_squares();
  if (!c.plant.derivatives(c.dq, c.dv, c.du)) return false;
  c.network.differentiate();
  std::fill(J.begin(), J.end(), 0.0);
  c.add_position_rows(y, J);

  // Accelerations: by themselves, and through the forces of the blocks.
  const std::span<const double> dtau = c.network.dtau(), dzdot = c.network.dzdot();
  for (std::size_t i = 0; i < c.nv; ++i) {
    const std::span<double> row = J.subspan((c.nq + i) * c.n, c.n);
    for (std::size_t k = 0; k < c.nv; ++k) {
      const double factor = c.du[i * c.nv + k];
      if (factor == 0) continue;
      const double* const from = dtau.data() + k * c.n;
      for (std::size_t j = 0; j < c.n; ++j) row[j] += factor * from[j];
    }
    add_tangent_row(c.plant.exposed().joints(), q, std::span<const double>(c.dq).subspan(i * c.nv, c.nv), row);
    for (std::size_t k = 0; k < c.nv; ++k) row[c.nq + k] += c.dv[i * c.nv + k];
    c.to_ambient(y.first(c.nq), row);
  }
  for (std::size_t s = 0; s < c.network.nz(); ++s) {
    const std::span<double> row = J.subspan((c.nq + c.nv + s) * c.n, c.n);
    std::copy_n(dzdot.begin() + static_cast<std::ptrdiff_t>(s * c.n), c.n, row.begin());
    c.to_ambient(y.first(c.nq), row);
  }
  // Prescribed motion depends on time alone, and everything else on it, not on what y holds in its place.
  const auto clear = [&](std::size_t k) {
    for (std::size_t j = 0; j < c.n; ++j) J[k * c.n + j] = J[j * c.n + k] = 0;
  };
  for (std::size_t k = 0; !c.prescribed.empty() && k < c.nq; ++k) {
    if (c.prescribed.moves_q(k)) clear(k);
  }
  for (std::size_t k = 0; !c.prescribed.empty() && k < c.nv; ++k) {
    if (c.prescribed.moves_v(k)) clear(c.nq + k);
  }
  return true;
}

bool System::project(double, std::span<double> y) {
  const Core& c = *core_;
  for (const ExposedJoint& joint : c.with_quaternions) {
    normalize_quaternion(y.data() + joint.quaternion());
  }
  return !c.with_quaternions.empty();
}

/// Where axes turn, forces of the mechanism that depend on v are taken half way, as in batch/internal/steps.h; the blocks
/// give what they gave at (t, y).
void System::semi_implicit_step(double h, std::span<const double> ydot, std::span<double> y) {
  Core& c = *core_;
  const std::span<double> v = y.subspan(c.nq, c.nv), z = y.subspan(c.nq + c.nv);
  std::copy_n(ydot.begin() + static_cast<std::ptrdiff_t>(c.nq), c.nv, c.held.begin());
  const auto hold_axes = [&](std::span<const double> v_at) {
    for (const ExposedJoint& joint : c.with_quaternions) {
      visit_joint(joint.kind, [&]<class J>(J) {
        JointStep<J>::hold_axes(v_at.data() + joint.v.first, c.held.data() + joint.v.first);
      });
    }
  };
  if (!c.with_quaternions.empty()) {
    // `rate` has left q_now, v_now, tau and, of prescribed joints, vdot as they are at (t, y).
    hold_axes(c.v_now);
    for (std::size_t k = 0; k < c.nv; ++k) c.v_middle[k] = c.v_now[k] + 0.5 * h * c.held[k];
    std::copy(c.tau.begin(), c.tau.end(), c.tau_tried.begin());
    if (!c.plant.accelerate(c.q_now, c.v_middle, c.tau_tried, c.vdot)) {
      std::fill(c.vdot.begin(), c.vdot.end(), std::numeric_limits<double>::quiet_NaN());
    }
    std::copy(c.vdot.begin(), c.vdot.end(), c.held.begin());
    hold_axes(c.v_middle);
  }
  for (std::size_t k = 0; k < c.nv; ++k) v[k] += h * c.held[k];
  for (std::size_t k = 0; k < z.size(); ++k) z[k] += h * ydot[c.nq + c.nv + k];
  for (const ExposedJoint& joint : c.plant.exposed().joints()) {
    visit_joint(joint.kind,
                [&]<class J>(J) { JointStep<J>::step_along(h, y.data() + joint.q.first, v.data() + joint.v.first); });
  }
}

void System::Core::check(std::string_view what, std::span<const double> x, std::span<const std::string> names) const {
  if (x.size() != names.size()) {
    throw Error("state-size", {},
                concat("start: ", what, " has ", x.size(), x.size() == 1 ? " entry" : " entries", ", but there are ",
                       names.size(), ": ", list_of(names), "."));
  }
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (std::isfinite(x[k])) continue;
    throw Error("state-not-finite", {},
                concat("start: ", what, "[", k, "], ", quoted(names[k]), ", is ", number_text(x[k]),
                       ". Only finite numbers are allowed."));
  }
}

std::vector<double> System::start(const StartState& state) {
  Core& c = *core_;
  const ExposedMechanism& shown = c.plant.exposed();
  std::vector<double> y(c.n);
  const auto q = std::span(y).first(c.nq), v = std::span(y).subspan(c.nq, c.nv), z = std::span(y).subspan(c.nq + c.nv);
  const std::vector<double>& q_start = shown.par().q_start;
  for (const ExposedJoint& joint : shown.joints()) {
    std::copy_n(q_start.begin() + joint.flat_q, joint.q.count, q.begin() + joint.q.first);
  }
  if (state.q) {
    c.check("q", *state.q, q_names());
    std::copy(state.q->begin(), state.q->end(), q.begin());
  }
  if (state.v) {
    c.check("v", *state.v, v_names());
    std::copy(state.v->begin(), state.v->end(), v.begin());
  }
  std::vector<double> all(static_cast<std::size_t>(shown.mech().nq));
  shown.map().to_q(q, all);
  check_quaternions(shown.mech(), all);
  project(state.t, y);
  const std::vector<double> asked(y);
  follow(state.t, y);
  const auto compare = [&](std::size_t begin, std::span<const std::string> names, const char* what, bool said) {
    for (std::size_t k = 0; said && k < names.size(); ++k) {
      if (std::abs(asked[begin + k] - y[begin + k]) <= same_start) continue;
      c.findings.push_back({Severity::warning,
                            "start-of-prescribed",
                            {},
                            concat("start: ", what, ".", names[k], " is ", asked[begin + k],
                                   ", but it is prescribed and its trajectory is at ", y[begin + k],
                                   " at t = ", state.t, " s. The trajectory counts.")});
    }
  };
  compare(0, q_names(), "q", state.q.has_value());
  compare(c.nq, v_names(), "v", state.v.has_value());
  c.plant.hold(q, v, c.hold);
  c.network.start(state.t, q, v, c.hold, z);
  c.settle(-1, state.t, y);
  return y;
}

void System::follow(double t, std::span<double> y) {
  Core& c = *core_;
  if (c.prescribed.empty()) return;
  c.prescribed.evaluate(t, y.first(c.nq), y.subspan(c.nq, c.nv), c.vdot);
}

void System::require_smooth(double begin, double until) const { core_->prescribed.require_smooth(begin, until); }
const Findings& System::findings() const { return core_->findings; }

}  // namespace articula::simulate
