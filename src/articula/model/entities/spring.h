#pragma once

#include <articula/model/field.h>
#include <articula/model/port.h>

namespace articula::model {

/// The ports of what acts between two points, or on a shaft: the torsional one's `to` may stay open, its other
/// side is then the housing of the shaft.
template <class Visitor>
void force_element_ports(Form form, Visitor&& port) {
  const PortType type = form == Form::torsional ? PortType::scalar : PortType::spatial;
  port("from", type);
  port("to", type);
}

/// A linear spring: force −stiffness·(x − rest) along the line or the shaft.
struct Spring {
  static constexpr std::string_view name = "spring", section = "springs";

  Form form = Form::translational;
  double stiffness = 0;
  double rest = 0;  ///< length or angle without force

  friend bool operator==(const Spring&, const Spring&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("form", self.form, dimension::none);
    field("stiffness", self.stiffness, stiffness_of(self.form));
    field("rest", self.rest, length_or_angle(self.form));
  }
  template <class Visitor>
  void ports(Visitor&& port) const {
    force_element_ports(form, port);
  }
};

}  // namespace articula::model
