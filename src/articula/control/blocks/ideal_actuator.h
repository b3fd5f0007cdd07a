#pragma once

#include <cmath>

#include <articula/control/blocks/joint_block.h>

namespace articula::control {

/// Outputs its command within limits, without losses or lag: tau = command, limited to ±limit.
struct IdealActuator {
  static constexpr std::string_view name = "ideal_actuator";
  static constexpr std::string_view about = "outputs its command within limits, without loss or lag";
  static constexpr std::array<SignalRow, 1> signals{{{"<joint>", "N*m or N", "force or torque on the joint"}}};

  Form form = Form::torsional;
  std::vector<std::string> joints{"all"};
  std::string command;
  std::vector<double> limit;

  friend bool operator==(const IdealActuator&, const IdealActuator&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    form_and_joints(self, field);
    field("command", self.command, dimension::none, "block with an output for each of the joints", "required");
    field("limit", self.limit, force_or_torque(self.form), "largest magnitude of the output, for each joint",
          "force limits of joints and drives");
  }

  std::unique_ptr<Block> make(const BlockMaking& making) const;
};

class IdealActuatorBlock final : public JointBlock<IdealActuatorBlock> {
 public:
  IdealActuatorBlock(std::vector<BlockSite::Dof> dofs, const IdealActuator& said, const BlockMaking& making)
      : JointBlock(std::move(dofs)), command_(said.command) {
    if (!said.limit.empty()) limit_ = making.each("limit", said.limit, n());
    for (const BlockSite::Dof& dof : dofs_) {
      if (said.limit.empty()) limit_.push_back(dof.actuator_limit());
    }
  }

  std::vector<std::string> inputs() const override {
    std::vector<std::string> all;
    read(all, command_);
    return all;
  }
  std::vector<int> commands() const override {
    std::vector<int> all;
    for (std::size_t k = 0; k < n(); ++k) all.push_back(static_cast<int>(k));
    return all;
  }

  template <class T>
  void evaluate(double, std::span<const T> in, std::span<const T>, std::span<T> out, std::span<T>) const {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = limited(in[k], limit_[k]);
  }

 private:
  std::string command_;
  std::vector<double> limit_;
};

inline std::unique_ptr<Block> IdealActuator::make(const BlockMaking& making) const {
  making.need_text("command", command, "servo");
  const auto dofs = making.dofs(joints);
  if (!limit.empty()) making.need_form(dofs, form);
  return making.done(std::make_unique<IdealActuatorBlock>(dofs, *this, making));
}

}  // namespace articula::control
