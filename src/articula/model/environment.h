#pragma once

#include <optional>

#include <articula/model/field.h>
#include <articula/model/gravity/fields.h>

namespace articula::model {

/// Uniform gravity.
struct UniformGravity {
  Vec3<double> acceleration{0, 0, -9.81};
  friend bool operator==(const UniformGravity&, const UniformGravity&) = default;
};

/// Uniform gravity, or a position-dependent field, which some algorithms do not support.
using Gravity = NoneOrField<UniformGravity, double>;

/// A plane that contact points can touch.
struct Ground {
  Direction normal = z_axis;
  double height = 0;    ///< of the plane above World's origin, along the normal
  double friction = 1;  ///< multiplies that of the contact point
  friend bool operator==(const Ground&, const Ground&) = default;
};

/// The surroundings of the mechanism. They are part of the model.
struct Environment {
  Gravity gravity = UniformGravity{};
  std::optional<Ground> ground;
  friend bool operator==(const Environment&, const Environment&) = default;
};

}  // namespace articula::model
