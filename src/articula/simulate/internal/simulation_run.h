#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <articula/integrate/problem_stepper.h>
#include <articula/simulate/internal/checkpoint.h>
#include <articula/simulate/internal/limit_watch.h>
#include <articula/simulate/internal/pace.h>
#include <articula/simulate/internal/signal_reader.h>
#include <articula/simulate/simulation.h>

namespace articula::simulate {

/// How far ahead known jumps are listed at first: to the end, or, of a run without one, for 2048 s.
inline double first_horizon(const SimulationOptions& options) {
  return std::isfinite(options.until) ? options.until : options.begin + 2048;
}

/// A run in progress: a ProblemStepper that goes from jump to jump, with rows, limits and checkpoints.
///
/// A *segment* is the time to the next stop: a known jump, a sample, a checkpoint, the end of the run. The integrator ends
/// a step exactly at a stop, and everything that jumps there does so before `advance` returns.
class Simulation::Run {
 public:
  Run(Simulation& owner, RowSink* sink);

  void begin(std::span<const double> y);
  void resume(const RunCheckpoint& from);

  /// To `target`, or to what ends it earlier. @pre t() ≤ target ≤ until
  RunEnd advance(double target);

  double t() const { return stepper_.t(); }
  std::span<const double> state();
  std::span<const double> signals();
  /// Forces of the system have been set at t(); whether one has changed.
  void note_forces(bool changed);
  std::vector<std::byte> save();
  Outcome outcome();
  void leave_sink() { sink_ = nullptr; }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  using Slope = SignalReader::Slope;

  // Time.
  double output_time(std::int64_t k) const { return grid(k, options_.output_every); }
  double checkpoint_time(std::int64_t k) const { return grid(k, options_.checkpoint_every); }
  double grid(std::int64_t k, double every) const;
  double next_break();
  double last_stop() const;
  void begin_segment();
  bool go_on(double target, bool ends_step);
  bool end_segment();

  // Steps.
  bool take_step(double stop);
  bool meet_event();
  bool end_step();
  bool keeps_pace();
  bool watch_limits(double t);
  bool passes(const std::optional<LimitWatch::Passing>& passing);
  void watch_integrator();
  void warn(Severity severity, const char* code, std::string message);
  void apply_forces();

  // Ends.
  bool fail(StepStatus status);
  bool diverge(const std::string& what);
  void give_last_row();

  // Rows.
  void give_rows_before(double t);
  void give_rows_at_stop();
  void give_row(double t, std::span<const double> y, double called, Slope slope);
  double tolerance() const;
  Slope slope() const { return stepper_.restarts() ? Slope::of_state : Slope::of_step; }

  std::span<const double> present();
  std::vector<std::byte> checkpoint();
  void tell_progress();
  IntegratorCounts counts() const;

  Simulation& owner_;
  System& system_;
  const SimulationOptions& options_;
  RowSink* sink_;
  ProblemStepper stepper_;
  SignalReader reader_;
  std::vector<double> y_row_, row_, y_shown_;
  std::optional<LimitWatch> limits_;
  std::vector<double> breaks_;
  double breaks_until_;  ///< those until then are known

  // The segment.
  bool in_segment_ = false;
  double stop_ = 0, t_break_ = 0, t_sample_ = 0, t_check_ = 0;

  // Forces from outside.
  bool forces_were_set_ = false;  ///< since the last `advance`: the next ends a step at its time
  bool forces_changed_ = false;   ///< and the modes do not follow from them yet
  bool look_at_limits_ = false;   ///< something has jumped, and limits were not looked at since

  std::span<const double> values_;  ///< of all signals at t(); empty: not computed
  double last_row_ = -infinity;
  std::int64_t next_output_ = 0, next_checkpoint_ = 0, rows_ = 0;
  long events_met_ = 0;
  int last_event_ = 0;  ///< its function
  Pace pace_;
  double advanced_from_ = 0;
  IntegratorCounts before_;
  RunEnd end_ = RunEnd::done;
  std::string what_;
  Findings findings_;
  bool stiffness_told_ = false, stability_told_ = false;
  std::chrono::steady_clock::time_point began_, told_{};
  double told_t_ = -infinity;
};

}  // namespace articula::simulate
