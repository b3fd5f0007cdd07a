#include <articula/study/tasks/forward_kinematics.h>

#include <articula/base/text.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/study/internal/attempts.h>
#include <articula/study/internal/frame_signals.h>
#include <articula/study/internal/joint_signals.h>
#include <articula/study/internal/row_loop.h>
#include <articula/study/internal/variables.h>

namespace articula::study {
namespace {

/// All that rows are computed with.
struct Ready {
  ForwardKinematics places;
  std::vector<NamedTrajectory> trajectories = {};
  std::optional<MotionAlong> motion = {};
  std::vector<double> times = {};
  std::vector<Signal> columns = {};
};

ForwardKinematics make_places(const ForwardKinematicsTask& task, const Setup& setup) {
  return ForwardKinematics(*setup.model,
                           {.exterior = {.joints = {}, .frames = task.frames}, .mechanism = setup.model.mechanism()});
}

Ready ready_along(const ForwardKinematicsTask& task, const Setup& setup) {
  Attempts attempts;
  auto places = attempts([&] { return make_places(task, setup); });
  auto trajectories = attempts([&] { return make_trajectories(setup); });
  attempts([&] { require_trajectory(setup, task.along); });
  attempts.finish();
  Ready ready{std::move(*places), std::move(*trajectories)};
  const Variables variables = variables_of(ready.places);
  const NamedTrajectory& trajectory = trajectory_called(ready.trajectories, task.along);
  ready.times = all_times(sample_times(task, *trajectory.motion, task.along));
  ready.motion.emplace(trajectory, variables,
                       start_state_of(setup, variables, ready.trajectories, ready.times.front()));
  ready.columns.push_back({"t", "s"});
  add_q_signals(variables, ready.columns);
  for (const PortRef& frame : ready.places.frames()) {
    add_pose_signals(frame, ready.columns);
    add_speed_signals(frame, ready.columns);
    add_acceleration_signals(frame, ready.columns);
  }
  return ready;
}

Ready ready_at(const ForwardKinematicsTask& task, const Setup& setup) {
  Ready ready{make_places(task, setup)};
  ready.columns.push_back({"case", "1"});
  add_q_signals(variables_of(ready.places), ready.columns);
  for (const PortRef& frame : ready.places.frames()) add_pose_signals(frame, ready.columns);
  for (std::size_t k = 0; k < task.at.size(); ++k) {
    if (task.at[k].size() == static_cast<std::size_t>(ready.places.nq())) continue;
    const std::vector<std::string> names(ready.places.q_names().begin(), ready.places.q_names().end());
    throw Error("state-size", {},
                concat("at #", k + 1, " has ", task.at[k].size(), " numbers. ", names.size(),
                       " are needed: ", list_of(names), "."));
  }
  return ready;
}

Ready make_ready(const ForwardKinematicsTask& task, const Setup& setup) {
  if (task.along.empty() == task.at.empty()) {
    throw Error("value-missing", {},
                concat(task.along.empty() ? "neither along nor at is given" : "along and at are both given",
                       ". Give one: along: a trajectory, or at: a list of positions [[q1, q2], ...]."));
  }
  return task.along.empty() ? ready_at(task, setup) : ready_along(task, setup);
}

}  // namespace

TaskPlan ForwardKinematicsTask::plan(const Setup& setup) const {
  Ready ready = make_ready(*this, setup);
  return {.columns = std::move(ready.columns),
          .counts = {},
          .warnings = ready.motion ? ready.motion->warnings() : Findings{}};
}

TaskOutcome ForwardKinematicsTask::run(const TaskContext& context) const {
  Ready ready = make_ready(*this, context.setup);
  context.sink.columns(ready.columns);
  if (!ready.motion) {
    return each_row(context, at.size(), [&](std::size_t k, std::vector<double>& row) {
      ready.places.update({.q = at[k]});
      row.push_back(static_cast<double>(k + 1));
      add_all(at[k], row);
      for (const MovingFrame& frame : ready.places.compute()) add_pose(frame.X_WF, row);
    });
  }
  MotionAlong& motion = *ready.motion;
  return each_row(context, ready.times.size(), [&](std::size_t k, std::vector<double>& row) {
    motion.sample(ready.times[k]);
    ready.places.update({.q = motion.q, .v = motion.v, .vdot = motion.a});
    row.push_back(ready.times[k]);
    add_all(motion.q, row);
    for (const MovingFrame& frame : ready.places.compute()) {
      add_pose(frame.X_WF, row);
      add_motion(frame.V, row);
      add_motion(frame.A, row);
    }
  });
}

}  // namespace articula::study
