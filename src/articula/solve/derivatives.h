#pragma once

#include <articula/solve/solver.h>

namespace articula::solve {

/// nv × nv each.
struct StateDerivatives {
  MatrixView dq, dv;
  MatrixView du;  ///< of torques, with respect to vdot: M; of accelerations, with respect to tau: M⁻¹
};

/// Derivatives of torques with respect to the state, or of accelerations with respect to state and torques, by analytic
/// recursions.
///
///     Derivatives of_torques(robot, Derivatives::Of::inverse_dynamics);
///     of_torques.update({.q = q, .v = v, .vdot = vdot});
///     const auto& [dq, dv, du] = of_torques.compute();
///
/// Derivatives with respect to q are along the tangent: column k is the change when joint k moves with unit speed.
/// External forces and loads are constant in the axes in which they are given, those of World or of any frame. Gravity
/// may depend on position. With `passive`, springs, dampers and drives are included. The friction of a sliding joint is
/// constant.
class ARTICULA_EXPORT Derivatives final : public Solver {
 public:
  enum class Of { inverse_dynamics, forward_dynamics };

  Derivatives(const Model& model, Of of, const SolverOptions& options = {});

  const StateDerivatives& compute() noexcept;

 private:
  struct Work;
  Work& work() const;
  void resize() override;

  Of of_;
};

}  // namespace articula::solve
