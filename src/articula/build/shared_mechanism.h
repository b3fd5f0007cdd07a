#pragma once

#include <memory>

#include <articula/base/export.h>
#include <articula/build/build.h>

namespace articula::build {

/// A mechanism that is built once, for all that compute with it, and the numbers of one model for it.
///
///     SharedMechanism arm(robot);
///     InverseDynamics torques(robot, {.mechanism = arm});
///     ForwardKinematics poses(robot, {.mechanism = arm});
///     robot.at<RigidBody>("hand").mass = 0.7;
///     const SharedMechanism heavier = arm.of(robot);  // the same mechanism with other numbers
///
/// Copies share everything. Threads may use one at the same time.
class ARTICULA_EXPORT SharedMechanism {
 public:
  /// Builds. Throws what `build` throws.
  explicit SharedMechanism(const Model& model, const BuildOptions& options = {});

  /// What `build` gave for the first model of this structure; its numbers may be those of another model.
  const Built& built() const;
  const Mechanism& mechanism() const { return built().mechanism; }
  const Parameters<double>& parameters() const { return *parameters_; }

  /// The mechanism of another model. If a model of the same structure was built before, by this one or by what was made
  /// from it, only the numbers are refreshed. The mechanism and its numbers are those of `build`, bit for bit. Throws
  /// what `build` throws.
  SharedMechanism of(const Model& model) const;

  /// As Refresher::refresh.
  void refresh(const Model& changed, Parameters<double>& par) const;

 private:
  struct Structure;
  struct Family;

  std::shared_ptr<Family> family_;
  std::shared_ptr<Structure> structure_;
  std::shared_ptr<const Parameters<double>> parameters_;
};

}  // namespace articula::build
