#pragma once

#include <optional>
#include <variant>

#include <articula/model/field.h>

namespace articula {

/// The same everywhere.
struct UniformGravity {
  Vec3<double> acceleration{0, 0, -9.81};
  friend bool operator==(const UniformGravity&, const UniformGravity&) = default;
};

/// That of a point mass: acceleration −mu·r/|r|³ towards its centre. It depends on position, so that algorithms
/// which lift the base against gravity refuse it.
struct CentralGravity {
  Vec3<double> center = Vec3<double>::zero();
  double mu = 0;  ///< gravitational parameter, m³/s²
  friend bool operator==(const CentralGravity&, const CentralGravity&) = default;
};

using Gravity = std::variant<UniformGravity, CentralGravity>;

/// A plane that contact points may touch.
struct Ground {
  Direction normal = z_axis;
  double height = 0;    ///< of the plane above World's origin, along the normal
  double friction = 1;  ///< multiplies that of the contact point
  friend bool operator==(const Ground&, const Ground&) = default;
};

/// What surrounds the mechanism. It belongs to the model, and builders check that their algorithm allows it.
struct Environment {
  Gravity gravity = UniformGravity{};
  std::optional<Ground> ground;
  friend bool operator==(const Environment&, const Environment&) = default;
};

}  // namespace articula
