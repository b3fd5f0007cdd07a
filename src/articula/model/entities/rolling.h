#pragma once

#include <articula/model/field.h>
#include <articula/model/port.h>

namespace articula::model {

/// A wheel that rolls on a plane without slipping: a constraint on velocities.  [UNI 2.2.1.3]
struct Rolling {
  static constexpr std::string_view name = "rolling", section = "rolling";

  double radius = 0;
  Direction axis = y_axis;    ///< of the wheel, in the frame `wheel` at its centre
  Direction normal = z_axis;  ///< of the plane, in the frame `ground` that lies on it
  bool side_slip = false;     ///< may slip along its axis

  friend bool operator==(const Rolling&, const Rolling&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("radius", self.radius, dimension::length);
    field("axis", self.axis, dimension::none);
    field("normal", self.normal, dimension::none);
    field("side_slip", self.side_slip, dimension::none);
  }
  template <class Visitor>
  void ports(Visitor&& port) const {
    port("wheel", PortType::spatial);
    port("ground", PortType::spatial);
  }
};

}  // namespace articula::model
