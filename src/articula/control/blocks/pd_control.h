#pragma once

#include <articula/control/blocks/joint_block.h>

namespace articula::control {

/// Proportional-derivative control towards a trajectory:
///
///     tau = stiffness·(q_r − q) + damping·(v_r − v),   limited to ±limit   [LWR (32)]
struct PdControl {
  static constexpr std::string_view name = "pd";
  static constexpr std::string_view about = "proportional-derivative control towards a trajectory";
  static constexpr std::array<SignalRow, 1> signals{{{"<joint>", "N*m or N", "force or torque on the joint"}}};

  Form form = Form::torsional;
  std::vector<std::string> joints{"all"};
  std::string reference;
  std::vector<double> stiffness, damping;
  std::vector<double> limit;

  friend bool operator==(const PdControl&, const PdControl&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    form_and_joints(self, field);
    field("reference", self.reference, dimension::none, "trajectory to follow", "required");
    field("stiffness", self.stiffness, stiffness_of(self.form), "proportional gains", "required");
    field("damping", self.damping, damping_of(self.form), "derivative gains", "required");
    field("limit", self.limit, force_or_torque(self.form), "largest magnitude of the output, for each joint",
          "no limit");
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

}  // namespace articula::control
