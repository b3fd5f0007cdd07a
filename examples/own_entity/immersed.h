#pragma once

#include <string_view>

#include <articula/core.h>

/// A hull in still water: an entity that Articula does not have.
///
/// Water that must move along makes a body heavier, differently in each direction, and by no amount of rigid mass:
/// the added inertia M_a. With the port P at the centre of the displaced volume, axes along those of M_a, and V, A of
/// P in World, the hull asks what carries it for
///
///     F = M_a·A + V ×* (M_a·V) + d·|V|V − buoyancy,      buoyancy = −ρ·Vol·g at P
///
/// (Kirchhoff's equations, and drag). For a sphere M_a is half the displaced mass.
class Immersed final : public articula::network::EntityImplementation {
 public:
  using Vec3 = articula::Vec3<double>;
  using Force = articula::Force<double>;
  using Motion = articula::Motion<double>;
  using Inertia6 = articula::ArticulatedInertia<double>;

  double displaced_mass = 0;  ///< ρ·Vol
  Vec3 added_mass, added_inertia, drag;

  Immersed() = default;

  /// From a file: properties of the same names.
  explicit Immersed(const articula::Custom& custom) {
    for (const articula::CustomProperty& property : custom.properties) {
      const auto& x = property.numbers;
      if (property.name == "displaced_mass" && x.size() == 1) displaced_mass = x[0];
      if (x.size() != 3) continue;
      if (property.name == "added_mass") added_mass = {x[0], x[1], x[2]};
      if (property.name == "added_inertia") added_inertia = {x[0], x[1], x[2]};
      if (property.name == "drag") drag = {x[0], x[1], x[2]};
    }
  }

  // Its part in inverse dynamics, and in forward dynamics: F as it is, and F as a function of A.

  void action(const articula::network::Site& site) const override {
    site.take(port, M_a() * site.A_P(port) + without_acceleration(site));
  }
  void articulated_action(const articula::network::Site& site) const override {
    site.take(port, M_a(), without_acceleration(site));
  }

 private:
  static constexpr int port = 0;

  Inertia6 M_a() const {
    using S = articula::SymMat3<double>;
    return {S::diagonal(added_inertia.x, added_inertia.y, added_inertia.z), articula::Mat3<double>::zero(),
            S::diagonal(added_mass.x, added_mass.y, added_mass.z)};
  }

  Force without_acceleration(const articula::network::Site& site) const {
    const Motion V = site.V_P(port);
    const double speed = norm(V.v);
    const Vec3 resistance{drag.x * speed * V.v.x, drag.y * speed * V.v.y, drag.z * speed * V.v.z};
    const Vec3 gravity = site.X_W(port).R.rotate_back(site.gravity_at(site.X_W(port).p));
    return cross(V, M_a() * V) + Force{Vec3::zero(), resistance + displaced_mass * gravity};
  }
};
