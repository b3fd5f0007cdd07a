#pragma once

#include <articula/model/field.h>
#include <articula/model/port.h>

namespace articula::model {

/// A constant pose between two frames.  [UNI 2.2.1.2]
struct Displacement {
  static constexpr std::string_view name = "displacement", section = "displacements";

  Pose<double> placement;  ///< pose of the port `to` in the port `from`

  friend bool operator==(const Displacement&, const Displacement&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("placement", self.placement, dimension::length);
  }
  template <class Visitor>
  void ports(Visitor&& port) const {
    port("from", PortType::spatial);
    port("to", PortType::spatial);
  }
};

}  // namespace articula::model
