#include <articula/control/trajectories/cartesian_points.h>

#include <articula/base/text.h>
#include <articula/control/internal/led_frame.h>
#include <articula/spatial/orientation.h>

namespace articula::control {

namespace {

/// Three finite numbers of a row.
Vec3<double> three(const TrajectoryContext& context, std::string_view what, const Rows& rows, std::size_t k) {
  if (rows[k].size() != 3) {
    refuse(context, "trajectory-count", concat(what, "[", k, "] has ", rows[k].size(), " numbers. It needs three."));
  }
  return {rows[k][0], rows[k][1], rows[k][2]};
}

}  // namespace

JointTrajectory CartesianPoints::make(const TrajectoryContext& context) const {
  check_times(context, times, positions.size());
  if (!angles.empty() && angles.size() != times.size()) {
    refuse(
        context, "trajectory-count",
        concat("angles has ", angles.size(), " rows for ", times.size(), " points. It needs one for each, or none."));
  }
  InverseKinematics hand(context.mechanism, context.parameters, frame_of(context, frame), {.weight = weight_of(leads)});
  const JointTrajectory moved = leading_joints(context, joints, moves, frame, hand.dofs());
  if (moved.dofs.size() != hand.dofs().size()) {
    refuse(context, "trajectory-joint",
           concat(hand.dofs().size(), " joints move the frame ", quoted(frame), ", but ", moved.dofs.size(),
                  " are named. Name all of them, or none."));
  }
  std::vector<double> q = start_near(context, moved, near);
  SplineMotion spline{.joints = moved.joints, .moves = Moves::mixed, .times = times, .ends = ends};
  for (std::size_t k = 0; k < times.size(); ++k) {
    const Vec3<double> p = three(context, "positions", positions, k),
                       rpy = angles.empty() ? Vec3<double>::zero() : three(context, "angles", angles, k);
    const InverseKinematicsReport report = hand.solve_nearest({rotation_from_rpy(rpy), p}, std::vector<double>(q), q);
    if (!report.ok()) {
      refuse(context, "line-unreachable",
             concat("point ", k, ", at (", p.x, ", ", p.y, ", ", p.z, "): ", to_text(report)));
    }
    spline.points.emplace_back();
    for (const int dof : moved.dofs)
      spline.points.back().push_back(q[static_cast<std::size_t>(position_of(context.mechanism, dof))]);
  }
  return spline.make(context);
}

}  // namespace articula::control
