#pragma once

#include <articula/control/blocks/joint_block.h>

namespace articula::control {

/// Given forces or torques: the values of a trajectory over time, or constants.
struct PrescribedTorque {
  static constexpr std::string_view name = "torque";
  static constexpr std::string_view about = "forces or torques over time, or constant ones";
  static constexpr std::array<SignalRow, 1> signals{{{"<joint>", "N*m or N", "force or torque on the joint"}}};

  Form form = Form::torsional;
  std::vector<std::string> joints{"all"};
  std::string reference;
  std::vector<double> value;

  friend bool operator==(const PrescribedTorque&, const PrescribedTorque&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    form_and_joints(self, field);
    field("reference", self.reference, dimension::none, "trajectory whose values are forces or torques", "none");
    field("value", self.value, force_or_torque(self.form), "constant forces or torques, instead of `reference`",
          "none");
  }

  std::unique_ptr<Block> make(const BlockMaking& making) const;
};

class PrescribedTorqueBlock final : public JointBlock<PrescribedTorqueBlock> {
 public:
  PrescribedTorqueBlock(std::vector<BlockSite::Dof> dofs, const PrescribedTorque& said, const BlockMaking& making)
      : JointBlock(std::move(dofs)), reference_(said.reference) {
    if (reference_.empty()) value_ = making.each("value", said.value, n(), -std::numeric_limits<double>::infinity());
  }

  std::vector<std::string> inputs() const override {
    std::vector<std::string> all;
    if (!reference_.empty()) read(all, reference_ + ".q");
    return all;
  }

  template <class T>
  void evaluate(double, std::span<const T> in, std::span<const T>, std::span<T> out, std::span<T>) const {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = reference_.empty() ? T(value_[k]) : in[k];
  }

 private:
  std::string reference_;
  std::vector<double> value_;
};

inline std::unique_ptr<Block> PrescribedTorque::make(const BlockMaking& making) const {
  if (reference.empty() == value.empty())
    making.fail("block-needs", "it needs either `reference`, a trajectory of torques, or `value`, constant ones.");
  const auto dofs = making.dofs(joints);
  if (reference.empty()) making.need_form(dofs, form);
  return making.done(std::make_unique<PrescribedTorqueBlock>(dofs, *this, making));
}

}  // namespace articula::control
