#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <articula/base/units.h>
#include <articula/spatial/vec3.h>

/// Entities describe themselves: each kind lists its properties once, in `fields`, and its ports, in `ports`, for text
/// formats, checks and printers. A property is a member, its name in text and its dimension; properties of blocks,
/// trajectories and tasks also have a meaning and, if the value does not show it, the default in words.
///
///     template <class Self, class Visitor>
///     static void fields(Self& self, Visitor&& field) {
///       field("stiffness", self.stiffness, dimension::stiffness);
///     }

namespace articula::model {

/// A direction in space. Readers normalize it; a zero direction is an error.
struct Direction {
  Vec3<double> v{0, 0, 1};

  friend bool operator==(const Direction&, const Direction&) = default;
};

inline constexpr Direction x_axis{{1, 0, 0}}, y_axis{{0, 1, 0}}, z_axis{{0, 0, 1}};

/// A small matrix as a list of rows.
using Rows = std::vector<std::vector<double>>;

/// Whether a spring, damper or actuator is translational or torsional.
enum class Form {
  translational,  ///< two points, along the line between them
  torsional,      ///< two shafts, or one shaft and its housing
};
constexpr std::array<std::string_view, 2> enum_names(Form) { return {"translational", "torsional"}; }

inline Dimension length_or_angle(Form form) { return form == Form::torsional ? dimension::angle : dimension::length; }
inline Dimension stiffness_of(Form form) {
  return form == Form::torsional ? dimension::torsional_stiffness : dimension::stiffness;
}
inline Dimension damping_of(Form form) {
  return form == Form::torsional ? dimension::torsional_damping : dimension::damping;
}
inline Dimension force_or_torque(Form form) { return form == Form::torsional ? dimension::torque : dimension::force; }

}  // namespace articula::model
