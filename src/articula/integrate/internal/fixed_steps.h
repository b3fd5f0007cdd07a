#pragma once

namespace articula::internal {

/// The ends of fixed steps: t₀ + k·h, computed so that rounding does not add up. A t_end that is no such time ends a
/// shorter step, and the grid begins anew there.
class FixedSteps {
 public:
  void start(double t, double h) {
    origin_ = t;
    h_ = h;
    taken_ = 0;
  }

  /// Where the next step ends. A remainder within a millionth of a step is no step of its own.
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

}  // namespace articula::internal
