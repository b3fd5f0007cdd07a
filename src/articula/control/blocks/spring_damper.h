#pragma once

#include <articula/control/blocks/joint_block.h>

namespace articula::control {

/// Elastic model of a drive that is shut off, e.g. of the oil and hoses of a hydraulic drive after its valve has
/// closed:
///
///     tau = −stiffness·(q − rest) − damping·v    from the time `from` on, zero before
///
/// [GNE (14), with the sign of a restoring force]. Without `rest`, it is the position of the joint at that time; with
/// `balance`, it is displaced such that spring and damper balance the load: the joint does not accelerate at first.
struct SpringDamper {
  static constexpr std::string_view name = "spring_damper";
  static constexpr std::string_view about = "−stiffness·(q − rest) − damping·v from a given time on [GNE (14)]";
  static constexpr std::array<SignalRow, 2> signals{{{"<joint>", "N*m or N", "force or torque on the joint"},
                                                     {"rest.<joint>", "rad or m", "state: the rest position"}}};

  Form form = Form::torsional;
  std::vector<std::string> joints{"all"};
  std::vector<double> stiffness, damping{0};
  std::vector<double> rest;
  bool balance = true;
  double from = 0;

  friend bool operator==(const SpringDamper&, const SpringDamper&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    form_and_joints(self, field);
    field("stiffness", self.stiffness, stiffness_of(self.form), "stiffness of each joint", "required");
    field("damping", self.damping, damping_of(self.form), "damping of each joint");
    field("rest", self.rest, length_or_angle(self.form), "rest positions of the springs",
          "positions at the time `from`, see `balance`");
    field("balance", self.balance, dimension::none,
          "whether the rest positions are displaced so that the joints do not accelerate at first");
    field("from", self.from, dimension::time, "time from which the block acts");
  }

  std::unique_ptr<Block> make(const BlockMaking& making) const;
};

/// z: the rest positions, constant from the time `from` on.
class SpringDamperBlock final : public JointBlock<SpringDamperBlock> {
 public:
  SpringDamperBlock(std::vector<BlockSite::Dof> dofs, const SpringDamper& said, const BlockMaking& making)
      : JointBlock(std::move(dofs)),
        stiffness_(making.each("stiffness", said.stiffness, n())),
        damping_(making.each("damping", said.damping, n())),
        balance_(said.balance),
        from_(said.from) {
    if (!said.rest.empty()) rest_ = making.each("rest", said.rest, n(), -std::numeric_limits<double>::infinity());
  }

  bool acts_through_drive() const override { return false; }
  std::vector<std::string> inputs() const override {
    std::vector<std::string> all;
    read_positions(all);
    read_speeds(all);
    return all;
  }
  std::vector<Signal> states() const override {
    std::vector<Signal> all;
    for (const BlockSite::Dof& dof : dofs_) all.push_back({"rest." + dof.name, dof.position_unit()});
    return all;
  }
  void start(double, std::span<const double> in, std::span<const double> hold, std::span<double> z) const override {
    for (std::size_t k = 0; k < n(); ++k) {
      const bool carries = balance_ && !hold.empty() && stiffness_[k] > 0;
      const double force = hold.empty() ? 0 : hold[k] + damping_[k] * in[n() + k];
      z[k] = !rest_.empty() ? rest_[k] : in[k] + (carries ? force / stiffness_[k] : 0);
    }
  }
  std::vector<double> breaks(double until) const override {
    return from_ <= until ? std::vector<double>{from_} : std::vector<double>{};
  }
  void on_break(double t, std::span<const double> in, std::span<const double> hold,
                std::span<double> z) const override {
    if (t == from_) start(t, in, hold, z);
  }

  template <class T>
  void evaluate(double t, std::span<const T> in, std::span<const T> z, std::span<T> out, std::span<T> zdot) const {
    for (std::size_t k = 0; k < n(); ++k) {
      out[k] = t < from_ ? T(0) : -stiffness_[k] * (in[k] - z[k]) - damping_[k] * in[n() + k];
      zdot[k] = T(0);
    }
  }

 private:
  std::vector<double> stiffness_, damping_, rest_;
  bool balance_;
  double from_;
};

inline std::unique_ptr<Block> SpringDamper::make(const BlockMaking& making) const {
  const auto dofs = making.dofs(joints);
  making.need_positions(dofs);
  making.need_form(dofs, form);
  return making.done(std::make_unique<SpringDamperBlock>(dofs, *this, making));
}

}  // namespace articula::control
