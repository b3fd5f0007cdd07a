#pragma once

#include <articula/model/entities/rotor.h>
#include <articula/network/entity_implementation.h>

namespace articula::network {

/// What turns about an axis a of the body that carries it, with inertia J, beyond what the body does by itself:
///
///     F.n = J·(θ̈·a + ω × θ̇·a),    t = J·(θ̈ + a·ω̇)    [UNI 3.2.1.3, gyrostats]
struct Spin {
  double inertia = 0;
  Vec3<double> axis = Vec3<double>::zero();

  /// On the body at port k, in its frame.
  Force<double> on_carrier(const Site& site, int k, const Turn& turn) const {
    const Vec3<double> a = axis * inertia;
    return {a * turn.acceleration + cross(site.V_P(k).w, a * turn.speed), Vec3<double>::zero()};
  }
  /// On its shaft.
  double torque(const Site& site, int k, const Turn& turn) const {
    return inertia * (turn.acceleration + (site.is_connected(k) ? dot(axis, site.A_P(k).w) : 0.0));
  }
};

inline Vec3<double> along(const Direction& direction) { return direction.v * (1 / norm(direction.v)); }

template <>
class Implementation<Rotor> final : public EntityImplementation {
 public:
  explicit Implementation(const Rotor& rotor) : spin_{rotor.inertia, along(rotor.axis)} {}

  void action(const Site& site) const override {
    site.take(mounted_on, spin_.on_carrier(site, mounted_on, site.turn_at(shaft)));
  }
  void pass_torques(const Site& site) const override {
    site.torque_at(shaft) += spin_.torque(site, mounted_on, site.turn_at(shaft));
  }
  void articulated_action(const Site&) const override {}

 private:
  static constexpr int mounted_on = 0, shaft = 1;
  Spin spin_;
};

}  // namespace articula::network
