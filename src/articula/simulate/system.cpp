#include <articula/simulate/system.h>

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>
#include <articula/mechanism/state.h>
#include <articula/simulate/internal/block_network.h>
#include <articula/simulate/internal/plant.h>
#include <articula/spatial/orientation.h>

namespace articula {

using ShownJoint = ShownMechanism::ShownJoint;

struct System::Core {
  Core(const BlockSite& site, std::vector<NamedTrajectory> trajectories, std::vector<std::unique_ptr<Block>> blocks)
      : plant(site.mechanism()),
        network(site, std::move(trajectories), std::move(blocks)),
        nq(plant.nq()),
        nv(plant.nv()),
        n(nq + nv + network.nz()),
        q_unit(nq),
        vdot(nv),
        hold(nv),
        dq(nv * nv),
        dv(nv * nv),
        du(nv * nv),
        tangent(nv * n) {
    for (const ShownJoint& joint : plant.shown().joints()) {
      if (joint.has_quaternion()) with_quaternions.push_back(joint);
    }
    name_signals(site);
  }

  struct Parts {
    std::span<const double> q, v, z;
  };
  Parts parts(std::span<const double> y) const { return {y.first(nq), y.subspan(nq, nv), y.subspan(nq + nv)}; }

  /// q with quaternions of unit length.
  std::span<const double> unit(std::span<const double> q);
  /// Blocks, then accelerations. False where there are none.
  bool evaluate(double t, std::span<const double> y, bool all = false);

  void name_signals(const BlockSite& site);
  void add_position_rows(std::span<const double> y, std::span<double> J) const;
  void to_ambient(std::span<const double> q, std::span<double> row) const;
  void check(std::string_view what, std::span<const double> x, std::span<const std::string> names) const;

  Plant plant;
  BlockNetwork network;
  std::size_t nq, nv, n;
  std::vector<double> q_unit, vdot, hold;
  std::vector<double> dq, dv, du, tangent;
  std::vector<ShownJoint> with_quaternions;
  std::vector<int> frames;
  std::vector<Signal> signals;
};

System::System(const BlockSite& site, std::vector<NamedTrajectory> trajectories,
               std::vector<std::unique_ptr<Block>> blocks)
    : core_(std::make_unique<Core>(site, std::move(trajectories), std::move(blocks))) {}

System::System(const Model& model, std::vector<NamedTrajectory> trajectories,
               std::vector<std::unique_ptr<Block>> blocks, const SystemOptions& options)
    : System(BlockSite(model, options), std::move(trajectories), std::move(blocks)) {}

System::~System() = default;

std::span<const std::string> System::q_names() const { return core_->plant.shown().map().q_names(); }
std::span<const std::string> System::v_names() const { return core_->plant.shown().map().v_names(); }
std::span<const std::string> System::z_names() const { return core_->network.z_names(); }
std::span<const Signal> System::signals() const { return core_->signals; }
std::vector<std::string> System::wiring() const { return core_->network.wiring(); }
int System::size() const { return static_cast<int>(core_->n); }

/// q, v, a, tau; the network's own; energies; poses.
void System::Core::name_signals(const BlockSite& site) {
  const std::vector<Signal>& own = network.signals();
  const auto moves = own.begin() + static_cast<std::ptrdiff_t>(nq + nv);
  signals.assign(own.begin(), moves);
  for (const BlockSite::Dof& dof : site.dofs()) signals.push_back({"a." + dof.name, dof.position_unit() + "/s^2"});
  for (const BlockSite::Dof& dof : site.dofs()) signals.push_back({"tau." + dof.name, dof.effort_unit()});
  signals.insert(signals.end(), moves, own.end());
  signals.push_back({"energy.kinetic", "J"});
  signals.push_back({"energy.potential", "J"});
  for (const PortRef& frame : plant.shown().ports().frames) {
    frames.push_back(plant.shown().mech().frame(frame));
    const std::string name = "pose." + to_text(frame) + ".";
    for (const char* axis : {"x", "y", "z"}) signals.push_back({name + axis, "m"});
    for (const char* part : {"qx", "qy", "qz", "qw"}) signals.push_back({name + part, "1"});
  }
}

std::span<const double> System::Core::unit(std::span<const double> q) {
  if (with_quaternions.empty()) return q;
  std::copy(q.begin(), q.end(), q_unit.begin());
  for (const ShownJoint& joint : with_quaternions) {
    double* const p = q_unit.data() + joint.quaternion();
    const double scale = 1 / std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (int k = 0; k < 4; ++k) p[k] *= scale;
  }
  return q_unit;
}

bool System::Core::evaluate(double t, std::span<const double> y, bool all) {
  const Parts p = parts(y);
  const std::span<const double> q = unit(p.q);
  network.evaluate(t, q, p.v, p.z, all);
  return plant.accelerate(q, p.v, network.tau(), vdot);
}

bool System::rate(double t, std::span<const double> y, std::span<double> ydot) {
  Core& c = *core_;
  if (!c.evaluate(t, y)) return false;
  const Core::Parts p = c.parts(y);
  if (c.with_quaternions.empty()) {
    std::copy(p.v.begin(), p.v.end(), ydot.begin());
  } else {
    for (const ShownJoint& joint : c.plant.shown().joints()) {
      visit_joint(joint.kind, [&]<class J>(J) {
        J::qdot(p.q.data() + joint.q.first, p.v.data() + joint.v.first, ydot.data() + joint.q.first);
      });
    }
  }
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
  const Parts p = parts(y);
  for (const ShownJoint& joint : plant.shown().joints()) {
    const auto q0 = static_cast<std::size_t>(joint.q.first), v0 = static_cast<std::size_t>(joint.v.first);
    if (!joint.has_quaternion()) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(joint.v.count); ++k) J[(q0 + k) * n + nq + v0 + k] = 1;
      continue;
    }
    std::array<Dual, most_joint_dofs + 1> q, rate;
    std::array<Dual, most_joint_dofs> v;
    const auto count_q = static_cast<std::size_t>(joint.q.count), count_v = static_cast<std::size_t>(joint.v.count);
    for (std::size_t k = 0; k < count_q; ++k) q[k] = p.q[q0 + k];
    for (std::size_t k = 0; k < count_v; ++k) v[k] = p.v[v0 + k];
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
  for (const ShownJoint& joint : with_quaternions) {
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
static void add_tangent_row(const std::vector<ShownJoint>& joints, std::span<const double> q,
                            std::span<const double> along, std::span<double> row) {
  for (const ShownJoint& joint : joints) {
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
  const Core::Parts p = c.parts(y);
  const std::span<const double> q = c.with_quaternions.empty() ? p.q : std::span<const double>(c.q_unit);
  if (!c.plant.derivatives(q, p.v, c.vdot, c.dq, c.dv, c.du)) return false;
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
    add_tangent_row(c.plant.shown().joints(), q, std::span<const double>(c.dq).subspan(i * c.nv, c.nv), row);
    for (std::size_t k = 0; k < c.nv; ++k) row[c.nq + k] += c.dv[i * c.nv + k];
    c.to_ambient(p.q, row);
  }
  for (std::size_t s = 0; s < c.network.nz(); ++s) {
    const std::span<double> row = J.subspan((c.nq + c.nv + s) * c.n, c.n);
    std::copy_n(dzdot.begin() + static_cast<std::ptrdiff_t>(s * c.n), c.n, row.begin());
    c.to_ambient(p.q, row);
  }
  return true;
}

bool System::project(std::span<double> y) {
  const Core& c = *core_;
  for (const ShownJoint& joint : c.with_quaternions) {
    double* const p = y.data() + joint.quaternion();
    const double scale = 1 / std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (int k = 0; k < 4; ++k) p[k] *= scale;
  }
  return !c.with_quaternions.empty();
}

void System::semi_implicit_step(double h, std::span<const double> ydot, std::span<double> y) {
  const Core& c = *core_;
  for (std::size_t k = c.nq; k < c.n; ++k) y[k] += h * ydot[k];
  std::array<double, most_joint_dofs> along{};
  std::array<double, most_joint_dofs + 1> moved{};
  for (const ShownJoint& joint : c.plant.shown().joints()) {
    for (int a = 0; a < joint.v.count; ++a) {
      along[static_cast<std::size_t>(a)] = h * y[c.nq + static_cast<std::size_t>(joint.v.first + a)];
    }
    double* const q = y.data() + joint.q.first;
    visit_joint(joint.kind, [&]<class J>(J) { J::advanced(q, along.data(), moved.data()); });
    std::copy_n(moved.begin(), joint.q.count, q);
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
  const ShownMechanism& shown = c.plant.shown();
  std::vector<double> y(c.n);
  const auto q = std::span(y).first(c.nq), v = std::span(y).subspan(c.nq, c.nv), z = std::span(y).subspan(c.nq + c.nv);
  const std::vector<double>& q_start = shown.par().q_start;
  for (const ShownJoint& joint : shown.joints()) {
    const Body& body =
        shown.mech().bodies[static_cast<std::size_t>(shown.mech().body_of_dof[static_cast<std::size_t>(joint.flat_v)])];
    std::copy_n(q_start.begin() + body.q.first, joint.q.count, q.begin() + joint.q.first);
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
  project(y);
  c.plant.hold(c.unit(q), v, c.hold);
  c.network.start(state.t, c.unit(q), v, c.hold, z);
  return y;
}

bool System::signal_values(double t, std::span<const double> y, std::span<double> values) {
  Core& c = *core_;
  const bool good = c.evaluate(t, y, true);
  if (!good) std::fill(c.vdot.begin(), c.vdot.end(), std::numeric_limits<double>::quiet_NaN());
  const std::span<const double> x = c.network.values();
  const auto moves = x.begin() + static_cast<std::ptrdiff_t>(c.nq + c.nv);
  auto to = std::copy(x.begin(), moves, values.begin());
  to = std::copy(c.vdot.begin(), c.vdot.end(), to);
  to = std::copy(c.network.tau().begin(), c.network.tau().end(), to);
  to = std::copy(moves, x.end(), to);
  *to++ = c.plant.kinetic_energy();
  *to++ = c.plant.potential_energy();
  for (const int place : c.frames) {
    const Pose<double> X_WF = c.plant.frame(place);
    const Quaternion<double> turn = quaternion_of(X_WF.R);
    for (const double each : {X_WF.p.x, X_WF.p.y, X_WF.p.z, turn.x, turn.y, turn.z, turn.w}) *to++ = each;
  }
  return good;
}

std::string System::what_is_not_finite(double t, std::span<const double> y) {
  Core& c = *core_;
  std::vector<double> values(c.signals.size());
  const bool good = signal_values(t, y, values);
  // The accelerations follow from all else, so they are looked at last.
  for (const bool accelerations : {false, true}) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (std::isfinite(values[k]) || c.signals[k].name.starts_with("a.") != accelerations) continue;
      return concat(c.signals[k].name, " is ", number_text(values[k]));
    }
  }
  for (std::size_t k = 0; k < c.network.nz(); ++k) {
    if (!std::isfinite(c.network.zdot()[k])) return concat("the rate of ", c.network.z_names()[k], " is not finite");
  }
  return good ? "" : "the mechanism cannot be accelerated";
}

int System::event_count() const { return core_->network.event_count(); }

void System::event_values(double t, std::span<const double> y, std::span<double> g) {
  Core& c = *core_;
  const Core::Parts p = c.parts(y);
  c.network.evaluate(t, c.unit(p.q), p.v, p.z);
  c.network.event_values(g);
}

void System::end_before(double t) { core_->network.end_before(t); }

bool System::on_event(int k, double t, std::span<double> y) {
  Core& c = *core_;
  const Core::Parts p = c.parts(y);
  c.network.evaluate(t, c.unit(p.q), p.v, p.z);
  return c.network.on_event(k, y.subspan(c.nq + c.nv));
}

std::string System::event_name(int k) const { return core_->network.event_name(k); }

std::vector<double> System::breaks(double begin, double until) const { return core_->network.breaks(begin, until); }

void System::on_break(double t, std::span<double> y) {
  Core& c = *core_;
  const Core::Parts p = c.parts(y);
  c.plant.hold(c.unit(p.q), p.v, c.hold);
  c.network.evaluate(t, c.unit(p.q), p.v, p.z);
  c.network.on_break(t, c.hold, y.subspan(c.nq + c.nv));
}

double System::next_sample(double t) const { return core_->network.next_sample(t); }

bool System::sample(double t, std::span<double> y) {
  Core& c = *core_;
  if (!c.network.samples_at(t)) return false;
  const Core::Parts p = c.parts(y);
  c.network.evaluate(t, c.unit(p.q), p.v, p.z);
  c.network.sample(t, y.subspan(c.nq + c.nv));
  return true;
}

}  // namespace articula
