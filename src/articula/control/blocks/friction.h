#pragma once

#include <cmath>

#include <articula/control/blocks/joint_block.h>

namespace articula::control {

/// Viscous, Coulomb and Stribeck friction of joints:
///
///     tau = −viscous·v − (coulomb + (breakaway − coulomb)·exp(−(v/stribeck_speed)²))·tanh(v/smoothing)
///
/// The transition through zero is smooth, over speeds of the order of `smoothing`, so that no events are needed: a
/// joint at rest under load creeps, slower than `smoothing`, instead of sticking.  [Armstrong-Hélouvry et al. 1994,
/// 2.1]
struct Friction {
  static constexpr std::string_view name = "friction";
  static constexpr std::string_view about =
      "viscous friction, Coulomb friction with a smooth transition through zero, Stribeck effect";
  static constexpr std::array<SignalRow, 1> signals{{{"<joint>", "N*m or N", "force or torque on the joint"}}};

  Form form = Form::torsional;
  std::vector<std::string> joints{"all"};
  std::vector<double> viscous{0}, coulomb{0};
  std::vector<double> breakaway;
  double stribeck_speed = 0.1;
  double smoothing = 1e-3;

  friend bool operator==(const Friction&, const Friction&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    const Dimension speed = self.form == Form::torsional ? dimension::angular_speed : dimension::speed;
    form_and_joints(self, field);
    field("viscous", self.viscous, damping_of(self.form), "viscous friction of each joint");
    field("coulomb", self.coulomb, force_or_torque(self.form), "Coulomb friction of each joint");
    field("breakaway", self.breakaway, force_or_torque(self.form), "friction at the beginning of a motion",
          "as `coulomb`: no Stribeck effect");
    field("stribeck_speed", self.stribeck_speed, speed, "speed over which `breakaway` falls to `coulomb`");
    field("smoothing", self.smoothing, speed, "speed range of the transition through zero");
  }

  std::unique_ptr<Block> make(const BlockMaking& making) const;
};

class FrictionBlock final : public JointBlock<FrictionBlock> {
 public:
  FrictionBlock(std::vector<BlockSite::Dof> dofs, const Friction& said, const BlockMaking& making)
      : JointBlock(std::move(dofs)),
        viscous_(making.each("viscous", said.viscous, n())),
        coulomb_(making.each("coulomb", said.coulomb, n())),
        more_(n(), 0.0),
        stribeck_rate_(1 / said.stribeck_speed),
        smoothing_rate_(1 / said.smoothing) {
    if (said.breakaway.empty()) return;
    more_ = making.each("breakaway", said.breakaway, n());
    for (std::size_t k = 0; k < n(); ++k) more_[k] -= coulomb_[k];
  }

  bool acts_through_drive() const override { return false; }
  std::vector<std::string> inputs() const override {
    std::vector<std::string> all;
    read_speeds(all);
    return all;
  }

  template <class T>
  void evaluate(double, std::span<const T> in, std::span<const T>, std::span<T> out, std::span<T>) const {
    using std::exp;
    for (std::size_t k = 0; k < n(); ++k) {
      const T x = stribeck_rate_ * in[k];
      T level(coulomb_[k]);
      if (more_[k] != 0) level += more_[k] * exp(-(x * x));
      out[k] = -viscous_[k] * in[k] - level * smooth_sign(T(smoothing_rate_ * in[k]));
    }
  }

 private:
  /// tanh, by an exponential that cannot overflow.
  template <class T>
  static T smooth_sign(const T& x) {
    using std::exp;
    if (x < T(0)) return -smooth_sign(T(-x));
    const T e = exp(-2.0 * x);
    return (1.0 - e) / (1.0 + e);
  }

  std::vector<double> viscous_, coulomb_, more_;
  double stribeck_rate_, smoothing_rate_;
};

inline std::unique_ptr<Block> Friction::make(const BlockMaking& making) const {
  const auto dofs = making.dofs(joints);
  making.need_form(dofs, form);
  making.need_positive("stribeck_speed", stribeck_speed);
  making.need_positive("smoothing", smoothing);
  return making.done(std::make_unique<FrictionBlock>(dofs, *this, making));
}

}  // namespace articula::control
