#pragma once

#include <articula/model/field.h>
#include <articula/model/port.h>

namespace articula::model {

/// A point, or a small sphere around it, that can touch the ground of the environment.
struct ContactPoint {
  static constexpr std::string_view name = "contact_point", section = "contacts";

  double radius = 0;
  double friction = 0.7;   ///< Coulomb's coefficient
  double restitution = 0;  ///< 0: inelastic contact, 1: rebounds with its full speed

  friend bool operator==(const ContactPoint&, const ContactPoint&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("radius", self.radius, dimension::length);
    field("friction", self.friction, dimension::none);
    field("restitution", self.restitution, dimension::none);
  }
  template <class Visitor>
  void ports(Visitor&& port) const {
    port("on", PortType::spatial);
  }
};

}  // namespace articula::model
