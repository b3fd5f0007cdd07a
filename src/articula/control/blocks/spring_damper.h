#pragma once

#include <articula/control/blocks/joint_block.h>

namespace articula {

/// The elastic law of a drive that is shut: of a hydraulic one after its valve has closed, whose oil and hoses give.
///
///     tau = −stiffness·(q − rest) − damping·v    from the time `from` on, zero before
///
/// [GNE (14), with the sign that restores]. Where no `rest` is given, it is the position of the joint at that time, and
/// with `balance` as much beyond it as the load and the damper need: the joint does not accelerate at first.
struct SpringDamper {
  static constexpr std::string_view name = "spring_damper";

  Form form = Form::torsional;
  std::vector<std::string> joints{"all"};
  std::vector<double> stiffness, damping{0};
  std::vector<double> rest;  ///< none: see above
  bool balance = true;
  double from = 0;  ///< the time at which the valve closes

  friend bool operator==(const SpringDamper&, const SpringDamper&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("form", self.form, dimension::none);
    field("joints", self.joints, dimension::none);
    field("stiffness", self.stiffness, stiffness_of(self.form));
    field("damping", self.damping, damping_of(self.form));
    field("rest", self.rest, length_or_angle(self.form));
    field("balance", self.balance, dimension::none);
    field("from", self.from, dimension::time);
  }

  std::unique_ptr<Block> make(const BlockMaking& making) const;
};

/// z: the rest positions, which stand once they are found.
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

}  // namespace articula
