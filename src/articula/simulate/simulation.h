#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <articula/base/error.h>
#include <articula/integrate/integrator.h>
#include <articula/simulate/row_sink.h>
#include <articula/simulate/system.h>

namespace articula {

/// How far a run has come.
struct Progress {
  double t = 0, begin = 0, until = 0;
  long rows = 0;
  IntegratorCounts counts;

  double fraction() const { return until > begin ? (t - begin) / (until - begin) : 1; }
};

/// What happens when a joint passes a limit of the model: of its position, speed or force.
enum class LimitPolicy {
  warn,    ///< the run goes on, and Outcome::findings tells when each was passed first
  stop,    ///< the run ends there
  ignore,  ///< nobody looks
};

struct SimulationOptions {
  IntegratorOptions integrator;
  double begin = 0, until = 1;
  double output_every = 0.01;  ///< rows at begin + k·output_every and at the end; 0: after every step of the integrator
  /// The integrator begins anew at begin + k·checkpoint_every, so that a run which is resumed there continues as if it
  /// had never stopped; 0: nowhere, which takes the fewest steps.
  double checkpoint_every = 0;
  /// At `begin` another run ended: sampled blocks have acted at that time.
  bool continues = false;
  /// Which signals make a row, beside the time; empty: all that the system has, see System::signals.
  std::vector<std::string> signals;
  LimitPolicy on_limit = LimitPolicy::warn;
  /// A run that needs more steps, rejected ones included, for a thousandth of its time makes no progress and ends as
  /// `stalled`. An event counts as a hundred steps.
  long most_steps = 1'000'000;

  /// Called after steps, at most some hundred times a run. May be empty.
  std::function<void(const Progress&)> progress;
  /// Set from elsewhere, a signal handler for one, to end the run after the step it is in. May be null.
  const std::atomic<bool>* cancel = nullptr;
};

/// How a run ended.
enum class RunEnd {
  done,       ///< at `until`
  event,      ///< a block said so: `what` names it
  cancelled,  ///< and can be resumed from its last checkpoint
  stalled,    ///< the tolerance could not be met, or there was no progress
  no_value,   ///< something has no finite value: a singular position, say
  diverged,   ///< a speed is beyond 1e7 m/s or rad/s
};

struct Outcome {
  RunEnd end = RunEnd::done;
  double t = 0;      ///< the last good time; everything until then was given to the sink
  std::string what;  ///< for people: what happened and what to do; empty when done
  long rows = 0;     ///< since begin, over all resumptions
  long events = 0;   ///< met by root finding
  IntegratorCounts counts;
  double seconds = 0;                 ///< of wall time, of this call alone
  std::vector<double> y;              ///< the state at t
  Method method = Method::automatic;  ///< that was in force at the end: with `auto`, rk45 or bdf
  Findings findings;                  ///< limits that were passed and when, stiffness, a fixed step too long

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
class ARTICULA_EXPORT Simulation {
 public:
  /// Throws an Error for options that make no sense. The system must outlive it.
  Simulation(System& system, SimulationOptions options);
  ~Simulation();

  /// What a row is made of; the first is the time.
  std::span<const Signal> columns() const;

  /// From the state y at `begin`, see System::start.
  Outcome run(std::span<const double> y, RowSink& sink);

  /// From a checkpoint of a run of the same system with the same options; throws where they are not.
  Outcome resume(std::span<const std::byte> checkpoint, RowSink& sink);

 private:
  class Run;

  System& system_;
  SimulationOptions options_;
  std::vector<Signal> columns_;
  std::vector<int> places_;  ///< of the columns, beyond the time, in the system's signals
};

}  // namespace articula
