#pragma once

#include <articula/control/trajectories/context.h>

namespace articula {

/// A step that has passed through a filter of order n: n first-order lags with the same time constant T, one after
/// another. With u = (t − begin)/T,
///
///     x(t) = from + (to − from)·(1 − e⁻ᵘ·Σ_{k<n} uᵏ/k!)
///
/// All derivatives below the n-th are continuous, which elastic joints need: [UNI 5.1] takes order 16. It nears `to`
/// and never ends; half the way is done at about u = n − 1/3.
struct FilteredStep {
  static constexpr std::string_view name = "filtered_step";

  std::vector<std::string> joints;
  Moves moves = Moves::turning;
  std::vector<double> from{0}, to{1};
  int order = 16;
  double time_constant = 0;  ///< T, greater than zero
  double begin = 0;          ///< when the step is

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("from", self.from, rate_of(self.moves, 0));
    field("to", self.to, rate_of(self.moves, 0));
    field("order", self.order, dimension::none);
    field("time_constant", self.time_constant, dimension::time);
    field("begin", self.begin, dimension::time);
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula
