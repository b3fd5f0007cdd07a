#pragma once

#include <articula/spatial/orientation.h>

namespace articula::formats {

/// The rotation of a roll-pitch-yaw in a URDF file. At a pitch of a quarter turn, only a sum of roll and yaw matters;
/// it is computed first, and so rounded once.
Rotation<double> rotation_from_urdf(Vec3<double> rpy);

/// A roll-pitch-yaw that reads back as R.
struct WrittenRpy {
  Vec3<double> rpy;
  bool exact;  ///< bit by bit; otherwise approximate
};

/// A rotation that was read from a file with angles up to a turn is written exactly: the search includes the neighbours
/// of the computed angles.
WrittenRpy written_rpy(const Rotation<double>& R);

}  // namespace articula::formats
