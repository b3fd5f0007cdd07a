#pragma once

#include <articula/model/entities/spring.h>

namespace articula::model {

/// Spring, damper and a constant actuator force in one: −stiffness·(x − rest) − damping·dx/dt + force.
/// [EP 4.1, 4.2]; a torsional one follows its angle past π.
struct SpringDamperActuator {
  static constexpr std::string_view name = "spring_damper_actuator", section = "spring_damper_actuators";

  Form form = Form::translational;
  double stiffness = 0;
  double damping = 0;
  double rest = 0;
  double force = 0;  ///< pushes `from` and `to` apart, or turns the shaft forward

  friend bool operator==(const SpringDamperActuator&, const SpringDamperActuator&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("form", self.form, dimension::none);
    field("stiffness", self.stiffness, stiffness_of(self.form));
    field("damping", self.damping, damping_of(self.form));
    field("rest", self.rest, length_or_angle(self.form));
    field("force", self.force, force_or_torque(self.form));
  }
  template <class Visitor>
  void ports(Visitor&& port) const {
    force_element_ports(form, port);
  }
};

}  // namespace articula::model
