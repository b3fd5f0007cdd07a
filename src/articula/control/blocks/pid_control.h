#pragma once

#include <articula/base/units.h>
#include <articula/control/blocks/joint_block.h>

namespace articula::control {

/// PD control with an integral that removes the remaining error, and back-calculation while the output is limited:
///
///     u = stiffness·e + damping·ė + z,   tau = u, limited to ±limit,   e = q_r − q
///     ż = integral·e + (tau − u)/tracking_time        back-calculation   [Åström & Hägglund 2006, 3.5]
///
/// A joint with limit and integral needs a tracking time; a common choice is √(T_i·T_d).
struct PidControl {
  static constexpr std::string_view name = "pid";
  static constexpr std::string_view about = "`pd` with an integral, and back-calculation against wind-up";
  static constexpr std::array<SignalRow, 2> signals{{{"<joint>", "N*m or N", "force or torque on the joint"},
                                                     {"integral.<joint>", "N*m or N", "state: the integral"}}};

  Form form = Form::torsional;
  std::vector<std::string> joints{"all"};
  std::string reference;
  std::vector<double> stiffness, damping;
  std::vector<double> integral{0};
  std::vector<double> limit;
  double tracking_time = 0.1;

  friend bool operator==(const PidControl&, const PidControl&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    Dimension per_second = stiffness_of(self.form);
    per_second.s -= 1;
    form_and_joints(self, field);
    field("reference", self.reference, dimension::none, "trajectory to follow", "required");
    field("stiffness", self.stiffness, stiffness_of(self.form), "proportional gains", "required");
    field("damping", self.damping, damping_of(self.form), "derivative gains", "required");
    field("integral", self.integral, per_second, "integral gains");
    field("limit", self.limit, force_or_torque(self.form), "largest magnitude of the output, for each joint",
          "no limit");
    field("tracking_time", self.tracking_time, dimension::time,
          "time constant with which the integral is reduced while the output is limited");
  }

  std::unique_ptr<Block> make(const BlockMaking& making) const;
};

class PidBlock final : public JointBlock<PidBlock> {
 public:
  PidBlock(std::vector<BlockSite::Dof> dofs, const PidControl& said, const BlockMaking& making)
      : JointBlock(std::move(dofs)),
        reference_(said.reference),
        stiffness_(making.each("stiffness", said.stiffness, n())),
        damping_(making.each("damping", said.damping, n())),
        integral_(making.each("integral", said.integral, n())),
        limit_(limits_of(making, "limit", said.limit, n())),
        tracking_rate_(1 / said.tracking_time) {}

  std::vector<std::string> inputs() const override {
    std::vector<std::string> all;
    read_positions(all);
    read_speeds(all);
    read(all, reference_ + ".q");
    read(all, reference_ + ".v");
    return all;
  }
  std::vector<Signal> states() const override {
    std::vector<Signal> all;
    for (const BlockSite::Dof& dof : dofs_) all.push_back({"integral." + dof.name, dof.effort_unit()});
    return all;
  }

  template <class T>
  void evaluate(double, std::span<const T> in, std::span<const T> z, std::span<T> out, std::span<T> zdot) const {
    const std::size_t m = n();
    for (std::size_t k = 0; k < m; ++k) {
      const T e = in[2 * m + k] - in[k];
      const T u = stiffness_[k] * e + damping_[k] * (in[3 * m + k] - in[m + k]) + z[k];
      out[k] = limited(u, limit_[k]);
      zdot[k] = integral_[k] * e + tracking_rate_ * (out[k] - u);
    }
  }

 private:
  std::string reference_;
  std::vector<double> stiffness_, damping_, integral_, limit_;
  double tracking_rate_;
};

inline std::unique_ptr<Block> PidControl::make(const BlockMaking& making) const {
  making.need_text("reference", reference, "wave");
  making.need_positive("tracking_time", tracking_time);
  const auto dofs = making.dofs(joints);
  making.need_positions(dofs);
  making.need_form(dofs, form);
  return making.done(std::make_unique<PidBlock>(dofs, *this, making));
}

}  // namespace articula::control
