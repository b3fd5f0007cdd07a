#pragma once

#include <cstddef>
#include <span>

#include <articula/integrate/integrator.h>
#include <articula/integrate/problem.h>

namespace articula::integrate::internal {

/// The problem as integrators use it: evaluations are counted, and results that are not finite are no values.
class CountedProblem {
 public:
  CountedProblem(Problem& problem, IntegratorCounts& counts) : problem_(problem), counts_(counts) {}

  int size() const { return problem_.size(); }
  Problem& uncounted() const { return problem_; }

  bool rate(double t, std::span<const double> y, std::span<double> ydot) {
    ++counts_.rates;
    return problem_.rate(t, y, ydot) && finite(ydot);
  }

  bool jacobian(double t, std::span<const double> y, std::span<double> J) {
    if (!problem_.jacobian(t, y, J)) return false;
    ++counts_.jacobians;
    return true;
  }

  bool project(double t, std::span<double> y) { return problem_.project(t, y); }

  /// 0·x is 0 for numbers, and NaN for infinity and NaN.
  static bool finite(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += 0 * value;
    return sum == 0;
  }

 private:
  Problem& problem_;
  IntegratorCounts& counts_;
};

}  // namespace articula::integrate::internal
