#pragma once

#include <articula/control/trajectories/cartesian_line.h>
#include <articula/control/trajectories/spline.h>

namespace articula {

/// A frame through given poses at given times; in between the joints move on a cubic spline, and the frame on whatever
/// path that gives.  [GNE, section 4] leads a load so through start, middle and end.
///
/// Each configuration is the solution of inverse kinematics nearest to the one before, the first to `near`.
struct CartesianPoints {
  static constexpr std::string_view name = "cartesian_points";

  std::vector<std::string> joints;  ///< none or `all`: all that move the frame
  Moves moves = Moves::mixed;       ///< of `near` only
  std::string frame;                ///< "link6.tool", or a body
  Leads leads = Leads::pose;
  std::vector<double> times;
  Rows positions;  ///< x, y, z for each time
  Rows angles;     ///< roll, pitch, yaw for each time, where the pose is led; none: zero
  SplineEnds ends = SplineEnds::clamped;
  std::vector<double> near;  ///< of each joint; none: where the model starts

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("frame", self.frame, dimension::none);
    field("leads", self.leads, dimension::none);
    field("times", self.times, dimension::time);
    field("positions", self.positions, dimension::length);
    field("angles", self.angles, dimension::angle);
    field("ends", self.ends, dimension::none);
    field("near", self.near, rate_of(self.moves, 0));
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula
