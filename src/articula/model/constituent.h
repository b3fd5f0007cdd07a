#pragma once

#include <string>

#include <articula/spatial/inertia.h>

namespace articula::model {

/// One of the bodies that were merged into one, with its original properties.
struct Constituent {
  std::string name;
  Pose<double> X_BC;    ///< its frame in that of the merged body
  Inertia<double> M_C;  ///< its inertia about its own frame

  friend bool operator==(const Constituent&, const Constituent&) = default;
};

}  // namespace articula::model
