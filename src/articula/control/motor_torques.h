#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/control/trajectory.h>
#include <articula/solve/elastic_inverse_dynamics.h>

namespace articula::control {

/// The torques of motors along a trajectory, see ElasticInverseDynamics. Behind damped springs, the angles of rotors are
/// integrated along the trajectory, from springs that do not move at its begin.
class ARTICULA_EXPORT MotorTorques {
 public:
  /// @param joints that the trajectory moves; the others rest at `q_rest`, by their names in `q_names`
  ///
  /// Throws an Error where ElasticInverseDynamics does, where the trajectory is not smooth enough for it, or moves joints whose
  /// coordinates are quaternions.
  MotorTorques(const Model& model, const BuildOptions& options, std::string_view trajectory,
               std::span<const std::string> joints, const Trajectory& motion, std::span<const std::string> q_names,
               std::span<const double> q_rest);
  ~MotorTorques();
  MotorTorques(MotorTorques&&) noexcept;
  MotorTorques& operator=(MotorTorques&&) noexcept;

  const ElasticInverseDynamics& solver() const;
  /// At time t. Throws an Error if the angles of rotors cannot be integrated to t. Fast where t ascends.
  const ElasticInverseDynamics::Torques& at(double t);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace articula::control
