#pragma once

#include <articula/control/blocks/dimensions.h>
#include <articula/control/blocks/joint_block.h>

namespace articula {

/// The torques that make the error of every joint decay by itself, by inverse dynamics of the model:
///
///     tau = ID(q, v, a),   a = a_r + damping·(v_r − v) + stiffness·(q_r − q)      ë + damping·ė + stiffness·e = 0
///
/// with passive forces where the run has them. Joints that are not listed are taken not to accelerate.
/// [Spong, Hutchinson, Vidyasagar 2006, 8.3]
struct ComputedTorque {
  static constexpr std::string_view name = "computed_torque";

  std::vector<std::string> joints{"all"};
  std::string reference;               ///< a trajectory
  std::vector<double> stiffness{100};  ///< 1/s², ω² of the error
  std::vector<double> damping{20};     ///< 1/s, 2ζω
  std::vector<double> limit;           ///< of the torque or force; none: no limit

  friend bool operator==(const ComputedTorque&, const ComputedTorque&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("joints", self.joints, dimension::none);
    field("reference", self.reference, dimension::none);
    field("stiffness", self.stiffness, dimension::rate_squared);
    field("damping", self.damping, dimension::rate);
    field("limit", self.limit, dimension::none);
  }

  ARTICULA_EXPORT std::unique_ptr<Block> make(const BlockMaking& making) const;
};

}  // namespace articula
