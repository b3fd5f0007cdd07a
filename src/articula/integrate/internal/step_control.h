#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <articula/integrate/integrator.h>

namespace articula::integrate::internal {

/// The size of an error in units of the tolerance: root mean square of e_i / (absolute + relative·max(|y₀|, |y₁|)).
inline double error_norm(std::span<const double> e, std::span<const double> y0, std::span<const double> y1,
                         const IntegratorOptions& options) {
  if (e.empty()) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < e.size(); ++i) {
    const double ratio = e[i] / (options.absolute + options.relative * std::max(std::abs(y0[i]), std::abs(y1[i])));
    sum += ratio * ratio;
  }
  return std::sqrt(sum / static_cast<double>(e.size()));
}

/// The shortest useful step: shorter ones do not change t, or are negligible at t = 0.
inline double shortest_step(double t) {
  return std::max(8 * std::numeric_limits<double>::epsilon() * std::abs(t), 1e-60);
}

/// The next step from the error of this one and of the last (a PI controller).
///
///     h ← h · 0.9 · err^(−1/p + 0.75 β) · err_before^β        β = 0.2/p
///
/// Never by more than a factor of 10 up or 5 down, and not up after a step that failed.
/// [Hairer, Wanner: Solving Ordinary Differential Equations II, IV.2]
class StepControl {
 public:
  explicit StepControl(int error_order) : p_(error_order), beta_(0.2 / error_order) {}

  void start() {
    before_ = 1e-4;
    failed_ = false;
  }

  double factor_after_success(double error) {
    const double factor = 0.9 * std::pow(std::max(error, 1e-10), -1 / p_ + 0.75 * beta_) * std::pow(before_, beta_);
    before_ = std::max(error, 1e-4);
    const double most = failed_ ? 1.0 : 10.0;
    failed_ = false;
    return std::clamp(factor, 0.2, most);
  }

  double factor_after_failure(double error) {
    failed_ = true;
    return std::clamp(0.9 * std::pow(error, -1 / p_), 0.2, 0.9);
  }

  double factor_after_no_value() {
    failed_ = true;
    return 0.25;
  }

 private:
  double p_, beta_;
  double before_ = 1e-4;
  bool failed_ = false;
};

}  // namespace articula::integrate::internal
