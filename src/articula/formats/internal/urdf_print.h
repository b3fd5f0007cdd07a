#pragma once

#include <string>
#include <string_view>

#include <articula/formats/internal/urdf_robot.h>

namespace articula::formats {

/// The type of a joint in URDF; empty if there is none.
std::string_view urdf_type_of(JointKind kind);

/// The text of a URDF file for `robot`. Rotations that roll, pitch and yaw cannot represent bit by bit, and characters
/// that XML cannot contain, are reported in `losses`.
std::string print_urdf(const UrdfRobot& robot, Findings& losses);

}  // namespace articula::formats
