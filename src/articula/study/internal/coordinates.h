#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <articula/base/units.h>
#include <articula/mechanism/mechanism.h>

namespace articula {

/// One coordinate of a mechanism as studies name it.
struct NamedCoordinate {
  std::string name;   ///< `elbow`, or `base.x` where a joint has several
  std::string joint;  ///< that it belongs to
  Dimension dimension;
};

/// Those of q or v that have the given names, in that order. @pre the mechanism has them all
std::vector<NamedCoordinate> q_coordinates(const Mechanism& mech, std::span<const std::string> names);
std::vector<NamedCoordinate> v_coordinates(const Mechanism& mech, std::span<const std::string> names);

/// The unit of what drives a coordinate of v: N for m/s, N*m for rad/s.
std::string force_unit(const NamedCoordinate& v);
/// The unit of its rate: m/s² for m/s.
std::string rate_unit(const NamedCoordinate& v);

}  // namespace articula
