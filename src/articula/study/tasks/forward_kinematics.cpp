#include <articula/study/tasks/forward_kinematics.h>

#include <articula/base/text.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/study/internal/frame_signals.h>
#include <articula/study/internal/joint_signals.h>
#include <articula/study/internal/row_loop.h>
#include <articula/study/internal/variables.h>

namespace articula {

TaskOutcome ForwardKinematicsTask::run(const TaskContext& context) const {
  if (along.empty() == at.empty()) {
    throw Error("value-missing", {},
                concat(along.empty() ? "neither along nor at is given" : "along and at are both given",
                       ". Give one: along: a trajectory, or at: a list of positions [[q1, q2], ...]."));
  }
  return along.empty() ? run_at(context) : run_along(context);
}

TaskOutcome ForwardKinematicsTask::run_along(const TaskContext& context) const {
  ForwardKinematics places(context.setup.model, {.exterior = {.joints = {}, .frames = frames}});
  const Variables variables = variables_of(places);
  const std::vector<NamedTrajectory> trajectories = make_trajectories(context.setup);
  const NamedTrajectory& trajectory = trajectory_called(trajectories, along);
  MotionAlong motion(trajectory, variables);
  const std::vector<double> t = all_times(sample_times(*this, *trajectory.motion, along));

  std::vector<Signal> columns{{"t", "s"}};
  add_q_signals(variables, columns);
  for (const PortRef& frame : places.frames()) {
    add_pose_signals(frame, columns);
    add_speed_signals(frame, columns);
    add_acceleration_signals(frame, columns);
  }
  context.sink.columns(columns);
  return each_row(context, t.size(), [&](std::size_t k, std::vector<double>& row) {
    motion.sample(t[k]);
    places.update({.q = motion.q, .v = motion.v, .vdot = motion.a});
    row.push_back(t[k]);
    add_all(motion.q, row);
    for (const MovingFrame& frame : places.compute()) {
      add_pose(frame.X_WF, row);
      add_motion(frame.V, row);
      add_motion(frame.A, row);
    }
  });
}

TaskOutcome ForwardKinematicsTask::run_at(const TaskContext& context) const {
  ForwardKinematics places(context.setup.model, {.exterior = {.joints = {}, .frames = frames}});
  std::vector<Signal> columns{{"case", "1"}};
  add_q_signals(variables_of(places), columns);
  for (const PortRef& frame : places.frames()) add_pose_signals(frame, columns);
  for (std::size_t k = 0; k < at.size(); ++k) {
    if (at[k].size() == static_cast<std::size_t>(places.nq())) continue;
    const std::vector<std::string> names(places.q_names().begin(), places.q_names().end());
    throw Error(
        "state-size", {},
        concat("at #", k + 1, " has ", at[k].size(), " numbers. ", names.size(), " are needed: ", list_of(names), "."));
  }
  context.sink.columns(columns);
  return each_row(context, at.size(), [&](std::size_t k, std::vector<double>& row) {
    places.update({.q = at[k]});
    row.push_back(static_cast<double>(k + 1));
    add_all(at[k], row);
    for (const MovingFrame& frame : places.compute()) add_pose(frame.X_WF, row);
  });
}

}  // namespace articula
