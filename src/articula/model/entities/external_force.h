#pragma once

#include <string>

#include <articula/model/field.h>
#include <articula/model/port.h>

namespace articula::model {

/// A constant force and moment at a frame of a body.
struct ExternalForce {
  static constexpr std::string_view name = "external_force", section = "forces";

  Vec3<double> force = Vec3<double>::zero();
  Vec3<double> moment = Vec3<double>::zero();
  std::string expressed_in = "world";  ///< "world", "local" (the frame it acts at), or a body or reference frame

  friend bool operator==(const ExternalForce&, const ExternalForce&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("force", self.force, dimension::force);
    field("moment", self.moment, dimension::torque);
    field("expressed_in", self.expressed_in, dimension::none);
  }
  template <class Visitor>
  void ports(Visitor&& port) const {
    port("on", PortType::spatial);
  }
};

}  // namespace articula::model
