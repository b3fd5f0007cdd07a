#pragma once

#include <span>
#include <vector>

#include <articula/base/export.h>
#include <articula/integrate/integrator.h>
#include <articula/integrate/problem.h>

namespace articula::integrate {

/// A function that passes zero, and the direction.
struct EventCrossing {
  int function = 0;  ///< its index in Problem::event_values
  bool rising = false;
};

/// A time at which one or more functions pass zero.
struct Event {
  double t = 0;                              ///< just after the zero: the functions have their new signs, or are zero
  std::span<const double> y;                 ///< the state at t, projected
  std::span<const EventCrossing> crossings;  ///< in the order of the functions
};

/// Finds the zeros of Problem::event_values in the last step of an integrator, the earliest first.
///
///     EventFinder events(problem);
///     integrator->start(t, y);
///     events.start(t, y);
///     while (...) {
///       integrator->step(t_end);
///       while (const Event* event = events.find(*integrator)) {
///         ... outputs until event->t; a jump: copy event->y and change it, then
///         integrator->start(event->t, y_after);
///         events.restart(event->t, y_after);  // find() is then null until the next step
///       }                                     // without a restart: the next event of the same step
///     }
///
/// The functions are sampled at a few points of the dense output, and at local minima of their magnitude, so that two
/// zeros in one step are detected unless they are very close. A change of sign is located by the secant method, with
/// bisection as a safeguard, to 1e-14 (|t| + h) (the error of the dense output itself is that of the method).
///
/// A function that is zero at the start has no sign yet; leaving zero is no event. The same applies after `restart` to
/// a function whose event has just occurred and that the jump did not change: a zero is not reported twice.
///
/// The same for all methods. Allocates in its constructor only.
class ARTICULA_EXPORT EventFinder {
 public:
  /// The problem must outlive it.
  explicit EventFinder(Problem& problem);

  /// Sets the direction of crossings of function k that are events; initially that of the problem.
  void watch(int function, EventDirection direction);

  /// Starts at (t, y), together with Integrator::start.
  void start(double t, std::span<const double> y);

  /// Restarts at the time of the last event.
  void restart(double t, std::span<const double> y);

  /// The next event of the last step, or null. It is valid until the next call.
  /// @pre it was called for every step since `start` until it returned null
  const Event* find(Integrator& integrator);

 private:
  /// Values of all functions at a time.
  struct Sample {
    double t = 0;
    std::vector<double> g;
  };

  void look(double t, std::span<const double> y, Sample& sample);
  void look_inside(Integrator& integrator, double t, Sample& sample);
  void sample_step(Integrator& integrator);
  void add_dips(Integrator& integrator);
  bool crosses(std::size_t k, double g) const;
  bool any_crosses(const Sample& sample) const;
  void pass(Sample& sample);
  void narrow(Integrator& integrator);
  double guess(double weight_low, double weight_high) const;
  const Event* report(Integrator& integrator);

  Problem& problem_;
  std::size_t n_;
  std::vector<EventDirection> directions_;
  std::vector<signed char> sides_;   ///< of zero, at `low_`: −1, 1, or 0: not known yet
  std::vector<double> residuals_;    ///< |g| around the last event, of the functions that fired; otherwise −1
  std::vector<Sample> samples_;      ///< of the last step, in the order of time
  std::size_t used_ = 0, next_ = 0;  ///< samples there are; the first one not passed yet
  Sample low_, high_, probe_;        ///< everything until `low_` was looked through; the other end, and a place between
  double sampled_until_ = 0;
  double sides_from_ = 0;  ///< soon after the last event: until then small values may be its own zero
  std::vector<double> y_;
  std::vector<EventCrossing> crossings_;
  Event event_;
};

}  // namespace articula::integrate
