#pragma once

#include <articula/solve/solver.h>

namespace articula {

/// The accelerations that generalized forces cause.
///
///     ForwardDynamics motion(robot);
///     motion.update({.q = q, .v = v, .tau = tau});
///     VectorView vdot = motion.compute();
///
/// Articulated-body recursion, O(n). Degrees of freedom that are prescribed take their `vdot` from the state and get
/// the forces they need; joints that are not exposed are held. Joints coupled by gears, and reflected inertias, are
/// solved for with the mass matrix.
class ARTICULA_EXPORT ForwardDynamics final : public Solver {
 public:
  explicit ForwardDynamics(const Model& model, const SolverOptions& options = {});

  /// Where a joint turns out to move nothing with inertia, the last good accelerations, and report().ok() is false.
  VectorView compute() noexcept;

  /// All generalized forces, given and found, after `compute`.
  VectorView tau() const;

 private:
  struct Work;
  Work& work() const;
  void resize() override;
};

}  // namespace articula
