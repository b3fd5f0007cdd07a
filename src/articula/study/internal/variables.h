#pragma once

#include <span>
#include <string>
#include <vector>

#include <articula/simulate/system.h>
#include <articula/solve/solver.h>
#include <articula/study/internal/coordinates.h>
#include <articula/study/setup.h>

namespace articula::study {

/// The coordinates of q and v in a model, and the start of q.
struct Variables {
  std::vector<NamedCoordinate> q, v;
  std::vector<double> q_start;

  /// A motor behind a spring: it starts where its joint starts, without torque, unless the study states otherwise.
  struct Motor {
    std::size_t q, v, joint_q, joint_v;
    double gear;
  };
  std::vector<Motor> motors;
};
Variables variables_of(const Solver& solver);
/// @param passive whether drives are computed as the model says
Variables variables_of(const Setup& setup, bool passive = false);
Variables variables_of(const ExposedMechanism& shown);

/// The trajectory of that name. Throws an Error at `where` that lists the choices.
const NamedTrajectory& trajectory_called(std::span<const NamedTrajectory> trajectories, std::string_view name,
                                         const Where& where = {});

/// Throws the same Error for an unknown name, even if trajectories cannot be made.
void require_trajectory(const Setup& setup, std::string_view name);

/// The start of a study; omitted positions are those of the model, omitted velocities are zero.
StartState start_state(const StartText& text, const Variables& variables, std::span<const NamedTrajectory> trajectories,
                       double t);

/// The state y at which a system starts in a study; `start: equilibrium` is the equilibrium near the model's own start.
/// Throws an Error if there is no such state.
std::vector<double> start_of(System& system, const StartText& text, const Variables& variables,
                             std::span<const NamedTrajectory> trajectories, double t);
/// The same for tasks without a system: q, and v if the study states it.
StartState start_state_of(const Setup& setup, const Variables& variables,
                          const std::vector<NamedTrajectory>& trajectories, double t);

/// All variables along a trajectory; those that it does not move are at rest at their start.
class MotionAlong {
 public:
  /// Throws an Error if the trajectory moves a joint that the model does not have.
  MotionAlong(const NamedTrajectory& trajectory, const Variables& variables, const StartState& start);

  /// q, v and vdot at t.
  void sample(double t);

  /// A warning if the start has velocities of joints that do not move.
  const Findings& warnings() const { return warnings_; }

  std::vector<double> q, v, a;

 private:
  const Trajectory& motion_;
  std::vector<std::size_t> q_place_, v_place_;
  std::vector<double> x_;
  Findings warnings_;
};

/// The times of rows: listed, or at equal intervals.
struct SampleTimes {
  std::vector<double> times;
  double begin = 0, every = 0, until = 0;
};
/// The listed ones; else begin + k·every, and until.
std::vector<double> all_times(const SampleTimes& times);

/// The times of a task along a trajectory, which also gives omitted bounds. Throws an Error if neither gives them.
SampleTimes checked_times(const SampleTimes& asked, std::optional<double> begin, std::optional<double> until,
                          const Trajectory& motion, std::string_view name);
template <class Task>
SampleTimes sample_times(const Task& task, const Trajectory& motion, std::string_view name) {
  return checked_times({task.times, 0, task.every, 0}, task.begin, task.until, motion, name);
}

}  // namespace articula::study
