#pragma once

#include <optional>

#include <articula/control/trajectories/context.h>

namespace articula::control {

/// The torques that the model requires along another trajectory, as a trajectory: computed at intervals of `every`,
/// with cubic splines in between. A spline ends where the acceleration of the motion jumps.  [EP, section 6]
///
/// For a `torque` block. Joints that the other trajectory does not move are at rest at their start; after its end, all
/// joints are at rest. With `drives`, they are torques of motors (MotorTorques), and the other trajectory has to be smooth.
struct TorquesAlong {
  static constexpr std::string_view name = "torques_along";
  static constexpr std::string_view about =
      "torques that the model requires along another trajectory, with cubic splines between points; for a `torque` "
      "block";
  static constexpr std::string_view smooth = "0 where the acceleration jumps, else 2";
  static constexpr std::array<std::string_view, 1> required{"along"};

  std::string along;
  double every = 0.01;
  std::optional<double> until;
  bool passive = true;
  std::optional<Drives> drives;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("along", self.along, dimension::none, "an earlier trajectory of the study", "required");
    field("every", self.every, dimension::time, "largest time between points");
    field("until", self.until, dimension::time, "end time, required if the trajectory does not end",
          "end of the trajectory");
    field("passive", self.passive, dimension::none,
          "whether the torques include those needed for springs, dampers, friction and rotors");
    field(
        "drives", self.drives, dimension::none,
        "`elastic` or `rigid`: the torques of motors, along `<drive>.motor` behind a spring, with springs as the model "
        "says, or taken as rigid",
        "torques along joints");
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula::control
