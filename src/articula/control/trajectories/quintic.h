#pragma once

#include <articula/control/trajectories/context.h>

namespace articula::control {

/// Quintic segments between points, with given speed and acceleration at each point: zero by default, so that it stops
/// at each point. From rest to rest, with u = t/T, a segment is 10u³ − 15u⁴ + 6u⁵.
struct QuinticMotion {
  static constexpr std::string_view name = "quintic";
  static constexpr std::string_view about = "quintic segments with given speed and acceleration at each point";
  static constexpr std::string_view smooth = "2";

  std::vector<std::string> joints;
  Moves moves = Moves::turning;
  std::vector<double> times;
  Rows points;
  Rows speeds, accelerations;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("times", self.times, dimension::time, "times of the points", "required");
    field("points", self.points, rate_of(self.moves, 0), "one row for each time, with one number for each joint",
          "required");
    field("speeds", self.speeds, rate_of(self.moves, 1), "speeds at the points, one row for each time", "zero");
    field("accelerations", self.accelerations, rate_of(self.moves, 2),
          "accelerations at the points, one row for each time", "zero");
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula::control
