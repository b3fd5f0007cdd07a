#pragma once

#include <articula/control/blocks/joint_block.h>

namespace articula {

/// What carries the weights, springs and constant loads of the model where it is: tau = ID(q, 0, 0).
struct GravityCompensation {
  static constexpr std::string_view name = "gravity_compensation";

  std::vector<std::string> joints{"all"};

  friend bool operator==(const GravityCompensation&, const GravityCompensation&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("joints", self.joints, dimension::none);
  }

  ARTICULA_EXPORT std::unique_ptr<Block> make(const BlockMaking& making) const;
};

}  // namespace articula
