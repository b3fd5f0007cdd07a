#pragma once

#include <articula/control/trajectories/context.h>
#include <articula/control/trajectories/spline.h>

namespace articula {

/// Through poses of a frame without stopping: inverse kinematics at each of them, from one to the next, and cubic
/// splines of the joints in between.  [GNE, section 3: start, middle and end]
struct SplineThroughPoses {
  static constexpr std::string_view name = "spline_through_poses";
  static constexpr std::array<std::string_view, 3> required{"frame", "times", "poses"};

  std::string frame;  ///< "load.center", or a body
  std::vector<double> times;
  std::vector<Pose<double>> poses;  ///< of the frame in World, one for each time
  Moves moves = Moves::turning;     ///< what the joints do, for `near`
  std::vector<double> near;         ///< of each joint that moves the frame; none: where the model starts
  SplineEnds ends = SplineEnds::clamped;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("frame", self.frame, dimension::none);
    field("times", self.times, dimension::time);
    field("poses", self.poses, dimension::none);
    field("moves", self.moves, dimension::none);
    field("near", self.near, rate_of(self.moves, 0));
    field("ends", self.ends, dimension::none);
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula
