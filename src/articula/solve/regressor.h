#pragma once

#include <articula/solve/solver.h>

namespace articula::solve {

/// The torques as a linear map of the inertial parameters of all bodies: tau = Y(q, v, vdot)·π.
///
/// Ten columns for each body of the user, in the order of `bodies()`: m, h_x, h_y, h_z, I_xx, I_xy, I_xz, I_yy, I_yz, I_zz
/// about the body's own frame, h = m·c. The internal momentum of gyrostats is not among them. Then a column for the inertia
/// of each rotor, in the order of `rotors()`, where drives are computed (BuildOptions::drives). @pre uniform gravity
class ARTICULA_EXPORT Regressor final : public Solver {
 public:
  explicit Regressor(const Model& model, const SolverOptions& options = {});

  MatrixView compute() noexcept;

  /// The bodies, in order of their columns.
  std::span<const std::string> bodies() const { return bodies_; }

  /// The drives and rotors, in order of their columns, which follow those of bodies.
  std::span<const std::string> rotors() const { return rotors_; }

  /// π of the current model.
  VectorView inertial_parameters() noexcept;

 private:
  struct Work;
  Work& work() const;
  void resize() override;

  std::vector<std::string> bodies_, rotors_;
};

}  // namespace articula::solve
