#include <articula/network/network.h>

#include <algorithm>
#include <limits>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/mechanism/state.h>

namespace articula::network {

using network::EntityImplementation, network::Site;

/// A result has only to have the right size.
static void require_room(std::string_view what, std::span<const double> x, const std::vector<std::string>& names) {
  if (x.size() == names.size()) return;
  throw Error("state-size", {},
              concat(what, " has ", x.size(), x.size() == 1 ? " entry" : " entries", ", but this mechanism has ",
                     names.size(), ": ", list_of(names), "."));
}

Network::Network(const Model& model, const NetworkOptions& options)
    : flow_(std::make_shared<const network::Structure>(model, options)) {
  if (!structure().has_shafts()) return;
  for (int k = 0; k < nv(); ++k) {
    const int dof = structure().independent_v[at(k)];
    const auto& roles = structure().mechanism.roles;
    if (at(dof) >= roles.size() || roles[at(dof)] == DofRole::free) solution_.free.push_back(k);
  }
  const auto free = static_cast<Eigen::Index>(solution_.free.size());
  solution_.M.resize(free, free), solution_.right.resize(free);
  for (std::vector<double>* each : {&solution_.vdot, &solution_.tau, &solution_.bias}) each->resize(at(nv()));
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
  check_numbers("vdot", vdot, layout().v);
  flow_.set_motion(q, v, vdot);
  flow_.outward([](const EntityImplementation& entity, const Site& site) {
    entity.position(site);
    entity.velocity(site);
    entity.acceleration(site);
  });
}

/// @pre applied forces are in place, and all motions are those of the state
void Network::find_forces(std::span<double> tau) {
  std::fill(flow_.tau.begin(), flow_.tau.end(), 0.0);
  flow_.inward(flow_.force, [](const EntityImplementation& entity, const Site& site) { entity.action(site); });
  flow_.gather_torques();
  flow_.independent(flow_.tau, tau);
}

void Network::inverse_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> vdot,
                               std::span<double> tau) {
  require_room("tau", tau, layout().v);
  kinematics(q, v, vdot);
  place_applied_forces();
  find_forces(tau);
}

void Network::forward_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                               std::span<double> vdot) {
  require_room("vdot", vdot, layout().v);
  check_numbers("tau", tau, layout().v);
  if (structure().has_shafts()) return solve_accelerations(q, v, tau, vdot);
  flow_.set_motion(q, v, vdot);
  flow_.set_torques(tau);
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
  flow_.independent(flow_.vdot, vdot);
}

/// M·vdot = tau − bias, where M.col(k) = ID(e_k) − ID(0); prescribed accelerations are part of the bias.
void Network::solve_accelerations(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                                  std::span<double> vdot) {
  auto& [M, right, accelerations, forces, bias, free] = solution_;
  std::copy(vdot.begin(), vdot.end(), accelerations.begin());
  for (const int k : free) accelerations[at(k)] = 0;
  inverse_dynamics(q, v, accelerations, bias);
  for (Eigen::Index c = 0; c < M.cols(); ++c) {
    const std::size_t dof = at(free[static_cast<std::size_t>(c)]);
    accelerations[dof] = 1;
    inverse_dynamics(q, v, accelerations, forces);
    accelerations[dof] = 0;
    for (Eigen::Index r = 0; r < M.rows(); ++r) {
      const std::size_t row = at(free[static_cast<std::size_t>(r)]);
      M(r, c) = forces[row] - bias[row];
    }
    right[c] = tau[dof] - bias[dof];
  }
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> solver(M);
  if (solver.info() == Eigen::Success) {
    solver.solveInPlace(right);
  } else {
    right.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  for (Eigen::Index r = 0; r < M.rows(); ++r) accelerations[at(free[static_cast<std::size_t>(r)])] = right[r];
  if (right.allFinite()) inverse_dynamics(q, v, accelerations, forces);  // the forces at all ports
  std::copy(accelerations.begin(), accelerations.end(), vdot.begin());
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
