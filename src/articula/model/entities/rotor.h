#pragma once

#include <articula/model/field.h>
#include <articula/model/port.h>

namespace articula::model {

/// A body of revolution that spins on the body it is mounted on. Its mass and its inertia without spin are part of that
/// body; the rotor adds the effect of spinning.  [UNI 3.2.1.3]
struct Rotor {
  static constexpr std::string_view name = "rotor", section = "rotors";

  double inertia = 0;  ///< about its axis
  Direction axis;      ///< in the frame it is mounted at

  friend bool operator==(const Rotor&, const Rotor&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("inertia", self.inertia, dimension::inertia);
    field("axis", self.axis, dimension::none);
  }
  template <class Visitor>
  void ports(Visitor&& port) const {
    port("mounted_on", PortType::spatial);
    port("shaft", PortType::scalar);
  }
};

}  // namespace articula::model
