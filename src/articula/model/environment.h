#pragma once

#include <optional>

#include <articula/model/field.h>
#include <articula/model/gravity/fields.h>

namespace articula {

/// The same everywhere.
struct UniformGravity {
  Vec3<double> acceleration{0, 0, -9.81};
  friend bool operator==(const UniformGravity&, const UniformGravity&) = default;
};

/// Uniform, or a field that depends on the place, so that algorithms which lift the base against gravity refuse it.
using Gravity = NoneOrField<UniformGravity, double>;

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
