#pragma once

#include <cstddef>
#include <span>

#include <articula/integrate/integrator.h>
#include <articula/integrate/ode.h>

namespace articula::internal {

/// The problem as integrators ask it: each evaluation is counted, and what is not finite counts as no value.
class CountedOde {
 public:
  CountedOde(Ode& ode, IntegratorCounts& counts) : ode_(ode), counts_(counts) {}

  int size() const { return ode_.size(); }
  Ode& ode() const { return ode_; }

  bool rate(double t, std::span<const double> y, std::span<double> ydot) {
    ++counts_.rates;
    return ode_.rate(t, y, ydot) && finite(ydot);
  }

  bool jacobian(double t, std::span<const double> y, std::span<double> J) {
    if (!ode_.jacobian(t, y, J)) return false;
    ++counts_.jacobians;
    return true;
  }

  bool project(std::span<double> y) { return ode_.project(y); }

  /// 0·x is 0 for numbers, and NaN for infinity and NaN.
  static bool finite(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += 0 * value;
    return sum == 0;
  }

 private:
  Ode& ode_;
  IntegratorCounts& counts_;
};

}  // namespace articula::internal
