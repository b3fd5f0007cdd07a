#pragma once

#include <span>
#include <vector>

#include <articula/base/export.h>
#include <articula/integrate/integrator.h>
#include <articula/integrate/problem.h>

namespace articula {

/// A function that passes zero, and which way.
struct EventCrossing {
  int function = 0;  ///< its place in Problem::event_values
  bool rising = false;
};

/// A moment at which one function passes zero, or several do.
struct Event {
  double t = 0;                              ///< just passed: the functions have their new signs there, or are zero
  std::span<const double> y;                 ///< the state there, on its surface
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
/// The functions are sampled at a few places of the dense output, and where one has a dip towards zero, at its bottom,
/// so that two zeros in one step are seen unless they are very close. A change of sign is narrowed down by the secant
/// rule with halving as a safeguard, to 1e-14 (|t| + h) (the error of the dense output itself is that of the method).
///
/// A function that is zero when it is first seen has no side yet: it takes one when it leaves, which is no event. So
/// does, after `restart`, a function that has just fired and was not moved by the jump: the same zero is not met twice.
///
/// The same for all methods. Allocates in its constructor only.
class ARTICULA_EXPORT EventFinder {
 public:
  /// The problem must outlive it.
  explicit EventFinder(Problem& problem);

  /// Only this direction of function k counts from now on; at first the problem's own does.
  void watch(int function, EventDirection direction);

  /// Looks at the functions at (t, y) and forgets what was before: beside Integrator::start.
  void start(double t, std::span<const double> y);

  /// The same after the event that was found last, at its time.
  void restart(double t, std::span<const double> y);

  /// The first event of the last step that was not found yet, or null. What it points to stays until the next call.
  /// @pre every step since `start` was looked through until null came back.
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

}  // namespace articula
