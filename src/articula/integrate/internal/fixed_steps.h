#pragma once

#include <articula/base/modules.h>

namespace articula::integrate::internal {

/// The ends of fixed steps: t₀ + k·h, computed so that rounding does not add up. A t_end that is not on this grid ends
/// a shorter step, and the grid restarts there.
class FixedSteps {
 public:
  void start(double t, double h) {
    origin_ = t;
    h_ = h;
    taken_ = 0;
  }

  /// The end of the next step. A remainder of less than a millionth of a step is added to it.
  double next(double t_end) const {
    const double grid = origin_ + static_cast<double>(taken_ + 1) * h_;
    return grid < t_end - 1e-6 * h_ ? grid : t_end;
  }

  void took(double t) {
    const double grid = origin_ + static_cast<double>(taken_ + 1) * h_;
    const double miss = t - grid;
    if (miss < 1e-6 * h_ && miss > -1e-6 * h_) {
      ++taken_;
    } else {
      start(t, h_);
    }
  }

 private:
  double origin_ = 0, h_ = 0;
  long taken_ = 0;
};

}  // namespace articula::integrate::internal
