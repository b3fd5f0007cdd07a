#include <articula/study/tasks/inverse_dynamics.h>

#include <articula/base/text.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/solve/inverse_dynamics.h>
#include <articula/study/internal/frame_signals.h>
#include <articula/study/internal/joint_signals.h>
#include <articula/study/internal/row_loop.h>
#include <articula/study/internal/variables.h>

namespace articula {

static void add_force_signals(const PortRef& port, std::vector<Signal>& columns) {
  for (const std::string_view part : {"mx", "my", "mz"})
    columns.push_back({concat("cut.", to_text(port), ".", part), "N*m"});
  for (const std::string_view part : {"fx", "fy", "fz"})
    columns.push_back({concat("cut.", to_text(port), ".", part), "N"});
}

TaskOutcome InverseDynamicsTask::run(const TaskContext& context) const {
  const Model& model = context.setup.model;
  InverseDynamics torques(model, {.passive = passive});
  const Variables variables = variables_of(torques);
  const std::vector<NamedTrajectory> trajectories = make_trajectories(context.setup);
  const NamedTrajectory& trajectory = trajectory_called(trajectories, along);
  MotionAlong motion(trajectory, variables);
  const std::vector<double> t = all_times(sample_times(*this, *trajectory.motion, along));

  std::vector<Signal> columns{{"t", "s"}};
  add_q_signals(variables, columns);
  add_v_signals(variables, columns);
  add_a_signals(variables, columns);
  add_tau_signals(variables, columns);
  for (const PortRef& port : cut_forces) add_force_signals(port, columns);
  for (const PortRef& frame : frames) add_pose_signals(frame, columns);
  std::optional<ForwardKinematics> places;
  if (!frames.empty()) places.emplace(model, SolverOptions{.exterior = {.joints = {}, .frames = frames}});
  context.sink.columns(columns);

  return each_row(context, t.size(), [&](std::size_t k, std::vector<double>& row) {
    motion.sample(t[k]);
    torques.update({.q = motion.q, .v = motion.v, .vdot = motion.a});
    const VectorView tau = torques.compute();
    row.push_back(t[k]);
    add_all(motion.q, row), add_all(motion.v, row), add_all(motion.a, row), add_all(tau, row);
    for (const PortRef& port : cut_forces) {
      const auto [n, f] = torques.cut_force(port);
      row.insert(row.end(), {n.x, n.y, n.z, f.x, f.y, f.z});
    }
    if (places) {
      places->update({.q = motion.q});
      for (const MovingFrame& frame : places->compute()) add_pose(frame.X_WF, row);
    }
  });
}

}  // namespace articula
