#pragma once

#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/model/constituent.h>
#include <articula/model/port.h>
#include <articula/model/shape.h>

namespace articula::model {

/// A rigid body, possibly with spinning parts inside (a gyrostat).  [UNI 2.2.1.1]
struct RigidBody {
  static constexpr std::string_view name = "body", section = "bodies";

  double mass = 0;
  Vec3<double> com = Vec3<double>::zero();                ///< centre of mass, in the body's frame
  SymMat3<double> inertia = SymMat3<double>::zero();      ///< about the centre of mass, in the body's axes
  std::optional<double> density;                          ///< if given, mass, com and inertia follow from the shapes
  Vec3<double> internal_momentum = Vec3<double>::zero();  ///< constant angular momentum of spinning parts inside
  std::vector<Frame> frames;
  std::vector<Shape> shapes;
  std::vector<Constituent> constituents;  ///< the bodies it was merged from; empty before merging

  friend bool operator==(const RigidBody& a, const RigidBody& b) {
    return a.mass == b.mass && a.com == b.com && a.inertia == b.inertia && a.density == b.density &&
           a.internal_momentum == b.internal_momentum && same_frames(a.frames, b.frames) && a.shapes == b.shapes &&
           a.constituents == b.constituents;
  }

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("mass", self.mass, dimension::mass);
    field("com", self.com, dimension::length);
    field("inertia", self.inertia, dimension::inertia);
    field("density", self.density, dimension::density);
    field("internal_momentum", self.internal_momentum, dimension::angular_momentum);
    field("frames", self.frames, dimension::none);
    field("shapes", self.shapes, dimension::none);
    field("constituents", self.constituents, dimension::none);
  }
  template <class Visitor>
  void ports(Visitor&& port) const {
    port("", PortType::spatial);
    for (const Frame& frame : frames) port(frame.name, PortType::spatial);
  }
};

/// Mass, first and second moment about the body's frame: as given, or from the shapes and the density.
/// Nothing if a density is given, but there is no shape, or one without volume.
ARTICULA_EXPORT std::optional<Inertia<double>> mass_properties(const RigidBody& body);

}  // namespace articula::model
