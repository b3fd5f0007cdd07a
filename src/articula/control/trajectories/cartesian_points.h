#pragma once

#include <articula/control/trajectories/cartesian_line.h>
#include <articula/control/trajectories/spline.h>

namespace articula::control {

/// A frame through given poses at given times; in between the joints move on a cubic spline, which determines the path
/// of the frame.  [GNE, section 4] moves a load in this way through start, middle and end.
///
/// Each configuration is the solution of inverse kinematics nearest to the one before, the first to `near`.
struct CartesianPoints {
  static constexpr std::string_view name = "cartesian_points";
  static constexpr std::string_view about =
      "a frame through poses at given times, the joints on a cubic spline between them";
  static constexpr std::string_view smooth = "2 inside";

  std::vector<std::string> joints;
  Moves moves = Moves::mixed;
  std::string frame;
  Leads leads = Leads::pose;
  std::vector<double> times;
  Rows positions;
  Rows angles;
  SplineEnds ends = SplineEnds::clamped;
  std::vector<double> near;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("frame", self.frame, dimension::none, "frame to move, `link6.tool` or a body", "required");
    field("leads", self.leads, dimension::none,
          "`pose`: position and orientation of the frame; `position`: its origin only");
    field("times", self.times, dimension::time, "times of the poses", "required");
    field("positions", self.positions, dimension::length, "one row x, y, z in World for each time", "required");
    field("angles", self.angles, dimension::angle, "one row roll, pitch, yaw for each time", "zero");
    field("ends", self.ends, dimension::none, "ends of the spline, as for `spline`; speeds are zero");
    field("near", self.near, rate_of(self.moves, 0), "positions of the joints near which the first solution is sought",
          "model's start");
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula::control
