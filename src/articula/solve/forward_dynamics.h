#pragma once

#include <articula/solve/solver.h>

namespace articula::solve {

/// The accelerations that generalized forces cause.
///
///     ForwardDynamics motion(robot);
///     motion.update({.q = q, .v = v, .tau = tau});
///     VectorView vdot = motion.compute();
///
/// Articulated-body recursion, O(n). Prescribed degrees of freedom take their `vdot` from the state, and the forces
/// that they require are computed; joints that are not exposed are locked. Joints coupled by gears, and reflected
/// inertias, are solved for with the mass matrix.
class ARTICULA_EXPORT ForwardDynamics final : public Solver {
 public:
  explicit ForwardDynamics(const Model& model, const SolverOptions& options = {});

  /// If a joint moves nothing that has inertia, returns the last valid accelerations, and report().ok() is false.
  VectorView compute() noexcept;

  /// All generalized forces, given and computed, after `compute`.
  VectorView tau() const;

 private:
  struct Work;
  Work& work() const;
  void resize() override;
};

}  // namespace articula::solve
