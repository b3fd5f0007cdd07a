#include <articula/network/network.h>

#include <algorithm>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/mechanism/state.h>

namespace articula::network {

using network::EntityImplementation, network::Site;

static void copy(std::span<const double> from, std::vector<double>& to) {
  std::copy(from.begin(), from.end(), to.begin());
}

/// A result has only to have the right size.
static void require_room(std::string_view what, std::span<const double> x, const std::vector<std::string>& names) {
  if (x.size() == names.size()) return;
  throw Error("state-size", {},
              concat(what, " has ", x.size(), x.size() == 1 ? " entry" : " entries", ", but this mechanism has ",
                     names.size(), ": ", list_of(names), "."));
}

Network::Network(const Model& model, const NetworkOptions& options)
    : flow_(std::make_shared<const network::Structure>(model, options.representation, options.implementations)) {}

void Network::set_state(std::span<const double> q, std::span<const double> v) {
  check_state(structure().mechanism, q, v);
  copy(q, flow_.q);
  copy(v, flow_.v);
}

void Network::apply(std::span<const AppliedForce> forces) {
  for (const AppliedForce& force : forces_) flow_.applied[at(force.port)] = Force<double>::zero();
  forces_.assign(forces.begin(), forces.end());
}

/// @pre all ports are where q puts them
void Network::place_applied_forces() {
  for (const AppliedForce& force : forces_) flow_.applied[at(force.port)] = Force<double>::zero();
  for (const auto& [port, wrench, axes] : forces_) {
    const Pose<double>& X_WP = flow_.motion[at(port)].X_W;
    const Rotation<double> R_WA = axes < 0 ? Rotation<double>::identity() : flow_.motion[at(axes)].X_W.R;
    const Rotation<double> R_PA = X_WP.R.inverse() * R_WA;
    flow_.applied[at(port)] +=
        pose_to(structure().representation, X_WP) * Force<double>{R_PA * wrench.n, R_PA * wrench.f};
  }
}

void Network::kinematics(std::span<const double> q, std::span<const double> v, std::span<const double> vdot) {
  check_tangent(structure().mechanism, "vdot", vdot);
  set_state(q, v);
  copy(vdot, flow_.vdot);
  flow_.outward([](const EntityImplementation& entity, const Site& site) {
    entity.position(site);
    entity.velocity(site);
    entity.acceleration(site);
  });
}

void Network::inverse_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> vdot,
                               std::span<double> tau) {
  require_room("tau", tau, layout().v);
  kinematics(q, v, vdot);
  place_applied_forces();
  flow_.inward(flow_.force, [](const EntityImplementation& entity, const Site& site) { entity.action(site); });
  std::copy(flow_.tau.begin(), flow_.tau.end(), tau.begin());
}

void Network::forward_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                               std::span<double> vdot) {
  require_room("vdot", vdot, layout().v);
  check_tangent(structure().mechanism, "tau", tau);
  set_state(q, v);
  copy(tau, flow_.tau);
  copy(vdot, flow_.vdot);
  flow_.outward([](const EntityImplementation& entity, const Site& site) {
    entity.position(site);
    entity.velocity(site);
  });
  place_applied_forces();
  flow_.inward(flow_.articulated,
               [](const EntityImplementation& entity, const Site& site) { entity.articulated_action(site); });
  flow_.outward([](const EntityImplementation& entity, const Site& site) {
    entity.joint_acceleration(site);
    entity.acceleration(site);
  });
  for (std::size_t p = 0; p < flow_.force.size(); ++p) {
    const auto& [P, z] = flow_.articulated[p];
    flow_.force[p] = P * flow_.motion[p].A + z;
  }
  std::copy(flow_.vdot.begin(), flow_.vdot.end(), vdot.begin());
}

Pose<double> Network::pose_at(const PortRef& port) const { return flow_.motion[at(structure().port(port))].X_W; }

Motion<double> Network::velocity_at(const PortRef& port) const {
  return network::velocity_in_port(structure().representation, flow_.motion[at(structure().port(port))]);
}

Motion<double> Network::acceleration_at(const PortRef& port) const {
  return network::acceleration_in_port(structure().representation, flow_.motion[at(structure().port(port))]);
}

Force<double> Network::force_at(const PortRef& port) const {
  const int p = structure().port(port);
  return inverted(pose_to(structure().representation, flow_.motion[at(p)].X_W)) * flow_.force[at(p)];
}

network::Restriction Network::restricted_to(const std::vector<PortRef>& ports) const {
  return network::Restriction(flow_.shared_structure(), ports);
}

}  // namespace articula::network
