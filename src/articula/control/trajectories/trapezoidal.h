#pragma once

#include <optional>

#include <articula/control/trajectories/context.h>

namespace articula {

/// From point to point as fast as limits of speed and acceleration allow: constant acceleration, constant speed,
/// constant deceleration; without the middle part where the way is short. All joints start and arrive together, on a
/// straight line in joint space; the one that needs the longest sets the pace. It stops at every point.
struct TrapezoidalMotion {
  static constexpr std::string_view name = "trapezoidal";

  std::vector<std::string> joints;
  Moves moves = Moves::turning;
  Rows points;                              ///< two or more rows, of all joints
  std::vector<double> speed, acceleration;  ///< limits, greater than zero
  double begin = 0;                         ///< when it sets off
  double pause = 0;                         ///< how long it rests at points in between
  std::optional<double> duration;           ///< of each way, if longer than needed

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("points", self.points, rate_of(self.moves, 0));
    field("speed", self.speed, rate_of(self.moves, 1));
    field("acceleration", self.acceleration, rate_of(self.moves, 2));
    field("begin", self.begin, dimension::time);
    field("pause", self.pause, dimension::time);
    field("duration", self.duration, dimension::time);
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula
