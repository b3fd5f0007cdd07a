#pragma once

#include <optional>

#include <articula/control/trajectories/context.h>

namespace articula::control {

/// From point to point as fast as limits of speed and acceleration allow: constant acceleration, constant speed,
/// constant deceleration; without the middle part if the distance is short. All joints start and arrive together, on a
/// straight line in joint space; the slowest joint determines the duration. It stops at each point.
struct TrapezoidalMotion {
  static constexpr std::string_view name = "trapezoidal";
  static constexpr std::string_view about =
      "from point to point as fast as limits of speed and acceleration allow, all joints together; stops at every "
      "point";
  static constexpr std::string_view smooth = "1";

  std::vector<std::string> joints;
  Moves moves = Moves::turning;
  Rows points;
  std::vector<double> speed, acceleration;
  double begin = 0;
  double pause = 0;
  std::optional<double> duration;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("points", self.points, rate_of(self.moves, 0), "two or more rows, with one number for each joint",
          "required");
    field("speed", self.speed, rate_of(self.moves, 1), "largest speed of each joint", "required");
    field("acceleration", self.acceleration, rate_of(self.moves, 2), "largest acceleration of each joint", "required");
    field("begin", self.begin, dimension::time, "time at which the motion starts");
    field("pause", self.pause, dimension::time, "time of rest at each point in between");
    field("duration", self.duration, dimension::time, "duration of each segment, if longer than needed",
          "as short as possible");
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula::control
