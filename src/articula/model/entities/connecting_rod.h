#pragma once

#include <articula/model/field.h>
#include <articula/model/port.h>

namespace articula::model {

/// A rod of fixed length between two points, with a spherical joint at each end.  [UNI 3.2.3]
/// With a mass it is slender and uniform.
struct ConnectingRod {
  static constexpr std::string_view name = "connecting_rod", section = "rods";

  double length = 0;
  double mass = 0;

  friend bool operator==(const ConnectingRod&, const ConnectingRod&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("length", self.length, dimension::length);
    field("mass", self.mass, dimension::mass);
  }
  template <class Visitor>
  void ports(Visitor&& port) const {
    port("from", PortType::spatial);
    port("to", PortType::spatial);
  }
};

}  // namespace articula::model
