#pragma once

#include <articula/solve/solver.h>

namespace articula {

/// The mass matrix M(q), symmetric, nv × nv, and its inverse.
///
///     MassMatrix masses(robot);
///     masses.update({.q = q});
///     MatrixView M = masses.compute();
///
/// Composite bodies, O(n·depth); the inverse by articulated bodies, O(n²). With `passive`, reflected inertias count.
class ARTICULA_EXPORT MassMatrix final : public Solver {
 public:
  explicit MassMatrix(const Model& model, const SolverOptions& options = {});

  MatrixView compute() noexcept;

  /// M⁻¹. With prescribed or held joints, that of the free ones, zero elsewhere. Where a joint moves nothing with
  /// inertia, the last good one, and report().ok() is false.
  MatrixView compute_inverse() noexcept;

 private:
  struct Work;
  Work& work() const;
  void resize() override;
};

}  // namespace articula
