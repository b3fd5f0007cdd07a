#pragma once

#include <articula/solve/solver.h>

namespace articula::solve {

/// The generalized forces that a prescribed motion requires.
///
///     InverseDynamics torques(robot);
///     torques.update({.q = q, .v = v, .vdot = vdot});
///     VectorView tau = torques.compute();
///
/// Recursive Newton-Euler, O(n). Forces applied by `loads` and by the model's external forces are taken into account;
/// with `passive`, so are springs, dampers, friction and reflected inertias.
class ARTICULA_EXPORT InverseDynamics final : public Solver {
 public:
  explicit InverseDynamics(const Model& model, const SolverOptions& options = {});

  VectorView compute() noexcept;

  /// The force that passes through a port, also inside merged bodies, after `compute`: exerted through that port on the
  /// body that owns it, moment about the port's origin and force, in the port's frame. Throws if the port is on a cycle
  /// of rigid connections, where statics does not determine the force.
  Force<double> cut_force(const PortRef& port);

 private:
  struct Work;
  Work& work() const;
  void resize() override;
};

}  // namespace articula::solve
