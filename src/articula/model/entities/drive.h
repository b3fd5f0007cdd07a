#pragma once

#include <optional>

#include <articula/model/field.h>
#include <articula/model/port.h>

namespace articula::model {

/// Motor, gear and, if it is elastic, the spring between gear and joint.  [UNI 3.2.1.3]
///
/// If `mounted_on` is not connected, the rotor acts along the joint only, as reflected inertia gear²·rotor_inertia;
/// mounted on a body, it is also carried by that body.
struct Drive {
  static constexpr std::string_view name = "drive", section = "drives";

  double rotor_inertia = 0;             ///< about the rotor's axis
  double gear = 1;                      ///< rotor speed over joint speed, signed
  std::optional<double> stiffness;      ///< between gear and joint, on the joint's side; rigid if absent
  double damping = 0;                   ///< in parallel with the stiffness
  std::optional<Direction> rotor_axis;  ///< in the frame it is mounted at; the joint's axis if absent
  double friction = 0;                  ///< Coulomb's, on the joint's side
  double viscous_friction = 0;          ///< on the joint's side
  std::optional<double> torque_limit;   ///< on the joint's side
  std::optional<double> speed_limit;    ///< on the joint's side

  friend bool operator==(const Drive&, const Drive&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("rotor_inertia", self.rotor_inertia, dimension::inertia);
    field("gear", self.gear, dimension::none);
    field("stiffness", self.stiffness, dimension::torsional_stiffness);
    field("damping", self.damping, dimension::torsional_damping);
    field("rotor_axis", self.rotor_axis, dimension::none);
    field("friction", self.friction, dimension::torque);
    field("viscous_friction", self.viscous_friction, dimension::torsional_damping);
    field("torque_limit", self.torque_limit, dimension::torque);
    field("speed_limit", self.speed_limit, dimension::angular_speed);
  }
  template <class Visitor>
  void ports(Visitor&& port) const {
    port("joint", PortType::scalar);
    port("mounted_on", PortType::spatial);
  }
};

}  // namespace articula::model
