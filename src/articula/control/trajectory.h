#pragma once

#include <limits>
#include <span>
#include <vector>

#include <articula/base/export.h>

namespace articula {

/// A motion prescribed over time, of one coordinate or several, with its time derivatives.
///
/// Before its begin and after its end a trajectory stands still, unless its kind says otherwise. An object serves one
/// thread at a time: some kinds keep scratch.
class ARTICULA_EXPORT Trajectory {
 public:
  virtual ~Trajectory() = default;

  /// How many coordinates it moves.
  virtual int size() const = 0;

  /// The coordinates at t and their derivatives up to `order`: x[k·size() + i] is the k-th derivative of coordinate i.
  /// At a time where a derivative jumps, the value just after it. Allocates nothing.
  virtual void evaluate(double t, int order, std::span<double> x) const = 0;

  /// Where some derivative jumps, ascending: integrators step onto these times and not across them. Of a periodic one,
  /// those up to `until`.
  virtual std::vector<double> breaks(double /*until*/) const { return {}; }

  /// The most derivatives that `evaluate` can give; a large number where there is no limit. Ask before a run.
  virtual int highest_order() const { return std::numeric_limits<int>::max(); }

  /// How often it can be differentiated without a jump; a large number where there is no limit.
  virtual int smoothness() const { return std::numeric_limits<int>::max(); }

  virtual double begin() const { return 0; }
  virtual double end() const { return std::numeric_limits<double>::infinity(); }
};

}  // namespace articula
