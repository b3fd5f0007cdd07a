#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <articula/base/export.h>
#include <articula/integrate/events.h>
#include <articula/integrate/integrator.h>
#include <articula/integrate/problem.h>

namespace articula::integrate {

/// Integrates a Problem through its events and modes, and stops at any time.
///
///     ProblemStepper stepper(problem, {.method = Method::rk45});
///     stepper.start(0, y0);
///     const ProblemStepper::Reached reached = stepper.advance(0.37, 1);   // t() is 0.37 now; y() is the state there
///
/// The steps of the integrator do not depend on requested times: a step may end after t(), and y() is then the dense
/// output. The sequence of steps, the events and the state at `stop` therefore do not depend, bit by bit, on the
/// requested times.
///
/// `advance` does all of it. A caller with more to do on the way, such as rows and limits of a run, uses its parts:
///
///     while (stepper.t() < stop) {
///       if (stepper.step(stop) != StepStatus::done) break;  // a step, unless the last one ends after t()
///       stepper.move_to(stepper.end());                     // to its end, or to the first event in it
///       if (stepper.is_at_event()) stepper.meet_event();    // all of y may jump
///       stepper.correct();                                  // what no event reported
///     }
///
/// Allocates in its constructor, and where the integrator does.
class ARTICULA_EXPORT ProblemStepper {
 public:
  /// The problem must outlive it. Throws an Error for options that make no sense.
  ProblemStepper(Problem& problem, const IntegratorOptions& options);

  /// From y, made consistent.
  void start(double t, std::span<const double> y);
  /// Where another ProblemStepper of the same problem was, with the same restart ahead: continues bit by bit as that one does.
  /// @param memory Integrator::memory
  void resume(double t, std::span<const double> y, std::span<const double> modes, std::uint64_t memory);

  double t() const { return t_; }
  std::span<const double> y() const { return y_; }
  Integrator& integrator() { return *integrator_; }
  const Integrator& integrator() const { return *integrator_; }

  /// How `advance` ended.
  enum class Reached {
    time,      ///< at the time that was asked for
    event,     ///< at an event that ends the integration; a further `advance` continues
    stalled,   ///< see StepStatus; t() and y() are the last good state, from which a further `advance` tries again
    no_value,  ///< likewise
  };
  /// To time t, with steps that end at `stop` at the latest. @pre t() ≤ t ≤ stop
  Reached advance(double t, double stop);

  /// Whether the last step ends after t(), or has an event ahead.
  bool is_ahead() const { return !restarts() && (event_ != nullptr || integrator_->t() > t_); }
  /// Takes a step to `stop` at most, and looks for the first event in it; does nothing if the last one is ahead.
  StepStatus step(double stop);
  /// The first event ahead, or null. What it points to stays until the next step.
  const Event* event() const { return event_; }
  /// The time of that event, or else the end of the step.
  double end() const { return event_ != nullptr ? event_->t : integrator_->t(); }
  /// @pre t() ≤ t ≤ end()
  void move_to(double t);
  bool is_at_event() const { return event_ != nullptr && event_->t == t_; }
  /// Lets the problem react to the event at t(); the integrator restarts. Returns the event function that ends the
  /// integration, if one does.
  std::optional<int> meet_event();
  /// Makes y consistent if it contradicts the modes.
  void correct();

  /// y, to be changed: the rest of the step is discarded, and the integrator restarts.
  std::span<double> jump();
  /// The integrator restarts before the next step, as after a jump.
  void restart() { restart_ = Restart::anew, event_ = nullptr; }
  /// Whether it will.
  bool restarts() const { return restart_ != Restart::none; }

 private:
  enum class Restart { none, anew, after_event };

  Problem& problem_;
  std::unique_ptr<Integrator> integrator_;
  EventFinder events_;
  std::vector<double> y_;
  double t_ = 0;
  const Event* event_ = nullptr;
  Restart restart_ = Restart::anew;
};

}  // namespace articula::integrate
