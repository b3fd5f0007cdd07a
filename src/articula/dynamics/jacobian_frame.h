#pragma once

#include <articula/base/modules.h>

namespace articula::dynamics {

/// In which frame a motion of frame F is expressed; Jacobians, velocities and accelerations always name it.
enum class JacobianFrame : unsigned char {
  local,                ///< F itself: at its origin, in its axes
  world,                ///< World: the motion of the point of F's body that is at World's origin, in World's axes
  local_world_aligned,  ///< at F's origin, in World's axes
};

}  // namespace articula::dynamics
