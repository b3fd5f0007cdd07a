#pragma once

#include <articula/control/blocks/joint_block.h>

namespace articula::control {

/// Gravity torques: joint torques that balance gravity, springs and constant loads of the model: tau = ID(q, 0, 0).
struct GravityCompensation {
  static constexpr std::string_view name = "gravity_compensation";
  static constexpr std::string_view about = "gravity torques: inverse dynamics at rest";
  static constexpr std::array<SignalRow, 1> signals{{{"<joint>", "N*m or N", "force or torque on the joint"}}};

  std::vector<std::string> joints{"all"};

  friend bool operator==(const GravityCompensation&, const GravityCompensation&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joints_field(self, field);
  }

  ARTICULA_EXPORT std::unique_ptr<Block> make(const BlockMaking& making) const;
};

}  // namespace articula::control
