#pragma once

#include <memory>
#include <span>
#include <string>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/build/build.h>
#include <articula/model/model.h>
#include <articula/solve/views.h>

namespace articula::solve {

/// The torques of motors that drive joints through springs, for a given motion of the joints; exact, with rotors and their
/// gyroscopic effects, by recursion over time derivatives.  [UNI Algorithm 1]
///
///     ElasticInverseDynamics motors(robot);
///     motors.update({q0, q1, q2, ...});                  // q and its time derivatives, motors.order() of them
///     const auto& [torque, position, spring] = motors.compute();
///
/// The motion must be smooth: torques depend on derivatives of q up to `order()`, which is 2 for rigid drives, 4 for one
/// elastic drive, and grows with the number of elastic drives that act on each other. Drives without a stiffness are rigid.
/// Joints are revolute or prismatic.
class ARTICULA_EXPORT ElasticInverseDynamics {
 public:
  /// In the order of `drives()`.
  struct Torques {
    VectorView motor_torque;    ///< of the motor, on the side of the rotor
    VectorView motor_position;  ///< the angle of the rotor
    VectorView spring_torque;   ///< on the joint
  };

  /// Throws an Error that names the drive or joint for which torques are not determined.
  explicit ElasticInverseDynamics(const Model& model, const BuildOptions& options = {});
  ~ElasticInverseDynamics();
  ElasticInverseDynamics(ElasticInverseDynamics&&) noexcept;
  ElasticInverseDynamics& operator=(ElasticInverseDynamics&&) noexcept;

  int order() const;                             ///< the highest time derivative of q that torques depend on
  std::span<const std::string> q_names() const;  ///< of the joints
  std::span<const std::string> drives() const;   ///< that have torques
  std::span<const int> drive_orders() const;  ///< the highest derivative of each rotor's angle that torques depend on

  /// q and its time derivatives, at least to `order()`; further ones are ignored. Checked: number, sizes, NaN.
  void update(std::span<const VectorView> q_derivatives);
  void update(std::initializer_list<VectorView> q_derivatives) {
    update(std::span(q_derivatives.begin(), q_derivatives.size()));
  }
  /// Parameters of a model of the same structure. The orders may change with them.
  void refresh(const Model& model);
  /// Another structure.
  void reconfigure(const Model& model);

  /// Allocates nothing.
  const Torques& compute() noexcept;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace articula::solve
