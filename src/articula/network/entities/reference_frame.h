#pragma once

#include <articula/joints/free.h>
#include <articula/model/entities/reference_frame.h>
#include <articula/network/entities/rigid.h>

namespace articula::network {

/// Where motion begins: V = A = 0 where it is placed, or as its coordinates say if it moves. It takes any force; of
/// one that moves, the force that moves it is tau.
template <>
class Implementation<ReferenceFrame> final : public Rigid {
 public:
  explicit Implementation(const ReferenceFrame& frame)
      : Rigid(own_and(frame.frames)), moves_(frame.motion == FrameMotion::prescribed), X_WR_(frame.placement) {
    for (const Constituent& c : frame.constituents) mass_.M += c.X_BC * c.M_C;
  }

  bool is_reference() const override { return true; }
  bool is_rigid() const override { return !moves_; }

  void position(const Site& site) const override {
    site.motion_at(own).X_W = moves_ ? Free::X_FM({}, site.q.data()) : X_WR_;
    Rigid::position(site);
  }
  void velocity(const Site& site) const override {
    site.set_V_P(own, along(site.v));
    Rigid::velocity(site);
  }
  void acceleration(const Site& site) const override {
    site.set_A_P(own, along(site.vdot));
    Rigid::acceleration(site);
  }
  void action(const Site& site) const override {
    if (!moves_) return;
    const Force<double> F =
        site.force_at(own) + passed_on(site) + mass_.force(site, own, X_EP(own), site.motion_at(own).A);
    const auto [n, f] = inverted(site.X(own)) * F;
    for (std::size_t k = 0; k < 3; ++k) {
      site.tau[k] = f[static_cast<int>(k)];
      site.tau[k + 3] = n[static_cast<int>(k)];
    }
  }
  void articulated_action(const Site&) const override {}

 private:
  static constexpr int own = 0;

  /// Linear first, as in every free joint.
  Motion<double> along(std::span<const double> x) const {
    return moves_ ? Motion<double>{{x[3], x[4], x[5]}, {x[0], x[1], x[2]}} : Motion<double>::zero();
  }

  bool moves_;
  Pose<double> X_WR_;
  Mass mass_;  ///< of bodies that were merged into it
};

}  // namespace articula::network
