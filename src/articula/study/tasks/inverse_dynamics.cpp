#include <articula/study/tasks/inverse_dynamics.h>

#include <articula/base/text.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/solve/inverse_dynamics.h>
#include <articula/solve/limit_report.h>
#include <articula/study/internal/attempts.h>
#include <articula/study/internal/frame_signals.h>
#include <articula/study/internal/joint_signals.h>
#include <articula/study/internal/row_loop.h>
#include <articula/study/internal/system_options.h>
#include <articula/study/internal/variables.h>

namespace articula::study {
namespace {

void add_force_signals(const PortRef& port, std::vector<Signal>& columns) {
  for (const std::string_view part : {"mx", "my", "mz"})
    columns.push_back({concat("cut.", to_text(port), ".", part), "N*m"});
  for (const std::string_view part : {"fx", "fy", "fz"})
    columns.push_back({concat("cut.", to_text(port), ".", part), "N"});
}

/// All that rows are computed with.
struct Ready {
  InverseDynamics torques;
  std::vector<NamedTrajectory> trajectories;
  MotionAlong motion;
  std::vector<double> times;
  std::optional<ForwardKinematics> places;
  std::vector<Signal> columns = {};
};

Ready make_ready(const InverseDynamicsTask& task, const Setup& setup) {
  Attempts attempts;
  auto torques = attempts([&] {
    return InverseDynamics(
        *setup.model,
        {.passive = task.passive, .mechanism = setup.model.mechanism(task.passive ? Drives::rigid : Drives::locked)});
  });
  auto trajectories = attempts([&] { return make_trajectories(setup); });
  const bool named = attempts([&] { require_trajectory(setup, task.along); });
  for (const PortRef& port : task.cut_forces) attempts([&] { torques ? torques->frame(port) : 0; });
  std::optional<ForwardKinematics> places;
  if (!task.frames.empty() && torques) {
    places = attempts([&] {
      return ForwardKinematics(
          *setup.model, {.exterior = {.joints = {}, .frames = task.frames}, .mechanism = setup.model.mechanism()});
    });
  }
  std::vector<double> times;
  std::optional<MotionAlong> motion;
  Variables variables;
  if (torques && trajectories && named) {
    attempts([&] {
      variables = variables_of(*torques);
      const NamedTrajectory& trajectory = trajectory_called(*trajectories, task.along);
      times = all_times(sample_times(task, *trajectory.motion, task.along));
      motion.emplace(trajectory, variables, start_state_of(setup, variables, *trajectories, times.front()));
    });
  }
  attempts.finish();
  Ready ready{std::move(*torques), std::move(*trajectories), std::move(*motion), std::move(times), std::move(places)};
  ready.columns.push_back({"t", "s"});
  add_q_signals(variables, ready.columns);
  for (const JointSignal what : {JointSignal::v, JointSignal::a, JointSignal::tau})
    add_dof_signals(what, variables, ready.columns);
  for (const PortRef& port : task.cut_forces) add_force_signals(port, ready.columns);
  for (const PortRef& frame : task.frames) add_pose_signals(frame, ready.columns);
  return ready;
}

}  // namespace

TaskPlan InverseDynamicsTask::plan(const Setup& setup) const {
  Ready ready = make_ready(*this, setup);
  Findings warnings = ready.motion.warnings();
  const Findings& computed = ready.torques.findings();
  warnings.insert(warnings.end(), computed.begin(), computed.end());
  return {.columns = std::move(ready.columns), .counts = {}, .warnings = std::move(warnings)};
}

TaskOutcome InverseDynamicsTask::run(const TaskContext& context) const {
  Ready ready = make_ready(*this, context.setup);
  context.sink.columns(ready.columns);
  LimitReport limits(ready.torques, "t = {} s", "times");
  TaskOutcome outcome = each_row(context, ready.times.size(), [&](std::size_t k, std::vector<double>& row) {
    ready.motion.sample(ready.times[k]);
    ready.torques.update({.q = ready.motion.q, .v = ready.motion.v, .vdot = ready.motion.a});
    const VectorView tau = ready.torques.compute();
    limits.look(ready.times[k], ready.motion.v, tau);
    row.push_back(ready.times[k]);
    add_all(ready.motion.q, row), add_all(ready.motion.v, row), add_all(ready.motion.a, row), add_all(tau, row);
    for (const PortRef& port : cut_forces) {
      const auto [n, f] = ready.torques.cut_force(port);
      row.insert(row.end(), {n.x, n.y, n.z, f.x, f.y, f.z});
    }
    if (ready.places) {
      ready.places->update({.q = ready.motion.q});
      for (const MovingFrame& frame : ready.places->compute()) add_pose(frame.X_WF, row);
    }
  });
  tell_all(context, limits.findings());
  return outcome;
}

}  // namespace articula::study
