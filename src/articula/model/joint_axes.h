#pragma once

#include <articula/model/entities/joint.h>
#include <articula/spatial/orientation.h>

namespace articula::model {

/// The orientation of a joint's canonical frame in the frame where its axis is written.
inline Rotation<double> canonical_rotation(const Joint& joint) {
  const Vec3<double> axis = joint.axis.v * (1 / norm(joint.axis.v));
  switch (traits(joint.kind).axis_use) {
    case AxisUse::none: return Rotation<double>::identity();
    case AxisUse::one: return rotation_z_to(axis);
    case AxisUse::two: break;
  }
  // The second axis is perpendicular to the first within a tolerance; this makes it exact.
  const Vec3<double> across = cross(axis, joint.second_axis.v);
  const Vec3<double> z = across * (1 / norm(across)), y = cross(z, axis);
  return Rotation<double>{Mat3<double>{{axis, y, z}}.transpose()};
}

}  // namespace articula::model
