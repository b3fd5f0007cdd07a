#pragma once

#include <span>

#include <articula/base/export.h>
#include <articula/base/modules.h>

namespace articula::integrate {

/// Which zero crossings of an event function count.
enum class EventDirection { both, rising, falling };

/// An initial-value problem with events and modes:
///
///     dy/dt = f(t, y, modes)
///
/// It knows nothing about mechanisms. Integrators use `rate`, `jacobian`, `project` and `semi_implicit_step`; an
/// EventFinder also uses the event functions, and a ProblemStepper all of it. A problem only overrides what it has.
class ARTICULA_EXPORT Problem {
 public:
  virtual ~Problem() = default;

  virtual int size() const = 0;

  /// ydot = f(t, y). False where f has no value there, or none that is finite: the integrator tries a shorter step.
  virtual bool rate(double t, std::span<const double> y, std::span<double> ydot) = 0;

  /// J = ∂f/∂y, row by row. False if there is none: integrators that need it then take differences.
  virtual bool jacobian(double /*t*/, std::span<const double> /*y*/, std::span<double> /*J*/) { return false; }

  /// Projects y onto the surface on which the solution lies at time t, at the end of steps and between: positions (unit
  /// quaternions, closed loops) and velocities. Returns whether there is such a surface.
  virtual bool project(double /*t*/, std::span<double> /*y*/) { return false; }

  /// One semi-implicit step: velocities first, by `ydot` at (t, y), then positions along the new velocities. Everything
  /// else moves as Euler's explicit step does; the default is that step for all of y.
  /// @pre `rate` gave `ydot` at (t, y) just before
  virtual void semi_implicit_step(double h, std::span<const double> ydot, std::span<double> y) {
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += h * ydot[k];
  }

  /// How many functions g(t, y) there are whose zeros are events, their values, and which zero crossings count.
  virtual int event_count() const { return 0; }
  virtual void event_values(double /*t*/, std::span<const double> /*y*/, std::span<double> /*g*/) {}
  virtual EventDirection event_direction(int /*k*/) const { return EventDirection::both; }
  /// Event k has occurred at (t, y): all of y and the modes may jump. Returns whether the integration ends there.
  virtual bool on_event(int /*k*/, double /*t*/, std::span<double> /*y*/) { return false; }

  /// Discrete state: numbers on which f and the event functions depend and which are constant between jumps. Checkpoints
  /// store them.
  virtual std::span<const double> modes() const { return {}; }
  virtual void set_modes(std::span<const double> /*modes*/) {}
  /// A consistent start: finds the modes that follow from (t, y), and corrects y where it contradicts them. Called at the
  /// start and after everything that jumps, except by `on_event`, which does the same for its own jump.
  virtual void make_consistent(double /*t*/, std::span<double> /*y*/) {}
  /// Whether y contradicts the modes without an event that reported it. Called at the end of steps; `make_consistent`
  /// follows.
  virtual bool is_inconsistent(std::span<const double> /*y*/) const { return false; }
};

}  // namespace articula::integrate
