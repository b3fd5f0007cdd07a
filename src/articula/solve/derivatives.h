#pragma once

#include <articula/solve/solver.h>

namespace articula {

/// nv × nv each.
struct StateDerivatives {
  MatrixView dq, dv;
  MatrixView du;  ///< of torques, with respect to vdot: M; of accelerations, with respect to tau: M⁻¹
};

/// How torques change with the state, or accelerations with state and torques: analytic recursions.
///
///     Derivatives of_torques(robot, Derivatives::Of::inverse_dynamics);
///     of_torques.update({.q = q, .v = v, .vdot = vdot});
///     const auto& [dq, dv, du] = of_torques.compute();
///
/// Derivatives with respect to q are along the tangent: column k is the change when joint k moves with unit speed.
/// External forces and loads are constant in the axes they are given in, World's or any frame's; gravity may depend on the
/// place, and with `passive` springs, dampers and drives count. Friction counts as constant while a joint slides.
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

}  // namespace articula
