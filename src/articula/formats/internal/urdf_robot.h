#pragma once

#include <optional>
#include <string>
#include <vector>

#include <articula/model/model.h>

namespace articula::formats {

/// The content of a URDF file, in the model's types, for reader and writer.
/// Names are not resolved; no order or structure is implied beyond that of the file.

/// A reference to a link or joint, with its line; line 0 if it is missing.
struct UrdfMention {
  std::string name;
  Where where;
};

struct UrdfLink {
  std::string name;
  RigidBody body;
  bool has_inertial = false;
  Where where;
};

struct UrdfMimic {
  UrdfMention leader;
  double multiplier = 1, offset = 0;
};

/// drake:rotor_inertia and drake:gear_ratio: an inertia that acts only along the joint.
struct UrdfRotor {
  std::optional<double> inertia, gear;
};

struct UrdfJoint {
  std::string name;
  Joint joint;
  UrdfMention parent, child;
  Pose<double> X_PF;  ///< pose of the joint, and of the child at zero, in the parent
  std::optional<UrdfMimic> mimic;
  UrdfRotor rotor;
  Where where;
};

struct UrdfTransmission {
  std::string name;
  std::vector<UrdfMention> joints;
  bool simple = true;  ///< one motor, one joint, one ratio
  std::optional<double> reduction;
  UrdfRotor rotor;
  Where where;
};

/// An end of a loop joint: its frame X_LF on a link.
struct UrdfLoopEnd {
  UrdfMention link;
  Pose<double> X_LF;
};

/// URDF+: a joint that closes a loop.
struct UrdfLoop {
  std::string name;
  Joint joint;
  UrdfLoopEnd predecessor, successor;
  Where where;
};

/// URDF+: the sum of the angles of joints from the nearest common ancestor to the successor is `ratio` times that of
/// the joints to the predecessor.
struct UrdfCoupling {
  std::string name;
  UrdfMention predecessor, successor;
  double ratio = 1;
  Where where;
};

struct UrdfRobot {
  std::string name;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::vector<UrdfTransmission> transmissions;
  std::vector<UrdfLoop> loops;
  std::vector<UrdfCoupling> couplings;
};

/// URDF cannot express "no limit" where a limit is required; the largest number represents it.
inline constexpr double urdf_no_limit = std::numeric_limits<double>::max();

}  // namespace articula::formats
