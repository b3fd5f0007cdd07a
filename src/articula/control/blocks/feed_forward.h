#pragma once

#include <articula/control/blocks/joint_block.h>

namespace articula::control {

/// Inverse dynamics along a trajectory, independent of the actual motion: tau = ID(q_r, v_r, a_r).
///
/// Joints that are not listed have their actual positions and velocities, and no acceleration.
struct FeedForward {
  static constexpr std::string_view name = "feed_forward";
  static constexpr std::string_view about = "inverse dynamics along a trajectory, whatever the mechanism does";
  static constexpr std::array<SignalRow, 1> signals{{{"<joint>", "N*m or N", "force or torque on the joint"}}};

  std::vector<std::string> joints{"all"};
  std::string reference;

  friend bool operator==(const FeedForward&, const FeedForward&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joints_field(self, field);
    field("reference", self.reference, dimension::none, "trajectory", "required");
  }

  ARTICULA_EXPORT std::unique_ptr<Block> make(const BlockMaking& making) const;
};

}  // namespace articula::control
