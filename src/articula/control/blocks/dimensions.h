#pragma once

#include <articula/base/units.h>

/// Dimensions that only blocks use.
namespace articula::dimension {

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

}  // namespace articula::dimension
