#pragma once

#include <span>

#include <articula/base/export.h>

namespace articula {

/// An initial-value problem, as integrators see it.
///
///     dy/dt = f(t, y)
///
/// It has no notion of mechanisms. Where its state lives on a surface (unit quaternions), `project` puts it back there.
class ARTICULA_EXPORT Ode {
 public:
  virtual ~Ode() = default;

  virtual int size() const = 0;

  /// ydot = f(t, y). False where f has no value there, or none that is finite: the integrator tries a shorter step.
  virtual bool rate(double t, std::span<const double> y, std::span<double> ydot) = 0;

  /// J = ∂f/∂y, row by row. False if there is none: integrators that need it then take differences.
  virtual bool jacobian(double /*t*/, std::span<const double> /*y*/, std::span<double> /*J*/) { return false; }

  /// Puts y back onto its surface, at the end of steps and between. Whether there is a surface at all.
  virtual bool project(std::span<double> /*y*/) { return false; }

  /// One semi-implicit step: velocities first, by `ydot` at (t, y), then positions along the new velocities. Everything
  /// else moves as Euler's explicit step does; the default is that step for all of y.
  /// @pre `rate` gave `ydot` at (t, y) just before
  virtual void semi_implicit_step(double h, std::span<const double> ydot, std::span<double> y) {
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += h * ydot[k];
  }

  /// How many functions g(t, y) there are whose zeros are events, and their values.
  virtual int event_count() const { return 0; }
  virtual void event_values(double /*t*/, std::span<const double> /*y*/, std::span<double> /*g*/) {}
};

}  // namespace articula
