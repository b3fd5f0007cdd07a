#pragma once

#include <articula/model/entities/spring.h>

namespace articula::model {

/// A linear damper: force −damping·dx/dt along the line or the shaft.
struct Damper {
  static constexpr std::string_view name = "damper", section = "dampers";

  Form form = Form::translational;
  double damping = 0;

  friend bool operator==(const Damper&, const Damper&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("form", self.form, dimension::none);
    field("damping", self.damping, damping_of(self.form));
  }
  template <class Visitor>
  void ports(Visitor&& port) const {
    force_element_ports(form, port);
  }
};

}  // namespace articula::model
