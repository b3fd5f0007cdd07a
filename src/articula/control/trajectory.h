#pragma once

#include <limits>
#include <span>
#include <vector>

#include <articula/base/export.h>
#include <articula/base/modules.h>

namespace articula::control {

/// A motion of one or more coordinates over time, with its time derivatives.
///
/// Before its begin and after its end a trajectory is at rest, unless its kind states otherwise. An object must not be
/// used by several threads at the same time: some kinds have a workspace.
class ARTICULA_EXPORT Trajectory {
 public:
  virtual ~Trajectory() = default;

  /// Number of coordinates.
  virtual int size() const = 0;

  /// The coordinates at t and their derivatives up to `order`: x[k·size() + i] is the k-th derivative of coordinate i.
  /// Where a derivative jumps, the value after the jump. Allocates nothing.
  virtual void evaluate(double t, int order, std::span<double> x) const = 0;

  /// Times at which a derivative jumps, ascending, up to `until` for a periodic trajectory. Integrators stop at these
  /// times.
  virtual std::vector<double> breaks(double /*until*/) const { return {}; }

  /// The highest derivative that `evaluate` computes; a large number if there is no limit. Check it before a run.
  virtual int highest_order() const { return std::numeric_limits<int>::max(); }

  /// The highest derivative without jumps; a large number if there is no limit.
  virtual int smoothness() const { return std::numeric_limits<int>::max(); }

  virtual double begin() const { return 0; }
  virtual double end() const { return std::numeric_limits<double>::infinity(); }
};

}  // namespace articula::control
