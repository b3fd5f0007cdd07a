#pragma once

#include <articula/control/trajectories/context.h>

namespace articula::control {

/// A step through a filter of order n: n first-order lags in series, with the same time constant T. With u = (t −
/// begin)/T,
///
///     x(t) = from + (to − from)·(1 − e⁻ᵘ·Σ_{k<n} uᵏ/k!)
///
/// All derivatives below the n-th are continuous, which elastic joints need: [UNI 5.1] uses order 16. It
/// approaches `to` without end; half of the step is reached at about u = n − 1/3.
struct FilteredStep {
  static constexpr std::string_view name = "filtered_step";
  static constexpr std::string_view about = "a step through a filter of order n: n first-order lags in series";
  static constexpr std::string_view smooth = "n − 1";

  std::vector<std::string> joints;
  Moves moves = Moves::turning;
  std::vector<double> from{0}, to{1};
  int order = 16;
  double time_constant = 0;
  double begin = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("from", self.from, rate_of(self.moves, 0), "positions before the step");
    field("to", self.to, rate_of(self.moves, 0), "positions after the step");
    field("order", self.order, dimension::none, "order n of the filter");
    field("time_constant", self.time_constant, dimension::time, "time constant of each lag", "required");
    field("begin", self.begin, dimension::time, "time of the step");
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula::control
