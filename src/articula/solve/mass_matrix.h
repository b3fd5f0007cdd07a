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
///
/// Run as generated, code is compiled for the matrix, and for the inverse if that is wanted: compilers take much longer
/// for it. Without, and where joints are held, the flat recursion gives the inverse. Where joints are coupled by gears, and
/// with reflected inertias, it comes from the matrix by its factors.
class ARTICULA_EXPORT MassMatrix final : public Solver {
 public:
  /// What is compiled when it runs as generated.
  enum class Code { matrix, matrix_and_inverse };

  explicit MassMatrix(const Model& model, const SolverOptions& options = {}, Code code = Code::matrix);

  MatrixView compute() noexcept;

  /// M⁻¹. With prescribed or held joints, that of the free ones, zero elsewhere. Where a joint moves nothing with
  /// inertia, the last good one, and report().ok() is false.
  MatrixView compute_inverse() noexcept;

 private:
  struct Work;
  Work& work() const;
  void resize() override;

  Code code_;
};

}  // namespace articula
