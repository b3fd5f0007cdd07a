#pragma once

#include <articula/dynamics/jacobian_frame.h>
#include <articula/solve/solver.h>

namespace articula::solve {

/// The Jacobian of a frame, 6 × nv, angular rows first: V = J·v, expressed in a frame that is always named.
///
///     Jacobian hand(robot, {"hand", "tip"}, JacobianFrame::local_world_aligned);
///     hand.update({.q = q, .v = v});
///     MatrixView J = hand.compute();
class ARTICULA_EXPORT Jacobian final : public Solver {
 public:
  Jacobian(const Model& model, const PortRef& frame, JacobianFrame in, const SolverOptions& options = {});

  MatrixView compute() noexcept;

  /// J̇, at the state's v: A = J·vdot + J̇·v. By the flat recursion, also where J comes from generated code.
  MatrixView compute_rate() noexcept;

  const PortRef& frame_name() const { return name_; }
  JacobianFrame expressed_in() const { return in_; }

 private:
  struct Work;
  Work& work() const;
  void resize() override;

  PortRef name_;
  JacobianFrame in_;
};

}  // namespace articula::solve
