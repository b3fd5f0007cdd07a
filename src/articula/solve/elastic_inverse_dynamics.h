#pragma once

#include <memory>
#include <span>
#include <string>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/build/build.h>
#include <articula/model/model.h>
#include <articula/solve/options.h>
#include <articula/solve/views.h>

namespace articula::solve {

/// The torques of motors that drive joints through gears and springs, for a given motion of the joints; exact, with rotors
/// and their gyroscopic effects, by recursion over time derivatives.  [UNI Algorithm 1]
///
///     ElasticInverseDynamics motors(robot);
///     motors.update({q0, q1, q2, ...});                  // q and its time derivatives, motors.order() of them
///     const auto& [torque, position, velocity, spring] = motors.compute();
///
/// The motion must be smooth: torques depend on derivatives of q up to `order()`, which is 2 for rigid drives, 4 for one
/// elastic drive, and grows with the number of elastic drives that act on each other. Drives without a stiffness are rigid.
///
/// Behind a damped spring, the angle of a rotor is not determined by q(t): it is the solution of a differential equation.
/// `update` then takes these angles, `compute` gives their rates.
class ARTICULA_EXPORT ElasticInverseDynamics {
 public:
  /// In the order of `drives()`.
  struct Torques {
    VectorView motor_torque;    ///< of the motor, on the side of the rotor
    VectorView motor_position;  ///< the angle of the rotor
    VectorView motor_velocity;  ///< its rate
    VectorView spring_torque;   ///< on the joint; of a coupled wrist, on its joints, in the order of its rotors
  };

  /// Of the equations of motion  M·q̈ + C + G + S·θ̈ + C_rotor = u,  Sᵀ·q̈ + C_carrier + J·θ̈ + R⁻ᵀ·u = torque.
  /// [UNI (3.15)-(3.18)]
  struct Couplings {
    MatrixView S;          ///< joints × drives
    VectorView C_rotor;    ///< along each joint
    VectorView C_carrier;  ///< of each drive
  };

  /// Springs are as the model says, or, if `options.drives` is `rigid`, taken as rigid. Throws an Error that names the drive or
  /// joint for which torques are not determined.
  explicit ElasticInverseDynamics(const Model& model, const BuildOptions& options = {});
  ~ElasticInverseDynamics();
  ElasticInverseDynamics(ElasticInverseDynamics&&) noexcept;
  ElasticInverseDynamics& operator=(ElasticInverseDynamics&&) noexcept;

  int order() const;                             ///< the highest time derivative of q that torques depend on
  std::span<const std::string> q_names() const;  ///< of the joints
  std::span<const std::string> v_names() const;
  std::span<const std::string> drives() const;  ///< that have torques
  std::span<const std::string> motors() const;  ///< their angles: `elbow_drive.motor`, or of a rotor `wheel.shaft`
  /// Of the torque and the speed of each motor, on its own side of the gear; infinite: none.
  struct MotorLimits {
    double torque = 0, speed = 0;
  };
  std::span<const MotorLimits> motor_limits() const;
  std::span<const int> drive_orders() const;  ///< the highest derivative of each rotor's angle that torques depend on
  /// The coordinate along which each motor acts in forward dynamics with elastic drives, and the factor of its torque there:
  /// `elbow_drive.motor` and 1, or, without a spring, its joint and its gear.
  struct Actuation {
    std::string coordinate;
    double factor = 1;
  };
  std::span<const Actuation> actuation() const;
  std::span<const std::string> driven_joints() const;  ///< the joint that `spring_torque` of each drive acts on
  bool has_damped_springs() const;                     ///< angles of rotors are state
  const Findings& findings() const;                    ///< warnings of what is not computed

  /// q and its time derivatives, at least to `order()`; further ones are ignored. Checked: number, sizes, NaN. Damped springs
  /// are taken as at rest at this instant: they carry their torque by stiffness alone.
  void update(std::span<const VectorView> q_derivatives) { update(q_derivatives, {}); }
  void update(std::initializer_list<VectorView> q_derivatives) {
    update(std::span(q_derivatives.begin(), q_derivatives.size()));
  }
  /// @param motor_position the angles of the rotors, where there are damped springs; those of other rotors do not count
  void update(std::span<const VectorView> q_derivatives, VectorView motor_position);
  /// Parameters of a model of the same structure. The orders may change with them.
  void refresh(const Model& model);
  /// Another structure.
  void reconfigure(const Model& model);

  /// Allocates nothing.
  const Torques& compute() noexcept;
  /// How rotors and joints act on each other, at the state and with the motor velocities of the last `compute`. Allocates
  /// nothing.
  const Couplings& couplings() noexcept;
  const Report& report() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace articula::solve
