#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <articula/base/units.h>
#include <articula/mechanism/mechanism.h>

namespace articula::study {

/// A coordinate of a mechanism, with its name in studies.
struct NamedCoordinate {
  std::string name;   ///< `elbow`, or `base.x` for a joint with several
  std::string joint;  ///< that it belongs to
  Dimension dimension;
};

/// The coordinates of q or v with the given names, in that order. @pre the mechanism has all of them
std::vector<NamedCoordinate> q_coordinates(const Mechanism& mech, std::span<const std::string> names);
std::vector<NamedCoordinate> v_coordinates(const Mechanism& mech, std::span<const std::string> names);

}  // namespace articula::study
