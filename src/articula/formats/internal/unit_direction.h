#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <articula/model/field.h>

namespace articula::formats {

/// `v`, normalized. A vector that has unit length already is kept bit by bit, so that directions that were written are
/// read back unchanged. @pre v is not zero
inline Direction unit_direction(const Vec3<double>& v) {
  if (std::abs(norm(v) - 1) <= 4 * std::numeric_limits<double>::epsilon()) return {v};
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  const Vec3<double> scaled{v.x / largest, v.y / largest, v.z / largest};
  const double length = norm(scaled);
  return {{scaled.x / length, scaled.y / length, scaled.z / length}};
}

}  // namespace articula::formats
