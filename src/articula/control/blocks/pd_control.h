#pragma once

#include <articula/control/blocks/joint_block.h>

namespace articula {

/// A spring and a damper towards a motion:
///
///     tau = stiffness·(q_r − q) + damping·(v_r − v),   not beyond ±limit   [LWR (32)]
struct PdControl {
  static constexpr std::string_view name = "pd";

  Form form = Form::torsional;
  std::vector<std::string> joints{"all"};
  std::string reference;  ///< a trajectory
  std::vector<double> stiffness, damping;
  std::vector<double> limit;  ///< none: no limit

  friend bool operator==(const PdControl&, const PdControl&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("form", self.form, dimension::none);
    field("joints", self.joints, dimension::none);
    field("reference", self.reference, dimension::none);
    field("stiffness", self.stiffness, stiffness_of(self.form));
    field("damping", self.damping, damping_of(self.form));
    field("limit", self.limit, force_or_torque(self.form));
  }

  std::unique_ptr<Block> make(const BlockMaking& making) const;
};

class PdBlock final : public JointBlock<PdBlock> {
 public:
  PdBlock(std::vector<BlockSite::Dof> dofs, const PdControl& said, const BlockMaking& making)
      : JointBlock(std::move(dofs)),
        reference_(said.reference),
        stiffness_(making.each("stiffness", said.stiffness, n())),
        damping_(making.each("damping", said.damping, n())),
        limit_(limits_of(making, "limit", said.limit, n())) {}

  std::vector<std::string> inputs() const override {
    std::vector<std::string> all;
    read_positions(all);
    read_speeds(all);
    read(all, reference_ + ".q");
    read(all, reference_ + ".v");
    return all;
  }

  template <class T>
  void evaluate(double, std::span<const T> in, std::span<const T>, std::span<T> out, std::span<T>) const {
    const std::size_t m = n();
    for (std::size_t k = 0; k < m; ++k) {
      const T u = stiffness_[k] * (in[2 * m + k] - in[k]) + damping_[k] * (in[3 * m + k] - in[m + k]);
      out[k] = limited(u, limit_[k]);
    }
  }

 private:
  std::string reference_;
  std::vector<double> stiffness_, damping_, limit_;
};

inline std::unique_ptr<Block> PdControl::make(const BlockMaking& making) const {
  making.need_text("reference", reference, "wave");
  const auto dofs = making.dofs(joints);
  making.need_positions(dofs);
  making.need_form(dofs, form);
  return making.done(std::make_unique<PdBlock>(dofs, *this, making));
}

}  // namespace articula
