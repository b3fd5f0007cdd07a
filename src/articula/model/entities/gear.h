#pragma once

#include <articula/model/field.h>
#include <articula/model/port.h>

namespace articula::model {

/// A gear with N input and M output shafts: in = ratio·out + offset, one row of `ratio` per input.
///
/// Inputs are the motor's side, so that a ratio of 100 turns the motor a hundred times. Coupled wrists and
/// differentials have a full matrix; two joints that mimic each other have one number.  [UNI 3.2.1.3]
struct Gear {
  static constexpr std::string_view name = "gear", section = "gears";

  Rows ratio = {{1}};
  std::vector<double> offset;  ///< one per input, or empty for none

  friend bool operator==(const Gear&, const Gear&) = default;

  std::size_t inputs() const { return ratio.size(); }
  std::size_t outputs() const { return ratio.empty() ? 0 : ratio.front().size(); }

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("ratio", self.ratio, dimension::none);
    field("offset", self.offset, dimension::angle);
  }
  template <class Visitor>
  void ports(Visitor&& port) const {
    for (std::size_t k = 1; k <= inputs(); ++k) port("in" + std::to_string(k), PortType::scalar);
    for (std::size_t k = 1; k <= outputs(); ++k) port("out" + std::to_string(k), PortType::scalar);
  }
};

}  // namespace articula::model
