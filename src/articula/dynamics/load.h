#pragma once

#include <articula/spatial/motion.h>

namespace articula::dynamics {

/// A force and moment that acts at the origin of a frame.
struct Load {
  int frame = 0;         ///< its place: `solver.frame({"hand", "tip"})`
  Force<double> wrench;  ///< moment and force, in the axes of ...
  int axes = 0;          ///< ... this frame, which is World's unless said otherwise
};

}  // namespace articula::dynamics
