#pragma once

#include <articula/control/trajectories/context.h>

namespace articula {

/// Stands still: x = value.
struct ConstantMotion {
  static constexpr std::string_view name = "constant";

  std::vector<std::string> joints;
  Moves moves = Moves::turning;
  std::vector<double> value{0};  ///< of each joint, or one for all

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("value", self.value, rate_of(self.moves, 0));
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula
