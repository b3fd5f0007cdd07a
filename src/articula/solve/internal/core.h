#pragma once

#include <cmath>

#include <articula/build/refresh.h>
#include <articula/dynamics/acting_forces.h>
#include <articula/network/network.h>
#include <articula/solve/internal/exterior_map.h>
#include <articula/solve/solver.h>

namespace articula {

/// What is behind every solver: the mechanism and its numbers, the state in the mechanism's own order, and what acts on
/// its bodies there.
struct Solver::Core {
  Core(const Model& model, const SolverOptions& options, const Needs& needs);

  const Mechanism& mech() const { return refresher.built().mechanism; }

  /// Checks all of `state` in the exposed order, then takes it.
  void set(const State& state);
  void refresh(const Model& model);
  void pass_loads_on();  ///< to the network, if there is one

  /// Kinematics and applied forces at the state. Allocates nothing.
  void place();         ///< positions
  void move();          ///< and velocities
  void apply_forces();  ///< and everything that acts: `acting`

  /// The joint that a degree of freedom belongs to.
  std::string_view joint_of(std::size_t dof) const;

  /// From the tips inward, the first degree of freedom whose d = 1/(Hᵀ·M_A·H) is not finite: it spoiled those before it.
  static std::size_t first_singular(std::span<const double> d) {
    std::size_t dof = d.size();
    while (dof-- > 0) {
      if (!std::isfinite(d[dof])) return dof;
    }
    return d.size() - 1;
  }

  SolverOptions options;
  Needs needs;
  Refresher refresher;
  Parameters<double> par;
  ExteriorPorts exterior_ports;
  ExteriorMap exterior;

  std::vector<double> q, v, vdot, tau;  ///< in the mechanism's order
  std::vector<DofRole> roles;           ///< those that are not exposed are prescribed
  std::vector<double> reflected;        ///< inertia of rotors, zero unless passive
  std::vector<double> slip;             ///< the direction in which each joint slides
  std::vector<Load> loads;
  bool all_free = true, has_reflected = false;

  Velocities<double> kin;
  ActingForces<double> acting;
  std::unique_ptr<Network> network;  ///< when run as one
  Report report;
  Findings findings;  ///< about how it computes, and what it does not

 private:
  void check(const State& state) const;
  void find_network_ports(std::span<const Load> from, std::vector<AppliedForce>& to) const;
  void refuse_what_is_not_computed() const;
  void warn_of_what_is_not_computed();
  void require_regular_joints() const;
  void take_numbers();

  std::vector<double> q_next_;               ///< checked before it becomes q
  std::vector<AppliedForce> network_loads_;  ///< the loads, at the network's ports
};

}  // namespace articula
