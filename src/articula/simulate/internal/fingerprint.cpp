#include <articula/simulate/internal/fingerprint.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <articula/mechanism/parameter_fields.h>

namespace articula::simulate {
namespace {

constexpr int times = 257, probes = 97;

void add_all(Fingerprint& print, std::span<const double> values) {
  print.add(static_cast<std::int64_t>(values.size()));
  for (const double x : values) print.add(std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x);
}

void add_structure(Fingerprint& print, const Mechanism& mech) {
  const auto number = [&](auto... n) { (print.add(static_cast<std::int64_t>(n)), ...); };
  for (const Body& body : mech.bodies) {
    number(body.parent, body.joint, body.q.first, body.v.first, body.form, body.axis, body.reversed);
  }
  for (const DofRole role : mech.roles) number(role);
  for (const Coupling& coupling : mech.couplings) {
    for (const int dof : coupling.dofs) number(dof);
  }
  for (const Constraint& c : mech.constraints) {
    number(c.kind, c.on_velocity, c.one_sided, c.active_at_start, c.joint, c.frame_F, c.frame_M);
  }
  for (const ForceElement& f : mech.forces) {
    number(f.kind, f.frame_F, f.frame_M);
    for (const int dof : f.dofs) number(dof);
  }
  for (const RotorElement& r : mech.rotors) number(r.frame, r.dof, r.elastic, static_cast<int>(r.form), r.body);
  for (const Provenance::Entry& each : mech.provenance.entities) print.add(each.name), print.add(each.kind);
  for (const auto* names : {&mech.layout.q, &mech.layout.v}) {
    for (const std::string& name : *names) print.add(name);
  }
  number(mech.uniform_gravity, mech.nq, mech.nv);
}

/// Times of the run, and those that jump with a moment to either side.
std::vector<double> probed_times(double begin, double until, std::span<const double> jumps) {
  std::vector<double> all;
  for (int k = 0; k < times; ++k) all.push_back(begin + (until - begin) * k / (times - 1));
  for (const double t : jumps) {
    all.push_back(std::nextafter(t, -std::numeric_limits<double>::infinity()));
    all.push_back(t);
  }
  return all;
}

}  // namespace

double probe(std::uint64_t k) {
  std::uint64_t x = (k + 1) * 0x9e3779b97f4a7c15u;  // splitmix64
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  const double part = static_cast<double>(x >> 11) * 0x1p-53;
  constexpr double sizes[] = {1e-4, 1e-3, 1e-2, 0.1, 1, 1, 10, 100, 1e3, 1e4};
  return (part < 0.5 ? -1 : 1) * std::abs(2 * part - 1) * sizes[x % 10];
}

void add(Fingerprint& print, const Mechanism& mech, const Parameters<double>& par) {
  add_structure(print, mech);
  print.add(static_cast<std::int64_t>(par.gravity_field.index()));
  for_each_number([&](auto x) { print.add(static_cast<double>(x)); }, par);
}

void add(Fingerprint& print, const Trajectory& trajectory, double begin, double until) {
  const int order = std::min(2, trajectory.highest_order());
  const std::vector<double> jumps = trajectory.breaks(until);
  print.add(static_cast<std::int64_t>(trajectory.size()));
  add_all(print, jumps);
  add_all(print, std::array{trajectory.begin(), trajectory.end()});
  std::vector<double> x(static_cast<std::size_t>((order + 1) * trajectory.size()));
  for (const double t : probed_times(begin, until, jumps)) {
    trajectory.evaluate(t, order, x);
    add_all(print, x);
  }
}

void add(Fingerprint& print, const Block& block, double begin, double until) {
  for (const std::string& input : block.inputs()) print.add(input);
  for (const auto& list : {block.outputs(), block.states()}) {
    print.add(static_cast<std::int64_t>(list.size()));
    for (const Signal& signal : list) print.add(signal.name), print.add(signal.unit);
  }
  const std::vector<Block::Action> actions = block.actions();
  for (const Block::Action& action : actions) print.add(action.dof);
  const std::vector<double> jumps = block.breaks(until);
  add_all(print, jumps);
  add_all(print, std::array{block.period(), block.phase(), block.delay()});

  const std::vector<double> when = probed_times(begin, until, jumps);
  std::vector<double> in(block.inputs().size()), z(block.states().size()), z_new(z), zdot(z);
  std::vector<double> out(block.outputs().size()), hold(actions.size()),
      g(static_cast<std::size_t>(block.event_count()));
  std::uint64_t next = 0;
  const auto fill = [&](std::vector<double>& x) {
    for (double& each : x) each = probe(next++);
  };
  for (std::size_t k = 0; k < std::max<std::size_t>(probes, when.size()); ++k) {
    const double t = when[k % when.size()];
    fill(in), fill(hold);
    try {
      block.start(t, in, hold, z);
      add_all(print, z);
    } catch (const Error&) {
      // It cannot begin there: a piston outside of its stroke.
      fill(z);
    }
    // States as they begin are those that occur; others show what holds them.
    if (k % 2 == 0) fill(z);
    block.compute(t, in, z, out, zdot);
    add_all(print, out), add_all(print, zdot);
    block.event_values(t, in, z, g);
    add_all(print, g);
    for (int e = 0; e < block.event_count(); ++e) {
      z_new = z;
      print.add(static_cast<std::int64_t>(block.on_event(e, t, in, z_new)));
      add_all(print, z_new);
    }
    if (block.period() > 0) {
      z_new = z;
      block.sample(t, in, z_new);
      add_all(print, z_new);
      if (block.delay() > 0) block.release(z_new), add_all(print, z_new);
    }
    if (!jumps.empty()) {
      z_new = z;
      block.on_break(t, in, hold, z_new);
      add_all(print, z_new);
    }
  }
}

}  // namespace articula::simulate
