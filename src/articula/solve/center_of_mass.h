#pragma once

#include <articula/solve/solver.h>

namespace articula::solve {

/// Properties of a mechanism as a whole, expressed in World's axes.
struct WholeMechanism {
  double mass = 0;
  Vec3<double> center, velocity, acceleration;  ///< of mass; the acceleration at the state's vdot
  SymMat3<double> inertia;                      ///< about the centre of mass, with all joints locked
  Vec3<double> linear_momentum;
  Vec3<double> angular_momentum;  ///< about the centre of mass
  double kinetic_energy = 0;
  double potential_energy = 0;  ///< of gravity: zero at World's origin if uniform, at infinity if central
};

/// Mass, centre of mass, inertia, momentum and energies of the whole mechanism.
class ARTICULA_EXPORT CenterOfMass final : public Solver {
 public:
  explicit CenterOfMass(const Model& model, const SolverOptions& options = {});

  const WholeMechanism& compute() noexcept;

 private:
  struct Work;
  Work& work() const;
  void resize() override;
};

}  // namespace articula::solve
