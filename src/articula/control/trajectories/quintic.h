#pragma once

#include <articula/control/trajectories/context.h>

namespace articula {

/// Quintic pieces from point to point, with given speed and acceleration at each: zero unless said, so that it stops at
/// every point. From rest to rest, with u = t/T, a piece is 10u³ − 15u⁴ + 6u⁵.
struct QuinticMotion {
  static constexpr std::string_view name = "quintic";

  std::vector<std::string> joints;
  Moves moves = Moves::turning;
  std::vector<double> times;
  Rows points;                 ///< one row for each time, of all joints
  Rows speeds, accelerations;  ///< likewise; none: zero

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("times", self.times, dimension::time);
    field("points", self.points, rate_of(self.moves, 0));
    field("speeds", self.speeds, rate_of(self.moves, 1));
    field("accelerations", self.accelerations, rate_of(self.moves, 2));
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula
