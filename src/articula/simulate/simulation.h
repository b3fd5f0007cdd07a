#pragma once
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <articula/base/error.h>
#include <articula/dynamics/load.h>
#include <articula/integrate/integrator.h>
#include <articula/simulate/row_sink.h>
#include <articula/simulate/system.h>

namespace articula::simulate {

/// How far a run has come.
struct Progress {
  double t = 0, begin = 0, until = 0;
  long rows = 0;
  IntegratorCounts counts;

  double fraction() const { return until > begin ? (t - begin) / (until - begin) : 1; }
};

/// The action when a joint exceeds a limit of the model: of its position, speed or force.
enum class LimitPolicy {
  warn,    ///< the run continues; Outcome::findings contains the first time for each limit
  stop,    ///< the run ends there
  ignore,  ///< limits are not checked
};
constexpr std::array<std::string_view, 3> enum_names(LimitPolicy) { return {"warn", "stop", "ignore"}; }

struct SimulationOptions {
  IntegratorOptions integrator;
  double begin = 0;
  double until = 1;            ///< infinity: no end, for a simulation that is advanced step by step
  double output_every = 0.01;  ///< rows at begin + k·output_every and at the end; 0: after every step
  /// The integrator restarts at begin + k·checkpoint_every, so that a run which is resumed there continues as if it
  /// had never stopped; 0: nowhere, which takes the fewest steps.
  double checkpoint_every = 0;
  /// At `begin` another run ended: sampled blocks have acted at that time.
  bool continues = false;
  /// The signals of a row, in addition to the time; empty: all signals, see System::signals.
  std::vector<std::string> signals;
  LimitPolicy on_limit = LimitPolicy::warn;
  /// A run that needs more steps, rejected ones included, for a thousandth of its time makes no progress and ends as
  /// `stalled`. An event counts as a hundred steps. If `until` is infinite, the limit applies to each `advance`.
  long most_steps = 1'000'000;

  /// Called after steps, at most some hundred times a run. May be empty.
  std::function<void(const Progress&)> progress;
  /// Set from elsewhere, a signal handler for one, to end the run after the step it is in. May be null.
  const std::atomic<bool>* cancel = nullptr;
};

/// How a run, or an `advance`, ended.
enum class RunEnd {
  done,       ///< at `until`, or at the time that was asked for
  event,      ///< a block ended the run: `what` names it
  cancelled,  ///< and can be resumed from its last checkpoint
  stalled,    ///< the tolerance could not be met, or there was no progress
  no_value,   ///< a value is not finite, e.g. at a singular position
  diverged,   ///< a speed is beyond 1e7 m/s or rad/s
};

struct Outcome {
  RunEnd end = RunEnd::done;
  double t = 0;      ///< the last valid time; the sink has all rows up to it
  std::string what;  ///< a message: what happened and what to do; empty if done
  long rows = 0;     ///< since begin, including resumed parts
  long events = 0;   ///< met by root finding
  IntegratorCounts counts;
  double seconds = 0;                 ///< of wall time, since `run`, `resume`, `start` or `restore`
  std::vector<double> y;              ///< the state at t
  Method method = Method::automatic;  ///< method at the end: with `auto`, rk45 or bdf
  Findings findings;                  ///< exceeded limits with their times, stiffness, too long fixed steps

  bool ok() const { return end == RunEnd::done || end == RunEnd::event; }
};

/// A motion over time: integrates a System, steps onto its break points, meets its events, lets its sampled blocks
/// sample, and gives rows.
///
///     System system(robot, trajectories, std::move(blocks));
///     Simulation simulation(system, {.integrator = {.method = Method::bdf}, .until = 14});
///     const Outcome outcome = simulation.run(system.start({}), sink);
///
/// The same system, start and options give the same rows, bit by bit, whether a run was interrupted and resumed at a
/// checkpoint or not.
///
/// Step by step, with forces that the caller sets:
///
///     simulation.start();
///     while (simulation.t() < 5) {
///       simulation.set_force("elbow", -2 * simulation.v()[1]);
///       if (simulation.advance(simulation.t() + 0.001) != RunEnd::done) break;
///     }
///
/// While no force changes and nothing is saved, the integrator steps as in a run to the end: its steps go beyond the
/// times asked for, and the state between their ends is the dense output. Rows, and the states at known jumps, samples,
/// checkpoints and `until`, are then bit-identical to those of `run`, and the state at a time is that of a row there.
/// After a force was set, the next `advance` ends a step exactly at its time.
///
/// A system belongs to one simulation at a time: modes and forces are part of it.
class ARTICULA_EXPORT Simulation {
 public:
  /// Throws an Error for invalid options. The system must outlive it.
  Simulation(System& system, SimulationOptions options);
  ~Simulation();

  /// The columns of a row; the first is the time.
  std::span<const Signal> columns() const;

  /// From the state y at `begin`, see System::start, to `until`.
  Outcome run(std::span<const double> y, RowSink& sink);

  /// From a checkpoint of a run of the same system with the same options; throws where they are not.
  Outcome resume(std::span<const std::byte> checkpoint, RowSink& sink);

  /// Begins at `begin`, without forces from outside. With a sink, `advance` gives rows and checkpoints to it, until the
  /// next start; it must live as long.
  void start(std::span<const double> y, RowSink* sink = nullptr);
  /// From System::start; `state.t` does not count.
  void start(StartState state = {}, RowSink* sink = nullptr);

  /// Goes on to time t, at most `until`. A time within 1e-9 periods of a sample is the time of the sample, so that
  /// rounding of t does not decide whether the sample has been taken.
  ///
  /// Returns how it went; unless `done`, t() is earlier, and `outcome` says why. A further call continues from there:
  /// past an event or limit that ended it, after a cancellation, or, after a failure, by trying again.
  ///
  /// Throws an Error, and nothing changes, if t is before t(), after `until` or not finite.
  RunEnd advance(double t);

  double t() const;
  /// y = [q, v, z] at t(), and its parts. Prescribed joints are where their trajectories are. The views are valid until
  /// the next call that changes something.
  std::span<const double> state();
  std::span<const double> q();
  std::span<const double> v();

  /// All signals at t(), in the order of System::signals, as in a row: after everything that jumps at t().
  std::span<const double> signals();
  /// One of them. Throws an Error that suggests names.
  double signal(std::string_view name);

  // Forces from outside. They act from t() on, and are constant until they change; the integrator restarts there.
  /// The generalized force along a degree of freedom, in addition to what blocks give.
  void set_force(std::string_view dof, double force);
  /// The index of a frame, for loads. Throws an Error that suggests names.
  int frame(const PortRef& name) const;
  /// The force and moment at a frame; replaces the one that was set there, and zero removes it.
  void set_load(const Load& load);
  /// Removes all forces.
  void clear_forces();

  /// A checkpoint at t(), forces included, as `restore` and `resume` take it. The integrator restarts here, so that a
  /// simulation that is restored continues bit by bit as this one does.
  std::vector<std::byte> save();
  /// Goes back, or on, to a checkpoint of the same system with the same options; throws where they are not. Later rows
  /// go to the sink.
  void restore(std::span<const std::byte> checkpoint, RowSink* sink = nullptr);

  /// The outcome so far.
  Outcome outcome();

 private:
  class Run;

  void index_signals() const;
  int place_of(std::string_view name) const;
  std::uint64_t fingerprint();
  void require_end(std::string_view who) const;
  void begin(std::string_view who, std::span<const double> y, RowSink* sink);
  Outcome finish();
  Run& running(std::string_view who) const;

  System& system_;
  SimulationOptions options_;
  std::vector<Signal> columns_;
  std::vector<int> places_;  ///< indices of the columns, except time, in the system's signals
  mutable std::unordered_map<std::string_view, int> signal_places_;  ///< of all signals
  std::optional<std::uint64_t> fingerprint_;                         ///< computed when it is first needed
  std::unique_ptr<Run> run_;
};

}  // namespace articula::simulate
