#pragma once

#include <articula/solve/solver.h>

namespace articula::solve {

/// The mass matrix M(q), symmetric, nv × nv, and its inverse.
///
///     MassMatrix masses(robot);
///     masses.update({.q = q});
///     MatrixView M = masses.compute();
///
/// Composite bodies, O(n·depth); the inverse by articulated bodies, O(n²). With `passive`, reflected inertias are
/// included.
///
/// Run as generated, code is compiled for the matrix, and for the inverse if requested: compilers take much longer for
/// it. Otherwise, and if joints are locked, the inverse is computed by the flat recursion. With joints coupled by
/// gears, or with reflected inertias, it is computed from the factors of the matrix.
class ARTICULA_EXPORT MassMatrix final : public Solver {
 public:
  /// What is compiled when it runs as generated.
  enum class Code { matrix, matrix_and_inverse };

  explicit MassMatrix(const Model& model, const SolverOptions& options = {}, Code code = Code::matrix);

  MatrixView compute() noexcept;

  /// M⁻¹; with prescribed or locked joints, the inverse for the free ones, zero elsewhere. If a joint moves nothing
  /// that has inertia, returns the last valid inverse, and report().ok() is false.
  MatrixView compute_inverse() noexcept;

 private:
  struct Work;
  Work& work() const;
  void resize() override;

  Code code_;
};

}  // namespace articula::solve
