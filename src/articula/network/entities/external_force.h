#pragma once

#include <articula/model/entities/external_force.h>
#include <articula/network/entity_implementation.h>

namespace articula::network {

/// A force and moment that act at port 0, in World's axes, in its own, or in those of the frame that port 1 is
/// connected to.
template <>
class Implementation<ExternalForce> final : public EntityImplementation {
 public:
  explicit Implementation(const ExternalForce& force)
      : applied_{force.moment, force.force},
        axes_(force.expressed_in == "world"   ? Axes::world
              : force.expressed_in == "local" ? Axes::local
                                              : Axes::other) {}

  void action(const Site& site) const override { site.take(on, -applied_P(site)); }
  void articulated_action(const Site& site) const override {
    site.take(on, ArticulatedInertia<double>::zero(), -applied_P(site));
  }

 private:
  static constexpr int on = 0, axes = 1;
  enum class Axes { world, local, other };

  Force<double> applied_P(const Site& site) const {
    if (axes_ == Axes::local) return applied_;
    const Rotation<double> R_WA = axes_ == Axes::other ? site.X_W(axes).R : Rotation<double>::identity();
    const Rotation<double> R_PA = site.X_W(on).R.inverse() * R_WA;
    return {R_PA * applied_.n, R_PA * applied_.f};
  }

  Force<double> applied_;
  Axes axes_;
};

}  // namespace articula::network
