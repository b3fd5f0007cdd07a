#pragma once

#include <articula/spatial/orientation.h>

namespace articula::formats {

/// The rotation that a roll-pitch-yaw in a URDF file means. Where pitch is a quarter turn only one sum of
/// roll and yaw counts; it is formed first, and so rounded once.
Rotation<double> rotation_from_urdf(Vec3<double> rpy);

/// A roll-pitch-yaw that reads back as R.
struct WrittenRpy {
  Vec3<double> rpy;
  bool exact;  ///< to the last bit; otherwise nearly
};

/// Every rotation that was read from a file with angles up to a turn is written exactly: among the neighbours
/// of the computed angles are those of the file.
WrittenRpy written_rpy(const Rotation<double>& R);

}  // namespace articula::formats
