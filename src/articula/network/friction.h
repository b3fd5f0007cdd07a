#pragma once

namespace articula::network {

/// The direction in which friction resists a speed; none at rest.
inline double direction_of(double speed) { return speed > 0 ? 1 : speed < 0 ? -1 : 0; }

}  // namespace articula::network
