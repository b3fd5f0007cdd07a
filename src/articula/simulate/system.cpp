#include <articula/simulate/system.h>

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>
#include <articula/joints/step_along.h>
#include <articula/mechanism/state.h>
#include <articula/simulate/internal/block_network.h>
#include <articula/simulate/internal/dry_friction.h>
#include <articula/simulate/internal/fingerprint.h>
#include <articula/simulate/internal/plant.h>
#include <articula/simulate/internal/prescribed_motion.h>
#include <articula/spatial/orientation.h>

namespace articula {

using ShownJoint = ShownMechanism::ShownJoint;

/// Beyond this speed, in m/s or rad/s, a motion has diverged.
static constexpr double largest_speed = 1e7;
/// A start that differs from prescribed motion by less, in m, rad, m/s or rad/s, is the same.
static constexpr double same_start = 1e-9;

struct System::Core {
  Core(const BlockSite& site, std::vector<NamedTrajectory> trajectories, std::vector<std::unique_ptr<Block>> blocks)
      : plant(site.mechanism()),
        prescribed(site, trajectories),
        friction(site, prescribed, plant),
        network(site, std::move(trajectories), std::move(blocks)),
        nq(plant.nq()),
        nv(plant.nv()),
        n(nq + nv + network.nz()),
        q_now(nq),
        v_now(nv),
        vdot(nv),
        tau(nv),
        tau_tried(nv),
        reaction(friction.size()),
        v_middle(nv),
        held(nv),
        hold(nv),
        dq(nv * nv),
        dv(nv * nv),
        du(nv * nv),
        tangent(nv * n) {
    for (const ShownJoint& joint : plant.shown().joints()) {
      if (joint.has_quaternion()) with_quaternions.push_back(joint);
    }
    for (std::size_t k = 0; k < nv; ++k) {
      if (prescribed.moves_v(k)) plant.prescribe(k, true);
    }
    tau_all.resize(static_cast<std::size_t>(plant.shown().mech().nv));
    name_signals(site);
    list_limits(site);
    findings = site.findings();
    findings.insert(findings.end(), friction.findings().begin(), friction.findings().end());
    warn_of_idle_blocks(site);
  }

  struct Parts {
    std::span<const double> q, v, z;
  };
  /// y at t: with quaternions of unit length, and prescribed joints where they are then. Their accelerations are written
  /// to vdot.
  Parts at(double t, std::span<const double> y);
  /// Blocks, at y.
  Parts drive(double t, std::span<const double> y, bool all = false);
  /// Blocks, then accelerations. False where there are none.
  bool evaluate(double t, std::span<const double> y, bool all = false);
  void settle(int stopped, double t, std::span<double> y);
  std::span<const double> z_of(std::span<const double> y) const { return y.subspan(nq + nv); }

  void position_rates(std::span<const double> q, std::span<const double> v, std::span<double> qdot) const;
  void list_limits(const BlockSite& site);
  void warn_of_idle_blocks(const BlockSite& site);
  void name_signals(const BlockSite& site);
  void add_position_rows(std::span<const double> y, std::span<double> J) const;
  void to_ambient(std::span<const double> q, std::span<double> row) const;
  void check(std::string_view what, std::span<const double> x, std::span<const std::string> names) const;

  Plant plant;
  PrescribedMotion prescribed;
  DryFriction friction;
  BlockNetwork network;
  std::size_t nq, nv, n;
  std::vector<double> q_now, v_now, vdot, tau, tau_tried;
  std::vector<double> reaction;        ///< of joints that can stick: the force that keeps them at rest
  std::vector<double> v_middle, held;  ///< of semi-implicit steps
  std::vector<double> hold;
  std::vector<double> dq, dv, du, tangent;
  std::vector<ShownJoint> with_quaternions;
  std::vector<int> frames;
  std::vector<int> elements;      ///< springs, dampers and actuators whose stretch and force are signals
  std::vector<double> tau_all;    ///< of all joints, for those that follow
  std::vector<int> limit_places;  ///< of what limits bound, in q
  std::vector<Limit> limits;
  bool at_rest = false;  ///< statics: see rest_at
  std::vector<Signal> signals;
  Findings findings;
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
  for (const BlockSite::Dof& dof : site.followers()) signals.push_back({"a." + dof.name, dof.position_unit() + "/s^2"});
  for (const BlockSite::Dof& dof : site.followers()) signals.push_back({"tau." + dof.name, dof.effort_unit()});
  for (std::size_t k = 0; k < friction.size(); ++k) {
    const BlockSite::Dof& dof = site.dofs()[friction.dof(k)];
    signals.push_back({concat("joint.", dof.name, ".friction"), dof.effort_unit()});
    signals.push_back({concat("joint.", dof.name, ".slip"), "1"});
  }
  if (plant.shown().passive()) {
    const Mechanism& mech = plant.shown().mech();
    for (std::size_t k = 0; k < mech.forces.size(); ++k) {
      const ForceElement& element = mech.forces[k];
      if (element.kind == ForceElement::Kind::wrench) continue;
      const std::string name =
          concat("element.", mech.provenance.entities[static_cast<std::size_t>(element.entity)].name);
      const bool line = element.kind == ForceElement::Kind::line;
      elements.push_back(static_cast<int>(k));
      signals.push_back({name + (line ? ".length" : ".angle"), line ? "m" : "rad"});
      signals.push_back({name + (line ? ".force" : ".torque"), line ? "N" : "N*m"});
    }
  }
  signals.push_back({"energy.kinetic", "J"});
  signals.push_back({"energy.potential", "J"});
  for (const PortRef& frame : plant.shown().ports().frames) {
    frames.push_back(plant.shown().mech().frame(frame));
    const std::string name = "pose." + to_text(frame) + ".";
    for (const char* axis : {"x", "y", "z"}) signals.push_back({name + axis, "m"});
    for (const char* part : {"qx", "qy", "qz", "qw"}) signals.push_back({name + part, "1"});
  }
}

void System::Core::list_limits(const BlockSite& site) {
  const auto bounded = [](double lower, double upper) { return std::isfinite(lower) || std::isfinite(upper); };
  for (std::size_t k = 0; k < site.dofs().size(); ++k) {
    const BlockSite::Dof& dof = site.dofs()[k];
    const auto add = [&](Limit::Of of, double lower, double upper, const std::string& unit, int place) {
      if (!bounded(lower, upper)) return;
      limits.push_back({of, k, lower, upper, unit});
      limit_places.push_back(place);
    };
    const auto place = std::find(site.q_names().begin(), site.q_names().end(), dof.position) - site.q_names().begin();
    if (!dof.position.empty() && !network.guards(dof.name))
      add(Limit::Of::position, dof.lower, dof.upper, dof.position_unit(), static_cast<int>(place));
    add(Limit::Of::speed, -dof.speed_limit, dof.speed_limit, dof.speed_unit(), 0);
    add(Limit::Of::force, -dof.force_limit, dof.force_limit, dof.effort_unit(), 0);
  }
}

void System::Core::warn_of_idle_blocks(const BlockSite& site) {
  for (std::size_t k = 0; k < nv; ++k) {
    if (!prescribed.moves_v(k)) continue;
    for (const std::string& block : network.acting_on(k)) {
      findings.push_back(
          {Severity::warning,
           "block-on-prescribed",
           {},
           concat("block ", quoted(block), " acts on ", quoted(site.dofs()[k].name),
                  ", which is prescribed: it moves as its trajectory says, whatever the block gives. The "
                  "force that this takes is ",
                  quoted("tau." + site.dofs()[k].name), ".")});
    }
  }
}

static void normalize_quaternion(double* p) {
  const double scale = 1 / std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  for (int k = 0; k < 4; ++k) p[k] *= scale;
}

System::Core::Parts System::Core::at(double t, std::span<const double> y) {
  if (with_quaternions.empty() && prescribed.empty()) return {y.first(nq), y.subspan(nq, nv), z_of(y)};
  std::copy_n(y.begin(), nq, q_now.begin());
  std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(nq), nv, v_now.begin());
  for (const ShownJoint& joint : with_quaternions) normalize_quaternion(q_now.data() + joint.quaternion());
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

void System::Core::settle(int stopped, double t, std::span<double> y) {
  if (friction.size() == 0) return;
  const Parts p = drive(t, y);
  friction.set_speeds(p.v, plant);
  const auto accelerate = [&](std::span<const double> force, std::span<double> a) {
    for (std::size_t k = 0; k < nv; ++k) tau_tried[k] = network.tau()[k] + force[k], a[k] = vdot[k];
    return plant.accelerate(p.q, p.v, tau_tried, a);
  };
  friction.settle(stopped, y.subspan(nq, nv), plant, std::cref(accelerate));
}

void System::Core::position_rates(std::span<const double> q, std::span<const double> v, std::span<double> qdot) const {
  if (with_quaternions.empty()) {
    std::copy(v.begin(), v.end(), qdot.begin());
    return;
  }
  for (const ShownJoint& joint : plant.shown().joints()) {
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
  for (const ShownJoint& joint : plant.shown().joints()) {
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
  const bool copied = !c.with_quaternions.empty() || !c.prescribed.empty();
  const std::span<const double> q = copied ? std::span<const double>(c.q_now) : y.first(c.nq),
                                v = copied ? std::span<const double>(c.v_now) : y.subspan(c.nq, c.nv);
  if (!c.plant.derivatives(q, v, c.vdot, c.dq, c.dv, c.du)) return false;
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

bool System::project(std::span<double> y) {
  const Core& c = *core_;
  for (const ShownJoint& joint : c.with_quaternions) {
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
    for (const ShownJoint& joint : c.with_quaternions) {
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
  for (const ShownJoint& joint : c.plant.shown().joints()) {
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

bool System::signal_values(double t, std::span<const double> y, std::span<double> values) {
  Core& c = *core_;
  const bool good = c.evaluate(t, y, true);
  if (!good) std::fill(c.vdot.begin(), c.vdot.end(), std::numeric_limits<double>::quiet_NaN());
  const std::span<const double> x = c.network.values();
  const auto moves = x.begin() + static_cast<std::ptrdiff_t>(c.nq + c.nv);
  auto to = std::copy(x.begin(), moves, values.begin());
  to = std::copy(c.vdot.begin(), c.vdot.end(), to);
  to = std::copy(c.tau.begin(), c.tau.end(), to);
  to = std::copy(moves, x.end(), to);
  const std::span<const int> followers = c.plant.shown().map().followers();
  for (const int dof : followers)
    *to++ = good ? c.plant.vdot_all()[static_cast<std::size_t>(dof)] : std::numeric_limits<double>::quiet_NaN();
  if (!followers.empty()) c.plant.joint_forces(c.tau_all);
  for (const int dof : followers) *to++ = c.tau_all[static_cast<std::size_t>(dof)];
  for (std::size_t k = 0; k < c.friction.size(); ++k) {
    *to++ = c.friction.force(k, c.reaction[k]);
    *to++ = c.friction.modes()[k];
  }
  for (const int element : c.elements) {
    const Plant::Stretch stretch = c.plant.stretch(element);
    *to++ = stretch.x, *to++ = stretch.force;
  }
  *to++ = c.plant.kinetic_energy();
  *to++ = c.plant.potential_energy();
  for (const int place : c.frames) {
    const Pose<double> X_WF = c.plant.frame(place);
    const Quaternion<double> turn = quaternion_of(X_WF.R);
    for (const double each : {X_WF.p.x, X_WF.p.y, X_WF.p.z, turn.x, turn.y, turn.z, turn.w}) *to++ = each;
  }
  return good;
}

std::uint64_t System::fingerprint(double begin, double until) {
  Core& c = *core_;
  Fingerprint print;
  add(print, c.plant.shown().mech(), c.plant.shown().par());
  for (const Signal& signal : c.signals) print.add(signal.name), print.add(signal.unit);
  for (const std::string& sentence : wiring()) print.add(sentence);
  c.network.visit(
      [&](const NamedTrajectory& each) {
        print.add(each.name);
        for (const std::string& name : each.coordinates) print.add(name);
        add(print, *each.motion, begin, until);
      },
      [&](const Block& block) { add(print, block, begin, until); });
  // What options of the system change shows in its rates, with all joints that can stick at rest.
  const std::vector<double> kept(modes().begin(), modes().end()), at_rest(kept.size());
  set_modes(at_rest);
  const std::vector<double> y_start = start({.t = begin});
  set_modes(at_rest);
  std::vector<double> y(c.n), rates(c.n), g(static_cast<std::size_t>(event_count()));
  for (std::uint64_t k = 0; k < 8; ++k) {
    for (std::size_t i = 0; i < c.n; ++i) y[i] = y_start[i] + probe(k * c.n + i) * (i < c.nq ? 1e-2 : 1);
    project(y);
    const double t = begin + (until - begin) * static_cast<double>(k) / 8;
    print.add(static_cast<std::int64_t>(rate(t, y, rates)));
    event_values(t, y, g);
    for (const double x : rates) print.add(std::isfinite(x) ? x : 0);
    for (const double x : g) print.add(std::isfinite(x) ? x : 0);
  }
  set_modes(kept);
  return print.value();
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

int System::event_count() const { return core_->network.event_count() + static_cast<int>(core_->friction.size()); }

void System::event_values(double t, std::span<const double> y, std::span<double> g) {
  Core& c = *core_;
  const auto blocks = static_cast<std::size_t>(c.network.event_count());
  if (c.friction.any_sticks()) {
    c.evaluate(t, y);
  } else {
    c.drive(t, y);
  }
  c.network.event_values(g.first(blocks));
  c.friction.event_values(y.subspan(c.nq, c.nv), c.reaction, g.subspan(blocks));
}

EventDirection System::event_direction(int k) const {
  return k < core_->network.event_count() ? EventDirection::both : EventDirection::falling;
}

void System::end_before(double t) { core_->network.end_before(t); }

bool System::is_prescribed(std::size_t dof) const { return core_->prescribed.moves_v(dof); }
bool System::is_given(std::size_t dof) const { return core_->plant.is_prescribed(dof); }
std::span<const double> System::modes() const { return core_->friction.modes(); }
void System::set_modes(std::span<const double> modes) { core_->friction.set_modes(modes, core_->plant); }
void System::settle(double t, std::span<double> y) { core_->settle(-1, t, y); }
bool System::unsettled(std::span<const double> y) const {
  return core_->friction.contradicts(y.subspan(core_->nq, core_->nv));
}

void System::rest_at(double t, std::span<double> y) {
  Core& c = *core_;
  follow(t, y);
  std::fill_n(y.begin() + static_cast<std::ptrdiff_t>(c.nq), c.nv, 0.0);
  c.at_rest = true;
  c.friction.release(c.plant);
}
void System::move_again(double t, std::span<double> y) {
  core_->at_rest = false;
  follow(t, y);
  settle(t, y);
}

void System::require_smooth(double begin, double until) const { core_->prescribed.require_smooth(begin, until); }
const Findings& System::findings() const { return core_->findings; }
std::span<const System::Limit> System::limits() const { return core_->limits; }

void System::limit_values(double t, std::span<const double> y, bool forces, std::span<double> values) {
  Core& c = *core_;
  const Core::Parts p = c.at(t, y);
  if (forces) c.evaluate(t, y);
  for (std::size_t k = 0; k < c.limits.size(); ++k) {
    switch (c.limits[k].of) {
      case Limit::Of::position: values[k] = p.q[static_cast<std::size_t>(c.limit_places[k])]; break;
      case Limit::Of::speed: values[k] = p.v[c.limits[k].dof]; break;
      case Limit::Of::force: values[k] = forces ? c.tau[c.limits[k].dof] : 0; break;
    }
  }
}

std::string System::what_diverges(std::span<const double> y) const {
  const Core& c = *core_;
  for (std::size_t k = 0; k < c.nv; ++k) {
    const double speed = y[c.nq + k];
    if (!(std::abs(speed) > largest_speed)) continue;
    return concat("v.", v_names()[k], " is ", speed, " ", c.signals[c.nq + k].unit, ", beyond ", largest_speed);
  }
  return "";
}

bool System::on_event(int k, double t, std::span<double> y) {
  Core& c = *core_;
  const int blocks = c.network.event_count();
  bool ends = false;
  int stopped = -1;
  if (k < blocks) {
    c.drive(t, y);
    ends = c.network.on_event(k, y.subspan(c.nq + c.nv));
  } else if (c.friction.modes()[static_cast<std::size_t>(k - blocks)] != 0) {
    stopped = k - blocks;
  }
  c.settle(stopped, t, y);
  return ends;
}

std::string System::event_name(int k) const {
  const int blocks = core_->network.event_count();
  if (k < blocks) return core_->network.event_name(k);
  return concat("joint ", quoted(v_names()[core_->friction.dof(static_cast<std::size_t>(k - blocks))]),
                " begins or ends to slide");
}

std::vector<double> System::breaks(double begin, double until) const {
  std::vector<double> all = core_->network.breaks(begin, until);
  for (const double t : core_->prescribed.breaks(until)) {
    if (t > begin && t < until) all.push_back(t);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void System::on_break(double t, std::span<double> y) {
  Core& c = *core_;
  const Core::Parts p = c.drive(t, y);
  c.plant.hold(p.q, p.v, c.hold);
  c.network.on_break(t, c.hold, y.subspan(c.nq + c.nv));
  c.settle(-1, t, y);
}

double System::next_sample(double t) const { return core_->network.next_sample(t); }

bool System::sample(double t, std::span<double> y) {
  Core& c = *core_;
  if (!c.network.samples_at(t)) return false;
  c.drive(t, y);
  c.network.sample(t, y.subspan(c.nq + c.nv));
  c.settle(-1, t, y);
  return true;
}

}  // namespace articula
