#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <articula/base/export.h>
#include <articula/base/modules.h>

namespace articula::base {

/// The exponents of metre, kilogram, second, radian and ampere.
///
/// The angle is a dimension of its own, so that 30 deg is neither a length nor a plain number; in units that also
/// contain a kilogram or a metre, the radian may be omitted, as is usual (N*m for N*m/rad).
struct Dimension {
  int m = 0, kg = 0, s = 0, rad = 0, A = 0;

  friend bool operator==(const Dimension&, const Dimension&) = default;
};

namespace dimension {
inline constexpr Dimension none{};
inline constexpr Dimension length{.m = 1};
inline constexpr Dimension angle{.rad = 1};
inline constexpr Dimension mass{.kg = 1};
inline constexpr Dimension time{.s = 1};
inline constexpr Dimension speed{.m = 1, .s = -1};
inline constexpr Dimension angular_speed{.s = -1, .rad = 1};
inline constexpr Dimension acceleration{.m = 1, .s = -2};
inline constexpr Dimension force{.m = 1, .kg = 1, .s = -2};
inline constexpr Dimension torque{.m = 2, .kg = 1, .s = -2};
inline constexpr Dimension inertia{.m = 2, .kg = 1};
inline constexpr Dimension density{.m = -3, .kg = 1};
inline constexpr Dimension pressure{.m = -1, .kg = 1, .s = -2};
inline constexpr Dimension area{.m = 2};
inline constexpr Dimension area_moment{.m = 4};
inline constexpr Dimension angular_momentum{.m = 2, .kg = 1, .s = -1};
inline constexpr Dimension stiffness{.kg = 1, .s = -2};
inline constexpr Dimension torsional_stiffness{.m = 2, .kg = 1, .s = -2, .rad = -1};
inline constexpr Dimension damping{.kg = 1, .s = -1};
inline constexpr Dimension torsional_damping{.m = 2, .kg = 1, .s = -1, .rad = -1};
inline constexpr Dimension screw_pitch{.m = 1, .rad = -1};
inline constexpr Dimension gravitational_parameter{.m = 3, .s = -2};
inline constexpr Dimension rate{.s = -1};          ///< 1/s
inline constexpr Dimension rate_squared{.s = -2};  ///< 1/s^2
inline constexpr Dimension current{.A = 1};
inline constexpr Dimension voltage{.m = 2, .kg = 1, .s = -3, .A = -1};
inline constexpr Dimension resistance{.m = 2, .kg = 1, .s = -3, .A = -2};
inline constexpr Dimension inductance{.m = 2, .kg = 1, .s = -2, .A = -2};
inline constexpr Dimension torque_constant{.m = 2, .kg = 1, .s = -2, .A = -1};            ///< N*m/A
inline constexpr Dimension speed_constant{.m = 2, .kg = 1, .s = -2, .rad = -1, .A = -1};  ///< V*s/rad
inline constexpr Dimension volume{.m = 3};
inline constexpr Dimension flow{.m = 3, .s = -1};
inline constexpr Dimension leakage{.m = 4, .kg = -1, .s = 1};  ///< m^3/s/Pa
}  // namespace dimension

/// The SI unit as users write it: "N*m/rad" for torsional_stiffness.
ARTICULA_EXPORT std::string unit_text(const Dimension& dimension);

/// A unit as it is printed: `rad/s^2` as rad/s², `N*m` as N·m, and `1` as an empty text.
ARTICULA_EXPORT std::string printed_unit(std::string_view unit);

/// The value of a text like `12 mm`, `30 deg`, `1e4 N*m/rad` or `0.5`, in SI and radians.
struct Quantity {
  double value = 0;
  std::optional<Dimension> dimension;  ///< nothing if no unit was written
};

/// The quantity, or the reason why the text is none.
struct QuantityOrWhy {
  std::optional<Quantity> quantity;
  std::string why;
};

ARTICULA_EXPORT QuantityOrWhy to_quantity(std::string_view text);

/// Whether a value of dimension `given` is allowed where `wanted` is expected.
ARTICULA_EXPORT bool fits(const Dimension& given, const Dimension& wanted);

/// The SI value of `text` where `wanted` is expected, or the reason why there is none: the number reader of the native
/// format.
struct ValueOrWhy {
  std::optional<double> value;
  std::string why;
  std::string code;  ///< "number-invalid", "unit-unknown" or "unit-dimension" when there is no value
};

ARTICULA_EXPORT ValueOrWhy to_value(std::string_view text, const Dimension& wanted);

}  // namespace articula::base
