#pragma once

#include <articula/closure/dynamics.h>
#include <articula/solve/internal/exposed_mechanism.h>
#include <articula/solve/internal/network_run.h>
#include <articula/solve/solver.h>

namespace articula::solve {

/// The implementation that all solvers share: the mechanism with its dynamics, the state in the mechanism's own order,
/// and the loads on its bodies.
struct Solver::Core {
  Core(std::string_view who, Algorithm algorithm, const Model& model, const SolverOptions& options);

  const Mechanism& mech() const { return exposed.mech(); }
  const Parameters<double>& par() const { return exposed.par(); }
  const ExteriorMap& map() const { return exposed.map(); }

  /// Checks all of `state`, which is in the exposed order, then stores it.
  void set(const State& state);
  void refresh(const Model& model);
  void pass_loads_on();  ///< to the network, if there is one

  /// Kinematics and forces at the state. Allocates nothing.
  void place() { dynamics.place(par(), q); }
  void move() { dynamics.move(par(), q, v); }
  void act() { dynamics.act(par(), q, v, acting()); }
  /// Forces other than generalized forces, for `dynamics`.
  ActingOptions<double> acting();

  SolverOptions options;
  std::string_view who;  ///< the solver, for messages
  Algorithm algorithm;
  ExposedMechanism exposed;
  Dynamics<double> dynamics;
  std::vector<double> q, v, vdot, tau;  ///< in the mechanism's order
  std::vector<double> slip;             ///< the direction in which each joint slides
  std::vector<Load> loads;
  std::unique_ptr<NetworkRun> network;  ///< if the solver runs as a network
  Report report;
  Findings findings;  ///< how it computes, and what it does not compute

 private:
  void check(const State& state) const;
  void make_network(const Model& model);
  void find_network_ports(std::span<const Load> from, std::vector<network::AppliedForce>& to) const;
  void warn_of_what_is_not_computed();

  std::vector<double> q_next_;                        ///< checked before it becomes q
  std::vector<network::AppliedForce> network_loads_;  ///< the loads, at the network's ports
};

}  // namespace articula::solve
