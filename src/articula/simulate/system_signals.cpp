// Outputs of a System: its signals, limits and fingerprint.
#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include <articula/base/text.h>
#include <articula/control/signals.h>
#include <articula/mechanism/frame_index.h>
#include <articula/simulate/internal/fingerprint.h>
#include <articula/simulate/internal/system_core.h>

namespace articula::simulate {

/// Beyond this speed, in m/s or rad/s, a motion has diverged.
static constexpr double largest_speed = 1e7;

/// q, v, a, tau; the network's own; energies; poses.
void System::Core::name_signals(const BlockSite& site) {
  const std::vector<Signal>& own = network.signals();
  const auto moves = own.begin() + static_cast<std::ptrdiff_t>(nq + nv);
  signals.assign(own.begin(), moves);
  const auto add = [&](JointSignal what, std::span<const BlockSite::Dof> dofs) {
    for (const BlockSite::Dof& dof : dofs) signals.push_back(joint_signal(what, dof.name, dof.speed()));
  };
  add(JointSignal::a, site.dofs()), add(JointSignal::tau, site.dofs());
  signals.insert(signals.end(), moves, own.end());
  add(JointSignal::a, site.followers()), add(JointSignal::tau, site.followers());
  for (std::size_t k = 0; k < friction.size(); ++k) {
    const BlockSite::Dof& dof = site.dofs()[friction.dof(k)];
    signals.push_back({concat("joint.", dof.name, ".friction"), dof.effort_unit()});
    signals.push_back({concat("joint.", dof.name, ".slip"), "1"});
  }
  for (const BlockNetwork::DriveTorque& drive : network.drives()) {
    signals.push_back({concat("joint.", drive.dof, ".drive"), drive.unit});
    signals.push_back({concat("joint.", drive.dof, ".saturated"), "1"});
  }
  if (plant.exposed().passive()) {
    const Mechanism& mech = plant.exposed().mech();
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
  const FrameIndex index(plant.exposed().mech());
  for (const PortRef& frame : plant.exposed().ports().frames) {
    frames.push_back(index.at(frame));
    add_pose_signals(frame, signals);
  }
}

void System::Core::list_limits(const BlockSite& site) {
  const auto bounded = [](double lower, double upper) { return std::isfinite(lower) || std::isfinite(upper); };
  std::unordered_map<std::string_view, int> places;
  for (const std::string& name : site.q_names()) places.emplace(name, static_cast<int>(places.size()));
  for (std::size_t k = 0; k < site.dofs().size(); ++k) {
    const BlockSite::Dof& dof = site.dofs()[k];
    const auto add = [&](Limit::Of of, double lower, double upper, const std::string& unit, int place) {
      if (!bounded(lower, upper)) return;
      limits.push_back({of, k, dof.name, lower, upper, unit});
      limit_places.push_back(place);
    };
    if (!dof.position.empty() && !network.guards(dof.name))
      add(Limit::Of::position, dof.lower, dof.upper, dof.position_unit(), places.at(dof.position));
    add(Limit::Of::speed, -dof.speed_limit, dof.speed_limit, dof.speed_unit(), 0);
    add(Limit::Of::force, -dof.force_limit, dof.force_limit, dof.effort_unit(), 0);
  }
  for (std::size_t k = 0; k < network.drives().size(); ++k) {
    const BlockNetwork::DriveTorque& drive = network.drives()[k];
    limits.push_back({Limit::Of::drive, k, drive.dof, -drive.limit, drive.limit, drive.unit});
    limit_places.push_back(0);
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
  const std::span<const int> followers = c.plant.exposed().map().followers();
  for (const int dof : followers)
    *to++ = good ? c.plant.vdot_all()[static_cast<std::size_t>(dof)] : std::numeric_limits<double>::quiet_NaN();
  if (!followers.empty()) c.plant.joint_forces(c.tau_all);
  for (const int dof : followers) *to++ = c.tau_all[static_cast<std::size_t>(dof)];
  for (std::size_t k = 0; k < c.friction.size(); ++k) {
    *to++ = c.friction.force(k, c.reaction[k]);
    *to++ = c.friction.modes()[k];
  }
  for (const BlockNetwork::DriveTorque& drive : c.network.drives()) {
    *to++ = drive.exerted();
    *to++ = drive.is_saturated() ? std::copysign(1.0, drive.asked) : 0;
  }
  for (const int element : c.elements) {
    const Plant::Stretch stretch = c.plant.stretch(element);
    *to++ = stretch.x, *to++ = stretch.force;
  }
  *to++ = c.plant.kinetic_energy();
  *to++ = c.plant.potential_energy();
  for (const int place : c.frames) {
    for (const double each : pose_values(c.plant.frame(place))) *to++ = each;
  }
  return good;
}

std::uint64_t System::fingerprint(double begin, double until) {
  Core& c = *core_;
  Fingerprint print;
  add(print, c.plant.exposed().mech(), c.plant.exposed().par());
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
  const std::vector<double> kept(modes().begin(), modes().end()), at_rest(kept.size()), kept_forces = forces();
  clear_forces();
  set_modes(at_rest);
  const std::vector<double> y_start = start({.t = begin});
  set_modes(at_rest);
  std::vector<double> y(c.n), rates(c.n), g(static_cast<std::size_t>(event_count()));
  for (std::uint64_t k = 0; k < 8; ++k) {
    for (std::size_t i = 0; i < c.n; ++i) y[i] = y_start[i] + probe(k * c.n + i) * (i < c.nq ? 1e-2 : 1);
    const double t = begin + (until - begin) * static_cast<double>(k) / 8;
    project(t, y);
    print.add(static_cast<std::int64_t>(rate(t, y, rates)));
    event_values(t, y, g);
    for (const double x : rates) print.add(std::isfinite(x) ? x : 0);
    for (const double x : g) print.add(std::isfinite(x) ? x : 0);
  }
  set_modes(kept);
  set_forces(kept_forces);
  return print.value();
}

std::string System::what_is_not_finite(double t, std::span<const double> y) {
  Core& c = *core_;
  std::vector<double> values(c.signals.size());
  const bool good = signal_values(t, y, values);
  // The accelerations depend on all other values, so they are checked last.
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
      case Limit::Of::drive: values[k] = forces ? c.network.drives()[c.limits[k].dof].asked : 0; break;
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

}  // namespace articula::simulate
