#pragma once

#include <span>
#include <string>
#include <vector>

#include <articula/simulate/system.h>
#include <articula/solve/solver.h>
#include <articula/study/internal/coordinates.h>
#include <articula/study/setup.h>

namespace articula {

/// What q and v are made of in a model, and where q starts.
struct Variables {
  std::vector<NamedCoordinate> q, v;
  std::vector<double> q_start;
};
Variables variables_of(const Solver& solver);
Variables variables_of(const Model& model);
Variables variables_of(const ExposedMechanism& shown);

/// The trajectory of that name. Throws an Error at `where` that names the choices.
const NamedTrajectory& trajectory_called(std::span<const NamedTrajectory> trajectories, std::string_view name,
                                         const Where& where = {});

/// Throws the same for a name that the study does not have, whether or not its trajectories can be made.
void require_trajectory(const Setup& setup, std::string_view name);

/// The state that a study starts in: what it does not say the model does, and velocities are then zero.
StartState start_state(const StartText& text, const Variables& variables, std::span<const NamedTrajectory> trajectories,
                       double t);

/// The state y in which a system starts as the study says: `start: equilibrium` is where it rests, near the model's own
/// start. Throws an Error where there is no such state.
std::vector<double> start_of(System& system, const StartText& text, const Variables& variables,
                             std::span<const NamedTrajectory> trajectories, double t);
/// The same for tasks without a system: q, and v where the study says it.
StartState start_state_of(const Setup& setup, const Variables& variables,
                          const std::vector<NamedTrajectory>& trajectories, double t);

/// All variables as a trajectory moves them; those that it does not move stay where they start, at rest.
class MotionAlong {
 public:
  /// Throws an Error where the trajectory moves something that the model does not have.
  MotionAlong(const NamedTrajectory& trajectory, const Variables& variables, const StartState& start);

  /// q, v and vdot at t.
  void sample(double t);

  /// That the start has speeds along which nothing moves.
  const Findings& warnings() const { return warnings_; }

  std::vector<double> q, v, a;

 private:
  const Trajectory& motion_;
  std::vector<std::size_t> q_place_, v_place_;
  std::vector<double> x_;
  Findings warnings_;
};

/// When rows are made: at listed times, or every so often.
struct SampleTimes {
  std::vector<double> times;
  double begin = 0, every = 0, until = 0;
};
/// The listed ones; else begin + k·every, and until.
std::vector<double> all_times(const SampleTimes& times);

/// Those of a task along a trajectory: what it does not say the trajectory does. Throws an Error where neither says.
SampleTimes checked_times(const SampleTimes& asked, std::optional<double> begin, std::optional<double> until,
                          const Trajectory& motion, std::string_view name);
template <class Task>
SampleTimes sample_times(const Task& task, const Trajectory& motion, std::string_view name) {
  return checked_times({task.times, 0, task.every, 0}, task.begin, task.until, motion, name);
}

}  // namespace articula
