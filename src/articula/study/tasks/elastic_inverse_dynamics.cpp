#include <articula/study/tasks/elastic_inverse_dynamics.h>

#include <algorithm>

#include <articula/base/text.h>
#include <articula/control/motor_torques.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/solve/limit_report.h>
#include <articula/study/internal/attempts.h>
#include <articula/study/internal/joint_signals.h>
#include <articula/study/internal/row_loop.h>
#include <articula/study/internal/system_options.h>
#include <articula/study/internal/variables.h>

namespace articula::study {
namespace {

/// All that rows are computed with.
struct Ready {
  std::vector<NamedTrajectory> trajectories;
  MotionAlong motion;
  std::vector<double> times;
  MotorTorques motors;
  std::vector<Signal> columns = {};
};

/// `q.elbow_drive.motor` and so on. Angles are those of rotors; springs act on joints, which may slide.
void add_motor_signals(const MotorTorques& motors, const Variables& variables, std::vector<Signal>& columns) {
  const auto drives = motors.solver().drives();
  const auto each = [&](JointSignal what, const Dimension& dimension) {
    for (const std::string& motor : motors.solver().motors()) columns.push_back(joint_signal(what, motor, dimension));
  };
  each(JointSignal::q, dimension::angle), each(JointSignal::v, dimension::angular_speed);
  each(JointSignal::tau, dimension::angular_speed);
  for (std::size_t d = 0; d < drives.size(); ++d) {
    const auto joint = std::find_if(variables.v.begin(), variables.v.end(), [&](const NamedCoordinate& v) {
      return v.name == motors.solver().driven_joints()[d];
    });
    Signal spring = joint_signal(JointSignal::tau, drives[d],
                                 joint == variables.v.end() ? dimension::angular_speed : joint->dimension);
    spring.name = concat("spring.", drives[d]);
    columns.push_back(std::move(spring));
  }
}

Ready make_ready(const ElasticInverseDynamicsTask& task, const Setup& setup) {
  Attempts attempts;
  auto trajectories = attempts([&] { return make_trajectories(setup); });
  const bool named = attempts([&] { require_trajectory(setup, task.along); });
  std::optional<Ready> ready;
  if (trajectories && named) {
    attempts([&] {
      const Variables variables = variables_of(setup);
      const NamedTrajectory& trajectory = trajectory_called(*trajectories, task.along);
      std::vector<double> times = all_times(sample_times(task, *trajectory.motion, task.along));
      MotionAlong motion(trajectory, variables, start_state_of(setup, variables, *trajectories, times.front()));
      std::vector<std::string> q_names;
      for (const NamedCoordinate& q : variables.q) q_names.push_back(q.name);
      MotorTorques motors(*setup.model, {.drives = task.drives}, task.along, trajectory.coordinates, *trajectory.motion,
                          q_names, motion.q);
      ready.emplace(Ready{{}, std::move(motion), std::move(times), std::move(motors)});
      ready->columns.push_back({"t", "s"});
      add_q_signals(variables, ready->columns);
      add_dof_signals(JointSignal::v, variables, ready->columns);
      add_motor_signals(ready->motors, variables, ready->columns);
    });
  }
  attempts.finish();
  ready->trajectories = std::move(*trajectories);  // what they point to stays where it is
  return std::move(*ready);
}

}  // namespace

TaskPlan ElasticInverseDynamicsTask::plan(const Setup& setup) const {
  Ready ready = make_ready(*this, setup);
  Findings warnings = ready.motion.warnings();
  const Findings& computed = ready.motors.solver().findings();
  warnings.insert(warnings.end(), computed.begin(), computed.end());
  return {.columns = std::move(ready.columns), .counts = {}, .warnings = std::move(warnings)};
}

TaskOutcome ElasticInverseDynamicsTask::run(const TaskContext& context) const {
  Ready ready = make_ready(*this, context.setup);
  context.sink.columns(ready.columns);
  LimitReport limits(ready.motors.solver(), "t = {} s", "times");
  TaskOutcome outcome = each_row(context, ready.times.size(), [&](std::size_t k, std::vector<double>& row) {
    ready.motion.sample(ready.times[k]);
    const auto& [torque, position, velocity, spring] = ready.motors.at(ready.times[k]);
    limits.look(ready.times[k], velocity, torque);
    row.push_back(ready.times[k]);
    add_all(ready.motion.q, row), add_all(ready.motion.v, row);
    add_all(position, row), add_all(velocity, row), add_all(torque, row), add_all(spring, row);
  });
  tell_all(context, limits.findings());
  return outcome;
}

}  // namespace articula::study
