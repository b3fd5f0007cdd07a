#pragma once

#include <articula/model/field.h>
#include <articula/model/port.h>

namespace articula::model {

/// A straight uniform elastic beam along x of the frame at `from`; the frame at `to` is parallel to it when unloaded.
/// [DINA 2.2]
struct Beam {
  static constexpr std::string_view name = "beam", section = "beams";

  double length = 0;
  double density = 0;
  double area = 0;
  double area_moment_y = 0, area_moment_z = 0;  ///< of the section, about its y and z
  double torsion_constant = 0;
  double youngs_modulus = 0;
  double shear_modulus = 0;
  double damping_ratio = 0;
  int segments = 4;  ///< number of rigid segments

  friend bool operator==(const Beam&, const Beam&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("length", self.length, dimension::length);
    field("density", self.density, dimension::density);
    field("area", self.area, dimension::area);
    field("area_moment_y", self.area_moment_y, dimension::area_moment);
    field("area_moment_z", self.area_moment_z, dimension::area_moment);
    field("torsion_constant", self.torsion_constant, dimension::area_moment);
    field("youngs_modulus", self.youngs_modulus, dimension::pressure);
    field("shear_modulus", self.shear_modulus, dimension::pressure);
    field("damping_ratio", self.damping_ratio, dimension::none);
    field("segments", self.segments, dimension::none);
  }
  template <class Visitor>
  void ports(Visitor&& port) const {
    port("from", PortType::spatial);
    port("to", PortType::spatial);
  }
};

}  // namespace articula::model
