#pragma once

#include <articula/base/units.h>
#include <articula/control/blocks/joint_block.h>

namespace articula::control {

/// Feedback linearization by inverse dynamics: the error of each joint decays independently of the others.
///
///     tau = ID(q, v, a),   a = a_r + damping·(v_r − v) + stiffness·(q_r − q)      ë + damping·ė + stiffness·e = 0
///
/// with passive forces if the run has them. Joints that are not listed are assumed not to accelerate.
/// [Spong, Hutchinson, Vidyasagar 2006, 8.3]
struct ComputedTorque {
  static constexpr std::string_view name = "computed_torque";
  static constexpr std::string_view about =
      "inverse dynamics at a_r + damping·ė + stiffness·e: the error of each joint decays by itself";
  static constexpr std::array<SignalRow, 1> signals{{{"<joint>", "N*m or N", "force or torque on the joint"}}};

  std::vector<std::string> joints{"all"};
  std::string reference;
  std::vector<double> stiffness{100};
  std::vector<double> damping{20};
  std::vector<double> limit;

  friend bool operator==(const ComputedTorque&, const ComputedTorque&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    joints_field(self, field);
    field("reference", self.reference, dimension::none, "trajectory to follow", "required");
    field("stiffness", self.stiffness, dimension::rate_squared, "ω² of the error of each joint");
    field("damping", self.damping, dimension::rate, "2ζω of the error of each joint");
    field("limit", self.limit, dimension::none, "largest magnitude of the output, for each joint, in SI", "no limit");
  }

  ARTICULA_EXPORT std::unique_ptr<Block> make(const BlockMaking& making) const;
};

}  // namespace articula::control
