#pragma once

#include <articula/solve/solver.h>

namespace articula::solve {

/// Pose, velocity and acceleration of a frame F in World.
struct MovingFrame {
  Pose<double> X_WF;
  Motion<double> V;  ///< at F's origin, in World's axes: angular, linear
  Motion<double> A;  ///< its rate; the linear part is the acceleration of F's origin
};

/// Poses, velocities and accelerations of the exterior frames, in their order; of the frames of all bodies if there are
/// none.
///
///     ForwardKinematics hand(robot, {.exterior = {.frames = {{"hand", "tip"}}}});
///     hand.update({.q = q, .v = v, .vdot = vdot});
///     const Pose<double>& X_WF = hand.compute()[0].X_WF;
class ARTICULA_EXPORT ForwardKinematics final : public Solver {
 public:
  explicit ForwardKinematics(const Model& model, const SolverOptions& options = {});

  std::span<const MovingFrame> compute() noexcept;

  /// The names of the frames, in order.
  std::span<const PortRef> frames() const;

 private:
  struct Work;
  Work& work() const;
  void resize() override;
  std::vector<PortRef> names_;
};

}  // namespace articula::solve
