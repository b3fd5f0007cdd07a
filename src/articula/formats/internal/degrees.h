#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include <articula/base/text.h>

namespace articula::formats {

/// Whether a bound of a rotating joint without a unit is probably meant in degrees: if it is more than two turns in
/// radians, and at most two turns in degrees. Larger bounds mean "no limit" in many files.
inline bool looks_like_degrees(double bound) {
  return std::abs(bound) > 4 * std::numbers::pi && std::abs(bound) <= 720;
}

/// The number of turns, rounded to one decimal.
inline double turns_of(double angle) { return std::round(std::abs(angle) / (2 * std::numbers::pi) * 10) / 10; }

/// ` is 170 rad, which is 27.1 turns. If degrees are meant, write 170 deg.`
inline std::string degrees_question(double bound) {
  return concat(" is ", bound, " rad, which is ", turns_of(bound), " turns. If degrees are meant, write ", bound,
                " deg; else write ", bound, " rad.");
}

}  // namespace articula::formats
