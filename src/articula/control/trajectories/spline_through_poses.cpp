#include <articula/control/trajectories/spline_through_poses.h>

#include <articula/base/text.h>
#include <articula/control/inverse_kinematics.h>

namespace articula {

JointTrajectory SplineThroughPoses::make(const TrajectoryContext& context) const {
  check_times(context, times, poses.size());
  InverseKinematics hand(context.mechanism, context.parameters, frame_of(context, frame));
  SplineMotion spline;
  for (const int dof : hand.dofs()) spline.joints.push_back(context.mechanism.layout.v[static_cast<std::size_t>(dof)]);
  spline.moves = moves;
  spline.times = times;
  spline.ends = ends;

  const JointTrajectory moved = moved_joints(context, spline.joints, moves);
  const auto place = [&](std::size_t k) {
    return static_cast<std::size_t>(position_of(context.mechanism, moved.dofs[k]));
  };
  std::vector<double> q = context.parameters.q_start, found(q.size());
  if (!near.empty()) {
    const auto given = for_each_joint(context, moved, "near", near);
    for (std::size_t k = 0; k < given.size(); ++k) q[place(k)] = given[k];
  }
  for (std::size_t p = 0; p < poses.size(); ++p) {
    const InverseKinematicsReport report = hand.solve_nearest(poses[p], q, found);
    if (!report.ok())
      refuse(context, "pose-unreachable", concat("pose ", p + 1, " of ", quoted(frame), ": ", to_text(report)));
    q = found;
    std::vector<double> point(moved.dofs.size());
    for (std::size_t k = 0; k < point.size(); ++k) point[k] = q[place(k)];
    spline.points.push_back(std::move(point));
  }
  return spline.make(context);
}

}  // namespace articula
