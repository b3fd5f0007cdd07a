#include <articula/solve/internal/core.h>

#include <algorithm>
#include <cmath>

#include <articula/base/error.h>
#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/build/not_computed.h>
#include <articula/mechanism/state.h>
#include <articula/scalar/finite.h>

namespace articula::solve {

Solver::Core::Core(std::string_view name, Algorithm what, const Model& model, const SolverOptions& chosen)
    : options(chosen),
      who(name),
      algorithm(what),
      exposed(model, chosen.mechanism, chosen.exterior, chosen.build, chosen.passive),
      dynamics(computable({.algorithm = what,
                           .run_as = chosen.run_as,
                           .passive = chosen.passive,
                           .who = name,
                           .locked = locked_joint(mech(), exposed.ports().joints)},
                          mech()),
               par(), {.passive = chosen.passive, .forward = traits(what).accelerates}),
      q(par().q_start),
      v(at(mech().nv)),
      vdot(at(mech().nv)),
      tau(at(mech().nv)),
      slip(at(mech().nv)),
      q_next_(par().q_start) {
  options.mechanism.reset();  // of this model alone
  if (options.run_as == RunAs::network) make_network(model);
  if (traits(algorithm).accelerates) exposed.require_regular_joints();
  warn_of_what_is_not_computed();
}

void Solver::Core::make_network(const Model& model) {
  const network::NetworkOptions how{
      .representation = options.representation, .passive = options.passive, .drives = mech().drives};
  network = std::make_unique<NetworkRun>(model, how, mech());
}

void Solver::Core::warn_of_what_is_not_computed() {
  if (auto contacts = contacts_not_computed(mech()); contacts && traits(algorithm).forces)
    findings.push_back(std::move(*contacts));
  if (auto rotors = rotors_locked(mech(), par()); rotors && traits(algorithm).inertia)
    findings.push_back(std::move(*rotors));
}

/// Throws what is wrong with the numbers x.
[[noreturn, gnu::cold]] static void refuse(std::string_view what, VectorView x, std::span<const std::string> names) {
  if (x.size() != names.size()) {
    throw Error("state-size", {},
                concat(what, " has ", x.size(), x.size() == 1 ? " entry" : " entries", ", but there are ", names.size(),
                       ": ", list_of(names), "."));
  }
  const auto found = std::find_if(x.begin(), x.end(), [](double each) { return !std::isfinite(each); });
  const auto k = static_cast<std::size_t>(found - x.begin());
  throw Error(
      "state-not-finite", {},
      concat(what, "[", k, "], ", quoted(names[k]), ", is ", number_text(x[k]), ". Only finite numbers are allowed."));
}

static void check_numbers(std::string_view what, VectorView x, std::span<const std::string> names) {
  if (x.size() != names.size() || !all_finite(x)) refuse(what, x, names);
}
static void check_numbers_if_any(std::string_view what, VectorView x, std::span<const std::string> names) {
  if (!x.empty()) check_numbers(what, x, names);
}

void Solver::Core::check(const State& state) const {
  check_numbers("q", state.q, map().q_names());
  check_numbers_if_any("v", state.v, map().v_names());
  check_numbers_if_any("vdot", state.vdot, map().v_names());
  check_numbers_if_any("tau", state.tau, map().v_names());
  const auto is_frame = [&](int frame) { return frame >= 0 && at(frame) < mech().frames.size(); };
  for (std::size_t k = 0; k < state.loads.size(); ++k) {
    const Load& load = state.loads[k];
    if (!is_frame(load.frame) || !is_frame(load.axes)) {
      throw Error("load-frame", {},
                  concat("load ", k, " acts at frame ", load.frame, " in axes of frame ", load.axes,
                         ", but there are frames 0 to ", mech().frames.size() - 1,
                         ". Ask the solver: frame({\"hand\", \"tip\"})."));
    }
    for (const double x :
         {load.wrench.n.x, load.wrench.n.y, load.wrench.n.z, load.wrench.f.x, load.wrench.f.y, load.wrench.f.z}) {
      if (!std::isfinite(x)) {
        throw Error("state-not-finite", {},
                    concat("load ", k, " holds ", number_text(x), ". Only finite numbers are allowed."));
      }
    }
  }
}

/// The port of the network that corresponds to a frame of the flat form.
void Solver::Core::find_network_ports(std::span<const Load> from, std::vector<network::AppliedForce>& to) const {
  to.clear();
  const auto port = [&](int frame) { return network->network.port(mech().frames[at(frame)].name); };
  for (const Load& load : from) to.push_back({port(load.frame), load.wrench, port(load.axes)});
}

void Solver::Core::set(const State& state) {
  check(state);
  // Quaternions are checked in the mechanism's order, before anything is kept.
  map().to_q(state.q, q_next_);
  normalize_quaternions(mech(), q_next_);
  if (network) {
    find_network_ports(state.loads, network_loads_);
    network->network.apply(network_loads_);
  }
  std::swap(q, q_next_);
  const auto take = [](VectorView from, std::vector<double>& to, auto&& map) {
    if (from.empty()) {
      std::fill(to.begin(), to.end(), 0.0);
    } else {
      map(from, to);
    }
  };
  const auto tangent = [&](VectorView from, std::vector<double>& to) { map().to_tangent(from, to); };
  take(state.v, v, tangent);
  take(state.vdot, vdot, tangent);
  take(state.tau, tau, [&](VectorView from, std::vector<double>& to) { map().to_forces(from, to); });
  loads.assign(state.loads.begin(), state.loads.end());
}

void Solver::Core::pass_loads_on() {
  if (!network) return;
  find_network_ports(loads, network_loads_);
  network->network.apply(network_loads_);
}

void Solver::Core::refresh(const Model& model) {
  exposed.refresh(model);
  if (network) {
    make_network(model);
    pass_loads_on();
  }
}

ActingOptions<double> Solver::Core::acting() {
  if (options.passive) slip_of<double>(v, slip);
  return {loads, options.passive, slip, {}};
}

}  // namespace articula::solve
