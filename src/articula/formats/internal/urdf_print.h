#pragma once

#include <string>

#include <articula/formats/internal/urdf_robot.h>

namespace articula {

/// The text of a URDF file that says this. Rotations that roll, pitch and yaw cannot give to the last bit,
/// and characters that XML cannot hold, are reported in `losses`.
std::string print_urdf(const UrdfRobot& robot, Findings& losses);

}  // namespace articula
