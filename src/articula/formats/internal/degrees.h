#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include <articula/base/text.h>

namespace articula::formats {

/// Whether a bound of a turning joint, written as a plain number, is probably meant in degrees: it would be more than two
/// turns, and not more than two turns of degrees. Larger ones mean "no limit" in many files.
inline bool looks_like_degrees(double bound) {
  return std::abs(bound) > 4 * std::numbers::pi && std::abs(bound) <= 720;
}

/// To one digit after the point.
inline double turns_of(double angle) { return std::round(std::abs(angle) / (2 * std::numbers::pi) * 10) / 10; }

/// ` is 170 rad, which is 27.1 turns. If degrees are meant, write 170 deg.`
inline std::string degrees_question(double bound) {
  return concat(" is ", bound, " rad, which is ", turns_of(bound), " turns. If degrees are meant, write ", bound,
                " deg; else write ", bound, " rad.");
}

}  // namespace articula::formats
