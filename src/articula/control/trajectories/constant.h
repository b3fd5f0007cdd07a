#pragma once

#include <articula/control/trajectories/context.h>

namespace articula::control {

/// Constant position: x = value.
struct ConstantMotion {
  static constexpr std::string_view name = "constant";
  static constexpr std::string_view about = "constant position";
  static constexpr std::string_view smooth = "all";

  std::vector<std::string> joints;
  Moves moves = Moves::turning;
  std::vector<double> value{0};

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joint_fields(self, field);
    field("value", self.value, rate_of(self.moves, 0), "position of each joint");
  }

  ARTICULA_EXPORT JointTrajectory make(const TrajectoryContext& context) const;
};

}  // namespace articula::control
