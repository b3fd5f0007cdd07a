#pragma once

#include <articula/control/inverse_kinematics.h>
#include <articula/control/trajectories/cartesian_line.h>

namespace articula::control {

/// The index of a frame that is written "link6.tool". Throws an Error that lists the choices.
int frame_of(const TrajectoryContext& context, const std::string& text);

/// The joints that a Cartesian trajectory moves: those named, or all that move the frame. Throws for one that does not.
JointTrajectory leading_joints(const TrajectoryContext& context, std::span<const std::string> joints, Moves moves,
                               const std::string& frame, std::span<const int> chain);

/// The start of the model, with the given joints at `near`.
std::vector<double> start_near(const TrajectoryContext& context, const JointTrajectory& moved,
                               std::span<const double> near);

inline std::array<double, 6> weight_of(Leads leads) {
  return leads == Leads::pose ? std::array<double, 6>{1, 1, 1, 1, 1, 1} : position_only;
}

}  // namespace articula::control
