#pragma once

#include <articula/solve/solver.h>

namespace articula::solve {

struct MotionMatrices {
  MatrixView D;  ///< mass matrix
  MatrixView C;  ///< Coriolis and centrifugal
  VectorView G;  ///< gravity torques: the joint torques that balance gravity
  VectorView Q;  ///< the joint torques that balance applied forces
};

/// The equations of motion as matrices: D(q)·vdot + C(q, v)·v + G(q) = tau, with Ḋ − 2C skew-symmetric.
///
/// [LWR (23)–(27)]; O(n·depth). @pre uniform gravity
class ARTICULA_EXPORT EquationsOfMotion final : public Solver {
 public:
  explicit EquationsOfMotion(const Model& model, const SolverOptions& options = {});

  const MotionMatrices& compute() noexcept;

 private:
  struct Work;
  Work& work() const;
  void resize() override;
};

}  // namespace articula::solve
